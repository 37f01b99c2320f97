import { expect, it } from 'vitest';
import { stylesheetProblems } from './check-stylesheet.ts';

const loads = (address: string) =>
  ` loads ${address}, and pages load no other files. Use a data: URL, or "design.fonts" for fonts.`;
const computed = (name: string, loading: string) =>
  `, line 1: ${name}() within ${loading}() can be the address of any file, and pages load no other files. Write a data: URL there.`;
const IMPORTS = ' imports another style sheet. Copy its rules into the file.';
const NAMESPACE = ' has "@namespace", which must be before all other rules of the site. Remove it.';
const HOST = 'https://cdn.example/x.png';

it.each([
  [`h1 { background: url(${HOST}); }`, [loads(HOST)]],
  [`h1 { background: url( "${HOST}" ); }`, [loads(HOST)]],
  [`h1 { background: \\75rl(${HOST}); }`, [loads(HOST)]],
  [`h1 { background: image-set("${HOST}" 1x, url(data:,) 2x); }`, [loads(HOST)]],
  [`h1 { background: -webkit-image-set("${HOST}" 1x); }`, [loads(HOST)]],
  [`h1 { background: image("${HOST}"); }`, [loads(HOST)]],
  [`h1 { background: src("${HOST}"); }`, [loads(HOST)]],
  [`h1 { background: url(images/x.png); }`, [loads('images/x.png')]],
  [`h1 { background: image-set('../x.png' 1x); }`, [loads('../x.png')]],
  [`h1 { background: url(//cdn.example/x.png); }`, [loads('//cdn.example/x.png')]],
  [`:root { --x: url(${HOST}); }`, [loads(HOST)]],
  [`:root { --x: { background: image-set("${HOST}" 1x); } }`, [loads(HOST)]],
  [`:root { --x: url(x.png); }`, [loads('x.png')]],
  // A variable can be the address.
  [`h1 { background: image-set(var(--x) 1x); }`, [computed('var', 'image-set')]],
  [`h1 { background: src(\\76 ar(--x)); }`, [computed('var', 'src')]],
  [`:root { --y: -webkit-image-set(env(x)); }`, [computed('env', '-webkit-image-set')]],
  [`h1 { background: image-set(--own() 1x); }`, [computed('--own', 'image-set')]],
  [`@font-face { font-family: x; src: url(${HOST}); }`, [loads(HOST)]],
  [`@media print { h1 { background: url(${HOST}); } }`, [loads(HOST)]],
  [`@import "${HOST}";`, [IMPORTS]],
  [`@import url(own.css) print;`, [IMPORTS]],
  [`@\\69mport 'own.css';`, [IMPORTS]],
  [`@namespace svg url(http://www.w3.org/2000/svg);`, [NAMESPACE]],
  [`@import url(own.css); h1 { background: url(${HOST}); }`, [IMPORTS, loads(HOST)]],
  [`h1 { background: url(${HOST}); } h2 { background: url(${HOST}); }`, [loads(HOST)]],
])('refuses a style sheet that loads something, in one sentence for each: %s', (css, problems) => {
  expect(stylesheetProblems(css)).toEqual(problems);
});

it.each([
  'h1 { background: url(data:image/png;base64,AA==); }',
  'h1 { background: image-set("data:image/png;base64,AA==" 1x); filter: url(#soft); }',
  `a[href^="https://"]::after { content: "https://example.org"; }`,
  `:root { --quote: "“"; } /* url(${HOST}) */`,
  // Nothing loads it.
  `:root { --x: "${HOST}"; --y: calc(var(--z) * 2); }`,
  '@property --x { syntax: "<string>"; inherits: false; initial-value: "x.png"; }',
  'h1 { a { color: red; } &:hover { color: blue; } @media print { color: black; } }',
  '@container (width > 1px) { h1 { inset: 0; } }',
])('accepts one that loads nothing: %s', (css) => {
  expect(stylesheetProblems(css)).toEqual([]);
});

it('names the line of what is not CSS', () => {
  expect(stylesheetProblems('h1 { color: red; }\nh2 { color red; }')).toEqual([', line 2: "red" is not expected here.']);
  expect(stylesheetProblems('h1 {\nwidth: calc(1px + ; }')).toEqual([', line 2: "}" is not expected here.']);
  expect(stylesheetProblems('\na >> b { color: red; }')).toEqual([', line 2: Invalid dangling combinator in selector.']);
  expect(stylesheetProblems('h1 { color: red; }\n\n/* h2 { }')).toEqual([
    ', line 3: the comment that begins here has no end. Close it with "*/".',
  ]);
  expect(stylesheetProblems('h1 { color: red; }\n@media print {\nh2 { color: red; }')).toEqual([
    ', line 2: the block that begins here has no end. Close it with "}".',
  ]);
});
