import { expect, it } from 'vitest';
import { createHostHeaders } from './machine-files.ts';

/** Parses the rules as Netlify and Cloudflare Pages do: a path on a line of its own, then indented headers. */
function parseRules(text: string): Array<{ path: string; headers: Map<string, string> }> {
  return text
    .trim()
    .split('\n\n')
    .map((rule) => {
      const [path = '', ...lines] = rule.split('\n');
      const headers = lines.map((line) => /^ {2}([\w-]+): (\S.*)$/.exec(line) ?? []);
      return { path, headers: new Map(headers.map(([, name = '', value = '']) => [name.toLowerCase(), value])) };
    });
}

function headersOf(rules: ReturnType<typeof parseRules>, path: string): Array<[name: string, value: string]> {
  return rules.flatMap((rule) => (path.startsWith(rule.path.replace(/\*$/, '')) ? [...rule.headers] : []));
}

it.each(['https://mirror.example/', 'https://mirror.example/archive/'])('has rules below %s', (url) => {
  const rules = parseRules(createHostHeaders(url));
  const base = new URL(url).pathname;
  const [page, image] = ['objects/a.html', 'thumbs/a/b.webp'].map((path) => headersOf(rules, base + path));
  expect(Object.fromEntries(page ?? [])).toEqual({
    'content-security-policy': "frame-ancestors 'self'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
  expect(Object.fromEntries(image ?? [])).toMatchObject({
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=3600',
    'x-content-type-options': 'nosniff',
  });
});

it('has no two rules that set the same header of a file, because hosts would join the values', () => {
  const rules = parseRules(createHostHeaders('https://mirror.example/archive/'));
  for (const path of ['index.html', 'iiif/collection.json', 'media/a.mp4', 'thumbs/a.webp']) {
    const names = headersOf(rules, `/archive/${path}`).map(([name]) => name);
    expect(new Set(names).size, path).toBe(names.length);
  }
});

it('has no rule for other paths of the host', () => {
  expect(headersOf(parseRules(createHostHeaders('https://mirror.example/archive/')), '/other/index.html')).toEqual([]);
});
