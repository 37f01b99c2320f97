import { expect, it } from 'vitest';
import { contentSecurityPolicy } from '../site/csp.ts';
import { renderStartPage } from './copies/root-files.ts';
import { findPolicyProblems } from './csp-audit.ts';

const POLICY = contentSecurityPolicy();
const createPage = (body = '', policy = POLICY) =>
  `<!DOCTYPE html><html lang="en"> <head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><title>x</title><script defer src="../assets/theme.js"></script><script type="application/ld+json">{"a":1}</script></head><body>${body}</body></html>`;
const problemsOf = (html: string, path = 'objects/a-1.html') => findPolicyProblems(path, html);

it('accepts one of our pages, even if its text looks like markup or scripts', () => {
  const content =
    '<p title="javascript: the good parts">&lt;script&gt;alert(1)&lt;/script&gt; onclick="x()"</p><a href="a.html">a</a>';
  expect(problemsOf(createPage(content))).toEqual([]);
});

it.each([
  ['no policy', createPage('').replace(/<meta http-equiv[^>]*>/, ''), 'no Content-Security-Policy is in force'],
  [
    'a policy after a script',
    createPage('').replace('<head>', '<head><script src="assets/theme.js"></script>'),
    'no Content-Security-Policy',
  ],
  ['a policy in the body', createPage('').replace('<head>', 'words<head>'), 'no Content-Security-Policy'],
  [
    'a policy that only reports',
    createPage('').replace('Security-Policy"', 'Security-Policy-Report-Only"'),
    'no Content-Security-Policy',
  ],
  [
    'a policy that allows inline scripts',
    createPage('', POLICY.replace("script-src 'self'", "script-src 'self' 'unsafe-inline'")),
    "script-src allows 'unsafe-inline'",
  ],
  [
    'a policy that allows WebAssembly',
    createPage('', POLICY.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")),
    "script-src allows 'wasm-unsafe-eval'",
  ],
  [
    'a policy that allows any host',
    createPage('', POLICY.replace("connect-src 'self'", 'connect-src *')),
    'connect-src allows *',
  ],
  [
    'a policy with a directive that ours does not have',
    createPage('', `${POLICY}; script-src-elem https://cdn.example`),
    'script-src-elem allows https://cdn.example',
  ],
  ['a policy with two directives of one name', createPage('', `script-src *; ${POLICY}`), 'script-src allows *'],
  ['a policy without default-src', createPage('', POLICY.replace("default-src 'none'; ", '')), 'default-src is missing'],
  ['a policy without form-action', createPage('', POLICY.replace("form-action 'self' file:; ", '')), 'form-action is missing'],
  [
    'a policy with a hash',
    createPage('<script>x()</script>', POLICY.replace('script-src', "script-src 'sha256-x'")),
    "script-src allows 'sha256-x'",
  ],
])('rejects a page with %s', (_, html, problem) => {
  expect(problemsOf(html)).toContainEqual(expect.stringContaining(problem));
});

it.each([
  ['<script>alert(1)</script>', 'an inline script'],
  ['<script type="module">alert(1)</script>', 'an inline script'],
  ['<script type="speculationrules">{}</script>', 'an inline script'],
  ['<svg><script href="data:text/javascript,alert(1)"></script></svg>', 'a script is loaded from data:'],
  ['<script src="https://cdn.example/x.js"></script>', 'a script is loaded from https://cdn.example/x.js'],
  ['<script src="\t//cdn.example/x.js"></script>', 'a script is loaded from'],
  ['<img src="a.png" onerror="alert(1)">', 'img onerror is an event handler'],
  ['<body onload=alert(1)>', 'body onload is an event handler'],
  ['<a href="java\nscript:alert(1)">x</a>', 'a href is a script'],
  ['<form action=" javascript:alert(1)"></form>', 'form action is a script'],
  ['<iframe srcdoc="x"></iframe>', 'it has a <iframe>'],
  ['<base href="https://away.example/">', 'it has a <base>'],
])('rejects a page with a script that the policy blocks: %s', (flaw, problem) => {
  expect(problemsOf(createPage(flaw))).toEqual([expect.stringContaining(problem)]);
});

it('accepts an inline style and script with a matching hash on the 404 page, and on no other page', () => {
  const inline = { style: 'p { color: red }', script: 'home()' };
  const html = createPage(`<style>${inline.style}</style><script>${inline.script}</script>`, contentSecurityPolicy(inline));
  expect(problemsOf(html, '404.html')).toEqual([]);
  expect(problemsOf(html, 'es/404.html')).toEqual([]);
  expect(problemsOf(html, 'guide/404.html')).not.toEqual([]);
  expect(problemsOf(html.replace('home()', 'away()'), '404.html')).toHaveLength(2);
});

it('accepts the page in the root of a USB drive with a policy for its inline style', () => {
  const html = renderStartPage('A & B', 'mirror/index.html');
  expect(problemsOf(html, '404.html')).toEqual([]);
  expect(problemsOf(html)).toEqual([expect.stringContaining('style-src allows')]);
});
