/** Values that a hostile upstream may put into a field. Unescaped, each would run a script, load something or forge a line. */

/** One hostile value. */
export interface HostileValue {
  /** What the value attempts, as a test title. */
  name: string;
  text: string;
  /** Whether a browser runs or loads it in a page without escaping. A test checks this, so that every value is effective. */
  runs: boolean;
}

/**
 * The script of a value: it sets `window.hacked`, writes to the console, and can be detected. It has no spaces or quotation
 * marks, so that it fits into any attribute.
 */
const SIGNALS = [
  () => 'alert(`hacked`)',
  () => 'document.title=`hacked`',
  (canary: string) => `new/**/Image().src=\`${canary}\``,
  (canary: string) => `fetch(\`${canary}\`)`,
];

/** Creates a value. `js` is a JavaScript expression that tests detect; `url` is a URL that must not be requested. */
type Create = (js: string, url: string) => string;

const codes = (text: string, write: (code: number) => string) =>
  [...text].map((character) => write(character.codePointAt(0) as number)).join('');
const asDecimal = (text: string) => codes(text, (code) => `&#${String(code).padStart(7, '0')}`);
const asHex = (text: string) => codes(text, (code) => `&#x${code.toString(16)};`);

/** Values that run in a page without escaping. */
const RUNNING_VALUES: Array<[string, Create]> = [
  ['script', (js) => `<script>${js}</script>`],
  ['script with src', (_, url) => `<ScRiPt/x SRC=${url}></sCrIpT\t>`],
  ['script of a data: URL', (js) => `<script src="data:text/javascript,${js}"></script>`],
  ['module', (_, url) => `<script type=module>import "${url}"</script>`],
  ['image that fails', (js) => `<img src=x: onerror=${js}>`],
  ['slashes for spaces', (js) => `<img/src="x:"/onerror=${js}>`],
  ['never closed', (js) => `words <img src=x: onerror=${js} x="`],
  ['SVG handler', (js) => `<svg onload=${js}>`],
  ['SVG script', (js) => `<svg><script>${asHex(js)}</script></svg>`],
  ['SVG script of an address', (_, url) => `<svg><script href=${url} /></svg>`],
  ['SVG animation', (js) => `<svg><animate onbegin=${js} attributeName=x dur=1s></svg>`],
  ['SVG link', (js) => `<svg><a xlink:href="javascript:${js}"><text y=20>x</text></a></svg>`],
  ['SVG image', (_, url) => `<svg><image href=${url} width=9 height=9 /></svg>`],
  [
    'MathML style',
    (js) =>
      `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x: onerror=${js}&gt;"><img src=x: onerror=${js}>`,
  ],
  ['style in SVG', (js) => `<svg></p><style><a id="</style><img src=x: onerror=${js}>">`],
  ['noscript', (js) => `<noscript><p title="</noscript><img src=x: onerror=${js}>"></noscript><img src=x: onerror=${js}>`],
  ['after a text area', (js) => `<textarea><img title="</textarea><img src=x: onerror=${js}>">`],
  ['after a title', (js) => `</title><title></title><img src=x: onerror=${js}>`],
  ['after a style', (js) => `</style><style></style><script>${js}</script>`],
  ['after a script', (js) => `</script><script>${js}</script>`],
  ['after a comment', (js) => `--><!-- --!><img src=x: onerror=${js}><!--`],
  ['empty comment', (js) => `<!--><img src=x: onerror=${js}>-->`],
  ['in a comment and a script', (js) => `<!--<script></script>--><script>${js}</script>`],
  ['CDATA', (js) => `]]><![CDATA[><img src=x: onerror=${js}>]]>`],
  ['processing instruction', (js) => `<?xml version="1.0"?><?x ><img src=x: onerror=${js}>?>`],
  ['out of an attribute, double quotes', (js) => `x"><img src=x: onerror=${js}>`],
  ['out of an attribute, single quotes', (js) => `x'><svg/onload=${js}>`],
  ['script within script', (js) => `<scr<script>ipt>${js}</scr</script>ipt><img src=x: onerror=${js}>`],
  ['two brackets', (js) => `<<script>${js}//<</script>`],
  ['details', (js) => `<details open ontoggle=${js}><summary>x</summary></details>`],
  ['focus', (js) => `<input autofocus onfocus=${js}><select onfocus=${js}></select>`],
  ['pointer', (js) => `<p onmouseover=${js} style="position:fixed;inset:0">words</p>`],
  ['body', (js) => `<body onload=${js}>`],
  ['form', (js) => `<form action="javascript:${js}"><button id=send>send</button></form>`],
  ['iframe with a document', (js) => `<iframe srcdoc="&lt;script&gt;parent.${js.slice(1, -1)}&lt;/script&gt;"></iframe>`],
  ['iframe of javascript:', (js) => `<iframe src="javascript:parent.${js.slice(1, -1)}"></iframe>`],
  ['iframe of an address', (_, url) => `<iframe src="${url}"></iframe>`],
  ['object', (_, url) => `<object data="${url}" type="text/html"></object>`],
  ['embed', (_, url) => `<embed src="${url}">`],
  ['link of javascript:', (js) => `<a href="javascript:${js}">words</a>`],
  ['link, letters of both cases', (js) => `<a href="  JaVaScRiPt:${js}">words</a>`],
  ['link, tab', (js) => `<a href="java&#x09;script:${js}">words</a>`],
  ['link, line break', (js) => `<a href="java&NewLine;scr&Tab;ipt&colon;${js}">words</a>`],
  ['link, raw tab and line break', (js) => `<a href="java\tscr\nipt\r:${js}">words</a>`],
  ['link, control character before it', (js) => `<a href="&#1;javascript:${js}">words</a>`],
  ['link, decimal codes', (js) => `<a href=${asDecimal(`javascript:${js}`)}>words</a>`],
  ['link, hexadecimal codes', (js) => `<a href="${asHex(`javascript:${js}`)}">words</a>`],
  ['link with handlers', (js, url) => `<a href="${url}" ping="${url}" onmouseover=${js} onfocus=${js}>words</a>`],
  ['refresh', (_, url) => `<meta http-equiv=refresh content="0;url=${url}">`],
  ['base', (_, url) => `<base href="${url}/"><img src=relative.png>`],
  ['style sheet', (_, url) => `<link rel=stylesheet href="${url}">`],
  ['prefetch', (_, url) => `<link rel=prefetch href="${url}"><link rel=preload as=image href="${url}">`],
  ['style', (_, url) => `<style>@import "${url}";*{background:url(${url})}</style>`],
  ['style attribute', (_, url) => `<p style="background:url(${url})">words</p>`],
  ['style with escapes', (_, url) => `<p style="background:u\\72l(${url})">words</p>`],
  [
    'images in other elements',
    (_, url) => `<img srcset="${url} 1x" alt=x><video poster="${url}"></video><input type=image src="${url}">`,
  ],
  ['table background', (_, url) => `<table background="${url}"><tr><td background="${url}">x</table>`],
];

