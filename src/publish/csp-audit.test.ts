import { expect, it } from 'vitest';
import { contentSecurityPolicy } from '../site/csp.ts';
import { policyProblems } from './csp-audit.ts';
import { startPage } from './usb/pages.ts';

const POLICY = contentSecurityPolicy();
const page = (body = '', policy = POLICY) =>
  `<!DOCTYPE html><html lang="en"> <head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><title>x</title><script defer src="../assets/theme.js"></script><script type="application/ld+json">{"a":1}</script></head><body>${body}</body></html>`;
const problems = (html: string, path = 'objects/a-1.html') => policyProblems(path, html);

it('S15: says nothing against a page of ours, whatever its words are', () => {
  const words =
    '<p title="javascript: the good parts">&lt;script&gt;alert(1)&lt;/script&gt; onclick="x()"</p><a href="a.html">a</a>';
  expect(problems(page(words))).toEqual([]);
});

it.each([
  ['none', page('').replace(/<meta http-equiv[^>]*>/, ''), 'no Content-Security-Policy is in force'],
  [
    'one behind a script',
    page('').replace('<head>', '<head><script src="assets/theme.js"></script>'),
    'no Content-Security-Policy',
  ],
  ['one in the body', page('').replace('<head>', 'words<head>'), 'no Content-Security-Policy'],
  ['one that only reports', page('').replace('Security-Policy"', 'Security-Policy-Report-Only"'), 'no Content-Security-Policy'],
  [
    'inline scripts allowed',
    page('', POLICY.replace("script-src 'self'", "script-src 'self' 'unsafe-inline'")),
    "script-src allows 'unsafe-inline'",
  ],
  ['another host allowed', page('', POLICY.replace("connect-src 'self'", 'connect-src *')), 'connect-src allows *'],
  [
    'a directive that ours has not',
    page('', `${POLICY}; script-src-elem https://cdn.example`),
    'script-src-elem allows https://cdn.example',
  ],
  ['a second of the same name', page('', `script-src *; ${POLICY}`), 'script-src allows *'],
  ['no default', page('', POLICY.replace("default-src 'none'; ", '')), 'default-src is missing'],
  ['forms for anyone', page('', POLICY.replace("form-action 'self' file:; ", '')), 'form-action is missing'],
  ['a hash', page('<script>x()</script>', POLICY.replace('script-src', "script-src 'sha256-x'")), "script-src allows 'sha256-x'"],
])('S15: fails a page with a policy that is weaker: %s', (_, html, problem) => {
  expect(problems(html)).toContainEqual(expect.stringContaining(problem));
});

it.each([
  ['<script>alert(1)</script>', 'an inline script'],
  ['<script type="module">alert(1)</script>', 'an inline script'],
  ['<script type="speculationrules">{}</script>', 'an inline script'],
  ['<svg><script href="data:text/javascript,alert(1)"></script></svg>', 'a script comes from data:'],
  ['<script src="https://cdn.example/x.js"></script>', 'a script comes from https://cdn.example/x.js'],
  ['<script src="\t//cdn.example/x.js"></script>', 'a script comes from'],
  ['<img src="a.png" onerror="alert(1)">', 'img onerror is an event handler'],
  ['<body onload=alert(1)>', 'body onload is an event handler'],
  ['<a href="java\nscript:alert(1)">x</a>', 'a href is a script'],
  ['<form action=" javascript:alert(1)"></form>', 'form action is a script'],
  ['<iframe srcdoc="x"></iframe>', 'it has a <iframe>'],
  ['<base href="https://away.example/">', 'it has a <base>'],
])('S15: fails a page with a script that the policy refuses: %s', (flaw, problem) => {
  expect(problems(page(flaw))).toEqual([expect.stringContaining(problem)]);
});

it('S15: lets the page for lost addresses have its own style and script, to the byte, and no other page', () => {
  const inline = { style: 'p { color: red }', script: 'home()' };
  const html = page(`<style>${inline.style}</style><script>${inline.script}</script>`, contentSecurityPolicy(inline));
  expect(problems(html, '404.html')).toEqual([]);
  expect(problems(html, 'es/404.html')).toEqual([]);
  expect(problems(html, 'guide/404.html')).not.toEqual([]);
  expect(problems(html.replace('home()', 'away()'), '404.html')).toHaveLength(2);
});

it('S15: finds the page in the root of a stick under a policy of its own style', () => {
  const html = startPage('A & B', 'mirror/index.html');
  expect(problems(html, '404.html')).toEqual([]);
  expect(problems(html)).toEqual([expect.stringContaining('style-src allows')]);
});
