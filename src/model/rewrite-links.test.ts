import { expect, it } from 'vitest';
import { rewriteLinks } from './rewrite-links.ts';

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
