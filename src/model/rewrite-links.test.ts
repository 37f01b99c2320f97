import { describe, expect, it } from 'vitest';
import { createUrlMover, rewriteLinks } from './rewrite-links.ts';

const bases = { authors: 'https://guide.example', catalog: 'https://catalog.example/ddr' };
const rewrite = (body: string) => rewriteLinks(body, bases, 'http://127.0.0.1:4321');

it('rewrites links to this server, regardless of scheme and escaping', () => {
  expect(rewrite('{"a":"https://guide.example/api/3.0/","b":"http://catalog.example/ddr/x/"}')).toBe(
    '{"a":"http://127.0.0.1:4321/api/3.0/","b":"http://127.0.0.1:4321/x/"}',
  );
  expect(rewrite('"https:\\/\\/guide.example\\/x"')).toBe('"http:\\/\\/127.0.0.1:4321\\/x"');
});

it('changes no other byte', () => {
  for (const body of [
    '{"a":"https://guide.example.org/"}',
    '{"a":"https://guide.example:8080/"}',
    '{"a" : "https://catalog.example/other", "b":1.0 }',
  ])
    expect(rewrite(body)).toBe(body);
});

describe('createUrlMover', () => {
  const move = createUrlMover('https://old.example/api', 'https://new.example:8080/a/b');

  it.each([
    ['"https://old.example/api/0.2/x/"', '"https://new.example:8080/a/b/0.2/x/"'],
    ['"https:\\/\\/old.example\\/api\\/x"', '"https:\\/\\/new.example:8080\\/a\\/b\\/x"'],
    ['"http://old.example/api"', '"http://new.example:8080/a/b"'],
    ['See https://old.example/api.', 'See https://new.example:8080/a/b.'],
    ['(https://old.example/api?x=https://old.example/api)', '(https://new.example:8080/a/b?x=https://new.example:8080/a/b)'],
  ])('replaces the URL in %s', (text, moved) => expect(move(text)).toBe(moved));

  it.each([
    'https://old.example/api2',
    'https://old.example/api.json',
    'https://old.example/api-old',
    'https://old.example/api%20',
    'https://old.example/',
    'https://very.old.example/api',
    'https://old.example:8080/api',
    'https://OLD.example/api',
    'xhttps://old.example/api',
    'ftp://old.example/api',
    'https:\\/\\/old.example/api',
    'https://web.example/2020/https://old.example/api',
    'https:\\/\\/web.example\\/2020\\/https:\\/\\/old.example\\/api',
  ])('leaves %s', (text) => expect(move(text)).toBe(text));

  it('respects where a host ends', () => {
    const moveHost = createUrlMover('http://old.example', 'https://new.example');
    for (const text of [
      'http://old.example.org',
      'http://old.example:80/',
      'http://old.example@other.example',
      'http://old.examples',
    ])
      expect(moveHost(text)).toBe(text);
    expect(moveHost('http://old.example https://old.example/x')).toBe('https://new.example https://new.example/x');
  });
});
