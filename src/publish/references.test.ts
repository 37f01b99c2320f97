import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findHtmlReferences, findScriptReferences } from './references.ts';
import { findCssReferences } from './references-in-css.ts';

const fetchedUrls = (html: string) =>
  findHtmlReferences(html)
    .references.filter(({ use }) => use !== 'link')
    .map(({ href }) => href);

describe('findHtmlReferences', () => {
  it.each([
    '<img src="//x.example/a.png">',
    '<img srcset="a.png 1x, //x.example/a.png 2x">',
    '<script src="//x.example/a.png"></script>',
    '<link rel="stylesheet" href="//x.example/a.png">',
    '<link rel="preconnect" href="//x.example/a.png">',
    '<link rel="canonical prefetch" href="//x.example/a.png">',
    '<iframe src="//x.example/a.png"></iframe>',
    '<iframe srcdoc="&lt;img src=//x.example/a.png&gt;"></iframe>',
    '<video poster="//x.example/a.png"></video>',
    '<video><source src="//x.example/a.png"><track src="b.vtt"></video>',
    '<object data="//x.example/a.png"></object>',
    '<embed src="//x.example/a.png">',
    '<form action="//x.example/a.png"></form>',
    '<button formaction="//x.example/a.png">',
    '<a href="b.html" ping="//x.example/a.png">',
    '<base href="//x.example/a.png">',
    '<meta http-equiv="refresh" content="0; url=//x.example/a.png">',
    '<svg><image href="//x.example/a.png"/><use xlink:href="//x.example/a.png"/></svg>',
    '<p style="background: url(//x.example/a.png)">',
    '<style>@import "//x.example/a.png";</style>',
    '<body background="//x.example/a.png">',
    '<p onclick="fetch(\'//x.example/a.png\')">',
    '<script>import("//x.example/a.png")</script>',
    '<svg><script href="//x.example/a.png"></script></svg>',
    '<svg><script xlink:href="//x.example/a.png"/></svg>',
    '<svg><script>fetch("//x.example/a.png")</script></svg>',
    '<svg><style><img src="//x.example/a.png"></style></svg>',
    '<svg><style>@import "//x.example/a.png"</style></svg>',
    '<svg><title><img src="//x.example/a.png"></title></svg>',
    '<math><![CDATA[ > ]]><img src="//x.example/a.png"></math>',
    '<svg><filter><feImage href="//x.example/a.png"/></filter></svg>',
    '<svg><rect fill="url(//x.example/a.png)"/></svg>',
    '<svg><image><set attributeName="href" to="//x.example/a.png"/></image></svg>',
    '<meta http-equiv="refresh" content="0; //x.example/a.png">',
    '<meta http-equiv="refresh" content="0;url=\'//x.example/a.png\'">',
    '<meta http-equiv="Refresh" content="0,URL = //x.example/a.png">',
    '<link rel="preload" as="image" imagesrcset="//x.example/a.png 2x">',
    '<link rel="modulepreload" href="//x.example/a.png">',
    '<link rel="dns-prefetch" href="//x.example/a.png">',
    '<link rel="alternate stylesheet" href="//x.example/a.png">',
    '<link href="//x.example/a.png">',
    '<img srcset=",, //x.example/a.png, b.png 2x">',
    '<img srcset="b.png 1x,//x.example/a.png">',
    '<img attributionsrc="//x.example/a.png">',
    '<p style="background: u\\72l(//x.example/a.png)">',
    '<style>a { b: u\\72l( "//x.example/a.png" ) }</style>',
    '<style>a { b: \\55 RL(//x.example/a.png</style>',
    '<style>\\@import "b.css"; @\\69mport "//x.example/a.png";</style>',
    '<style>@font-face { src: url("//x.example/a.png") }</style>',
    '<style>a { background: image-set("//x.example/a.png" 1x) }</style>',
    '<style>a { background: -webkit-image-set("//x.example/a.png" 1x) }</style>',
    '<style>a { background: src("//x.example/a.png") }</style>',
    '<style>@import/**/url("//x.example/a.png");</style>',
    '<style>a { b: url(\\2f/x.example/a.png) }</style>',
    '<script type="importmap">{"imports": {"a": "//x.example/a.png"}}</script>',
    '<script>location = "//x.example/a.png"</script>',
    '<script>location.replace("//x.example/a.png")</script>',
    '<script>navigator["sendBeacon"]("//x.example/a.png")</script>',
    '<script>window.open("//x.example/a.png")</script>',
    '<script>new EventSource("//x.example/a.png")</script>',
    '<script>i["src"] = "//x.example/a.png"</script>',
    '<script>i.setAttribute("src", "//x.example/a.png")</script>',
    '<script>fetch("\\x2f\\u002fx.example/a.png")</script>',
    '<form><form action="//x.example/a.png">',
  ])('finds the URL that %s fetches', (html) => expect(fetchedUrls(html)).toContain('//x.example/a.png'));

  it.each([
    '<script src="data:text/javascript,fetch()"></script>',
    '<iframe src="data:text/html,x"></iframe>',
    '<object data="data:text/html,x"></object>',
    '<embed src="data:image/svg+xml,x">',
    '<link rel="stylesheet" href="data:text/css,x">',
    '<style>@import "data:text/css,x"</style>',
    '<script type="speculationrules">{"prefetch": [{"source": "document"}]}</script>',
    '<base href="../">',
  ])('reports a network reference for any URL in %s', (html) => {
    const { references } = findHtmlReferences(html);
    expect(references.map(({ use }) => use)).toEqual([expect.stringMatching(/^(?:run|network)$/)]);
  });

  it.each([
    '<?xml-stylesheet type="text/css" href="//x.example/a.png"?><svg xmlns="http://www.w3.org/2000/svg"></svg>',
    '<svg xmlns:x="http://www.w3.org/1999/xlink"><image x:href="//x.example/a.png"/></svg>',
    '<svg><style><![CDATA[ @import "//x.example/a.png"; ]]></style></svg>',
    '<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:script href="//x.example/a.png"/></s:svg>',
  ])('finds the URL that the SVG file %s fetches', (svg) => {
    expect(findHtmlReferences(svg, { xml: true }).references.map(({ href }) => href)).toContain('//x.example/a.png');
  });

  it('reports a network reference for an SVG file that declares entities', () => {
    const svg = '<!DOCTYPE svg [ <!ENTITY e "//x.example/a.png"> ]><svg><image href="&e;"/></svg>';
    expect(findHtmlReferences(svg, { xml: true }).references.map(({ use }) => use)).toContain('network');
  });

  it.each([
    '<style>@namespace svg url(http://www.w3.org/2000/svg); @namespace "http://www.w3.org/1999/xhtml";</style>',
    '<style>a::before { content: "url(//x.example/)" } /* url(//x.example/) */</style>',
    '<p title="&lt;img src=//x.example/a.png&gt;">fetch("//x.example/")</p>',
    '<svg><a href="https://x.example/"></a></svg>',
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"></svg>',
    '<script>document.createElementNS("http://www.w3.org/2000/svg", "g"); a = "//x.example/"; // fetch(x)</script>',
    '<textarea>&lt;img src="//x.example/"&gt;</textarea>',
    '<meta name="description" content="0; url=//x.example/">',
  ])('finds nothing in %s', (html) => expect(fetchedUrls(html)).toEqual([]));

  it('classifies references that a reader follows as links', () => {
    expect(
      findHtmlReferences('<a href="https://x.example/">x</a><link rel="canonical" href="https://x.example/">').references.map(
        ({ use }) => use,
      ),
    ).toEqual(['link', 'link']);
  });

  it('returns the targets of fragments', () => {
    expect([...findHtmlReferences('<h2 id="one"></h2><a name="two"></a>').anchors]).toEqual(['one', 'two']);
  });

  it('ignores script elements that contain data', () => {
    expect(fetchedUrls('<script type="application/ld+json">{"url": "fetch(\'https://x.example/\')"}</script>')).toEqual([]);
  });
});

