import { expect, it } from 'vitest';
import { svgProblem } from './check-svg.ts';

const SVG = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';

const problemOf = (svg: string) => svgProblem(Buffer.from(svg));

it.each([
  ['<script>alert(1)</script>', / has the element script, and images may only draw\. /],
  ['<s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script>', / has the element script, /],
  ['<SCRIPT href="x.js"/>', / has the element script, /],
  ['<rect onclick="alert(1)"/>', / has the attribute onclick, /],
  ['<foreignObject><p>Text</p></foreignObject>', / has the element foreignobject, /],
  ['<a href="javascript:alert(1)"><rect/></a>', / refers to javascript:alert\(1\)\. /],
  [
    '<image href="https://x.example/a.png"/>',
    / refers to https:\/\/x\.example\/a\.png\. Embed what it shows, or save the image as PNG\.$/,
  ],
  ['<image xlink:href="a.png"/>', / refers to a\.png\. /],
  ['<use href="other.svg#a"/>', / refers to other\.svg#a\. /],
  ['<style>@import "a.css";</style>', / refers to a\.css\. /],
  ['<rect style="fill: url(https://x.example/a.svg#b)"/>', / refers to https:\/\/x\.example\/a\.svg#b\. /],
])('refuses %s', (content, problem) => {
  expect(problemOf(`<svg ${SVG}>${content}</svg>`)).toMatch(problem);
});

it('refuses entities and style sheets of its own', () => {
  expect(problemOf(`<!DOCTYPE svg [<!ENTITY a "b">]><svg ${SVG}/>`)).toMatch(/an entity that it declares/);
  expect(problemOf(`<?xml-stylesheet href="a.css"?><svg ${SVG}/>`)).toMatch(/ refers to a\.css\. /);
});

it('refuses what it cannot read', () => {
  expect(svgProblem(Buffer.from(`<svg ${SVG}/>`, 'utf16le'))).toMatch(/ is not plain SVG in UTF-8\. /);
});

it('accepts what only draws', () => {
  const image =
    '<image href="data:image/png;base64,AA=="/><use href="#a"/><rect fill="url(#b)"/><style>rect { fill: red; }</style>';
  expect(
    problemOf(
      `<?xml version="1.0"?><svg ${SVG}><title>Ferry</title>${image}<a href="https://x.example/"><path d="M0 0"/></a></svg>`,
    ),
  ).toBe(undefined);
});