/** Values that do harm only if they are parsed twice, or as something other than markup. */
const LATENT_VALUES: Array<[string, Create]> = [
  ['audio that fails', (js) => `<audio src=x: onerror=${js}></audio><video><source src=x: onerror=${js}></video>`],
  [
    'template',
    (js) => `<template><img src=x: onerror=${js}></template><template shadowrootmode=open><script>${js}</script></template>`,
  ],
  ['escaped once', (js) => `&lt;img src=x: onerror=${js}&gt;`],
  ['escaped twice', (js) => `&amp;lt;img src=x: onerror=${js}&amp;gt;`],
  [
    'escaped in an escape',
    (js) => `<p>&lt;script&gt;${js}&lt;/script&gt;</p><i title="&quot;&gt;&lt;img src=x: onerror=${js}&gt;">x</i>`,
  ],
  ['new attribute, double quotes', (js) => `x" autofocus tabindex=0 onfocus="${js}" onmouseover="${js}" x="`],
  ['new attribute, single quotes', (js) => `x' autofocus tabindex=0 onfocus='${js}' onmouseover='${js}' x='`],
  ['new attribute, no quotes', (js) => `x onfocus=${js} onmouseover=${js} autofocus`],
  ['out of a script’s string', (js) => `";${js};//';${js};//\\";${js};//\`;${js};//`],
  ['line separators in a script', (js) => `x\u2028${js}\u2029${js}\n${js}`],
  ['template literal', (js) => `\${${js}} {{constructor.constructor(\`${js}\`)()}} #{${js}} <%= ${js} %>`],
  ['full width', (js) => `\uff1cscript\uff1e${js}\uff1c/script\uff1e\uff02\uff1e\uff1cimg onerror=${js}\uff1e`],
  [
    'long s, Kelvin sign',
    (js) => `<\u017fcript>${js}</\u017fcript><a href="java\u017fcript:${js}">x</a><lin\u212a rel=stylesheet>`,
  ],
  [
    'NUL within a tag',
    (js) => `<scr\u0000ipt>${js}</scr\u0000ipt><img src=x: onerror\u0000=${js}><a href="java\u0000script:${js}">x</a>`,
  ],
  [
    'invisible characters within a tag',
    (js) => `<scr\u202eipt>${js}</scr\u202eipt><im\u200eg src=x: one\u202crror=${js}><a href="java\u202escript:${js}">x</a>`,
  ],
  [
    'escapes of invisible characters',
    (js) => `&#60;&#x202e;script&#62;${js}&#60;/script&#62;<a href="java&#x202e;script&#58;${js}">x</a>`,
  ],
  ['javascript: alone', (js) => `javascript:${js}`],
  ['javascript: with a host', (js) => `javascript://example.org/%0a${js}`],
  ['javascript: with tabs', (js) => `\u0001\tjava\tscript\n:${js}`],
  ['data: alone', (js) => `data:text/html,<script>${js}</script>`],
  [
    'data: in a link',
    (js) => `<a href="data:text/html;charset=utf-8,<script>${js}</script>">words</a><a href="vbscript:${js}">words</a>`,
  ],
  [
    'blob: and file:',
    () => '<a href="blob:null/x">words</a><a href="file:///etc/passwd">words</a><a href="view-source:x">words</a>',
  ],
  ['the address', (_, url) => url],
  ['without a scheme', (_, url) => url.replace('http:', '')],
  ['backslashes', (_, url) => url.replace('http://', '\\\\')],
  ['with credentials', (_, url) => url.replace('//', '//user:secret@')],
  ['links without a scheme', (_, url) => `<a href="${url.replace('http:', '')}">words</a><a href="/\\${url.slice(7)}">words</a>`],
  ['__proto__', () => '__proto__'],
  ['constructor', () => 'constructor'],
  ['toString', () => 'toString'],
  ['out of a style', (_, url) => `x;}*{background:url(${url})}@import "${url}";x{`],
  ['RIS lines', (_, url) => `words\r\nER  - \r\n\r\nTY  - BOOK\r\nUR  - ${url}\r\nTI  - injected`],
  ['BibTeX fields', (_, url) => `words}, url = {${url}}, note = {\\input{/etc/passwd}}}\n@misc{injected, title = {x`],
  ['HTTP header', (_, url) => `words\r\nLocation: ${url}\r\nSet-Cookie: a=b\r\n\r\n<html>`],
  ['formula', (_, url) => `=HYPERLINK("${url}","words")`],
  [
    'cue',
    (js) => `words\n\n00:00.000 --> 00:09.000 line:0\n<v "><img src=x: onerror=${js}>"><c.x><img src=x: onerror=${js}></c>`,
  ],
  [
    'XML',
    (js, url) =>
      `]]></title><script xmlns="http://www.w3.org/1999/xhtml">${js}</script><!DOCTYPE x [<!ENTITY e SYSTEM "${url}">]>&e;`,
  ],
  [
    'terminal',
    () => 'words\u001b]0;hacked\u0007\u001b[2J\u001b[1;1H\u009b31mHarvested: 99999 records\r\nHarvested: 99999 records',
  ],
  ['bidi', () => 'words \u202egpj.exe\u202c \u2066isolated\u2069 \u200f\u061c\ufeff'],
  ['half pairs', () => 'words \ud83d half \udfff'],
  ['speculation rules', (_, url) => `<script type=speculationrules>{"prefetch":[{"source":"list","urls":["${url}"]}]}</script>`],
  ['import map', (_, url) => `<script type=importmap>{"imports":{"x":"${url}"}}</script>`],
  [
    'the viewer’s own marks',
    (_, url) =>
      `<dialog id=zoom data-viewer="${url}"><div class=zoom-view></div><p class=zoom-caption></p></dialog><a class=zoom href="${url}"><img data-width=9 data-height=9></a>`,
  ],
  [
    'the search page’s own marks',
    (_, url) => `<p id=said>{"root":"${url}"}</p><form id=search name=forms><input id=q name=q></form><ol id=results></ol>`,
  ],
  [
    'the site’s own marks',
    (_, url) =>
      `<a id=theme class=attract-begin href="${url}"></a><a id=microficheKeyboard href="${url}"></a><img data-thumb=x class=thumb><div data-top="${url}" data-kiosk=0.01></div>`,
  ],
  [
    'the player’s own marks',
    (_, url) =>
      `<video id=play class=player src="${url}"></video><ol class=playlist><li><a aria-current=true></a><li><a href="${url}#play">x</a></ol><ol class=cues><li data-start=0 data-end=9><button>x</button></ol>`,
  ],
  [
    'clobbered',
    () =>
      '<form id=document name=location><input name=href><input id=body name=currentScript></form><img name=cookie id=parentNode>',
  ],
  ['long', (js) => `${'long '.repeat(1200)}"><img src=x: onerror=${js}>`],
  ['deep', (js) => `${'<b>'.repeat(600)}<img src=x: onerror=${js}>`],
];

/** Maximum characters of a value in a URL or name. */
export const MAX_NAME_LENGTH = 400;

/** Returns the values by number. `canary` is the URL of a server that must not be requested, without a trailing slash. */
export function hostileValues(canary: string): HostileValue[] {
  return [...RUNNING_VALUES, ...LATENT_VALUES].map(([name, create], n) => {
    const url = `${canary}/${n}`;
    const signal = SIGNALS[n % SIGNALS.length]?.(url);
    return {
      name,
      text: create(`(window.hacked=${n},console.log(\`hacked-${n}\`),${signal})`, url),
      runs: n < RUNNING_VALUES.length,
    };
  });
}

/** Returns the word with which search finds the records that contain a value. */
export const searchWordOf = (n: number) => `hostile${n}x`;
