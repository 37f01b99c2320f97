import { describe, expect, it } from 'vitest';
import { referencesInCss, referencesInHtml, referencesInScript } from './references.ts';

const loads = (html: string) =>
  referencesInHtml(html)
    .references.filter(({ use }) => use !== 'link')
    .map(({ href }) => href);

describe('referencesInHtml', () => {
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
  ])('finds what %s would fetch', (html) => expect(loads(html)).toContain('//x.example/a.png'));

  it('takes what a reader follows for a link', () => {
    expect(
      referencesInHtml('<a href="https://x.example/">x</a><link rel="canonical" href="https://x.example/">').references.map(
        ({ use }) => use,
      ),
    ).toEqual(['link', 'link']);
  });

  it('knows where fragments may point', () => {
    expect([...referencesInHtml('<h2 id="one"></h2><a name="two"></a>').anchors]).toEqual(['one', 'two']);
  });

  it('does not take data for a script', () => {
    expect(loads('<script type="application/ld+json">{"url": "fetch(\'https://x.example/\')"}</script>')).toEqual([]);
  });
});

it('finds addresses in style sheets, not in their comments', () => {
  expect(
    referencesInCss('/* url(a.png) */ a { b: url( "c.png" ) } @import \'d.css\'; @import url(e.css);', '').map(
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
])('finds the address in %s', (script) => expect(referencesInScript(script, '').length).toBe(1));