it('finds URLs in style sheets, except in comments', () => {
  expect(
    findCssReferences('/* url(a.png) */ a { b: url( "c.png" ) } @import \'d.css\'; @import url(e.css);', '').map(
      ({ href }) => href,
    ),
  ).toEqual(['c.png', 'd.css', 'e.css']);
});

it.each([
  'fetch("https://x.example/")',
  "new Worker('//x.example/')",
  'import "https://x.example/"',
  'export * from "https://x.example/"',
  'i.src = `https://x.example/`',
  'r.open("GET", "https://x.example/")',
  'new WebSocket("wss://x.example/")',
])('finds the URL in %s', (script) => expect(findScriptReferences(script, '').length).toBe(1));

const MEGABYTE = 1_000_000;

describe('takes linear time', () => {
  const pieces = [
    ['url(', ' ', 'url("', '"', ')', "'", '\\', '\\72', '/*', '*/', '@import', 'image-set(', 'a', '\n', ';', '{', '}'],
    [
      '<b>',
      '</i>',
      '<svg>',
      '<style>',
      '</style>',
      '<',
      '&',
      '&amp;',
      '<!--',
      '-->',
      '<![CDATA[',
      'srcset="',
      ',',
      ' ',
      '"',
      "'",
      '>',
      '=',
    ],
    [
      'fetch',
      '(',
      ' ',
      '"',
      "'",
      '//',
      'import',
      'from',
      '.src',
      '=',
      'location',
      '[',
      'sendBeacon',
      ']',
      '\\x2f',
      '\n',
      'open',
      '.',
    ],
  ];
  const readers: Array<(text: string) => unknown> = [
    (text) => findCssReferences(text, ''),
    (text) => findHtmlReferences(text),
    (text) => findScriptReferences(text, ''),
  ];
  it.each(['CSS', 'HTML', 'scripts'].map((name, i) => [name, i] as const))('for any %s', (_, i) => {
    const read = readers[i] as (text: string) => unknown;
    const piece = fc.constantFrom(...(pieces[i] as string[]));
    fc.assert(
      fc.property(fc.array(fc.array(piece, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 }), (parts) => {
        // Each part is repeated many times, which would slow down backtracking or a stack.
        const text = parts
          .map((part) => part.join('').repeat(Math.ceil(MEGABYTE / parts.length / part.join('').length)))
          .join('');
        const start = process.cpuUsage();
        read(text);
        expect(process.cpuUsage(start).user / 1000, JSON.stringify(parts)).toBeLessThan(4_000);
      }),
      { numRuns: 25 },
    );
  });

  it('for a megabyte of spaces after url( in CSS', () => {
    const start = process.cpuUsage();
    expect(findCssReferences(`a { b: url(${' '.repeat(MEGABYTE)}`, '')).toEqual([{ href: '', use: 'load', where: '' }]);
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(1_000);
  });

  it('for a source set of a megabyte of commas, a refresh of spaces, and 80,000 closing tags without a match', () => {
    const start = process.cpuUsage();
    findHtmlReferences(`<img srcset="${','.repeat(MEGABYTE)}"><meta http-equiv=refresh content="0${' '.repeat(MEGABYTE)}x">`);
    findHtmlReferences('<b>'.repeat(80_000) + '</i>'.repeat(80_000));
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(3_000);
  });
});
