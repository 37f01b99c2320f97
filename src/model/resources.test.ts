import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyOf, nameInUrl, objectIdInUrl, parseBaseUrl, possibleIdsInUrl, urlOf } from './resources.ts';

const bases = { authors: 'http://guide.example', catalog: 'http://catalog.example:8080/ddr' };

describe('urlOf', () => {
  it('percent-encodes names so that nameInUrl returns them', () => {
    const name = fc.string({ unit: 'binary', minLength: 1 }).filter((text) => text !== '.' && text !== '..');
    fc.assert(
      fc.property(name, (text) => {
        expect(nameInUrl(urlOf({ kind: 'author', name: text }, bases))).toBe(text.toWellFormed());
      }),
    );
  });

  it('returns the specified URLs', () => {
    expect(urlOf({ kind: 'authors', name: '', page: { limit: 25, offset: 50 } }, bases)).toBe(
      'http://guide.example/api/3.0/authors/?limit=25&offset=50',
    );
    expect(urlOf({ kind: 'author', name: 'Ada / 100%' }, bases)).toBe('http://guide.example/api/3.0/authors/Ada%20%2F%20100%25/');
    expect(urlOf({ kind: 'children', name: 'a-b-1', page: { limit: 25, offset: 0 } }, bases)).toBe(
      'http://catalog.example:8080/ddr/api/0.2/a-b-1/children/?limit=25&offset=0',
    );
  });
});

describe('objectIdInUrl', () => {
  it.each([
    'http://catalog.example:8080/ddr/api/0.2/a-b-1-2/',
    'https://catalog.example:8080/ddr/api/0.2/a-b-1-2/?format=api',
    'http://catalog.example:8080/a-b-1-2',
    '//catalog.example:8080/a-b-1-2/?x=1#top',
    '/a-b-1-2/',
    'https://www.catalog.example:8080/a-b-1-2/',
    'http://catalog.example:8080/a/b/1/2/',
    'http://catalog.example:8080/ddr/a/b/1/2/',
    'http://catalog.example:8080/a/b/1/2/mezzanine/',
    '/a-b-1-2-transcript/',
  ])('recognizes %s', (href) => expect(objectIdInUrl(href, bases)).toBe('a-b-1-2'));

  it('recognizes links to collections', () => {
    for (const path of [
      '/a-b-1/',
      '/a/b/1/',
      '/a/b/1/objects/',
      '/a-b-1/children/',
      '/A-B-1/',
      '/A/b/1/files',
      '/api/0.2/a-b-1/children/',
    ])
      expect(objectIdInUrl(path, bases)).toBe('a-b-1');
    expect(objectIdInUrl('/A/b/1/2/objects/', bases)).toBe('a-b-1-2');
  });

  it.each([
    'http://elsewhere.example/a-b-1-2/',
    'javascript:alert(1)',
    'http://catalog.example:8080/about-this-site/',
    'http://catalog.example:8080/2026/05/12/',
    'http://[',
    '',
  ])('returns undefined for %j', (href) => expect(objectIdInUrl(href, bases)).toBeUndefined());
});

describe('possibleIdsInUrl', () => {
  const base = { authors: 'https://guide.example', catalog: 'https://www.catalog.example' };
  it.each([
    'https://www.catalog.example/a-b-1/',
    'http://catalog.example/a-b-1',
    'http://catalog.example:80/a-b-1/?page=2#files',
    '//catalog.example/a-b-1/objects/',
    '/a-b-1/children/',
    'a-b-1',
    'https://www.catalog.example/api/0.2/a-b-1/',
    'http://www.catalog.example/A-B-1/',
    'http://www.catalog.example/a/b/1/',
  ])('finds a collection in %s', (href) => expect(possibleIdsInUrl(href, base)).toContain('a-b-1'));

  it.each(['https://other.example/a-b-1/', 'https://catalog.example:8080/a-b-1/', 'mailto:a-b-1', 'http://[', ''])(
    'finds none in %j',
    (href) => {
      expect(possibleIdsInUrl(href, base)).not.toContain('a-b-1');
    },
  );
});

it('keyOf returns one key per resource', () => {
  expect(keyOf({ kind: 'files', name: 'a-b-1-2', page: { limit: 25, offset: 25 } })).toBe('files:a-b-1-2?limit=25&offset=25');
});

it('readBaseUrl extracts the base URL from user input', () => {
  expect(parseBaseUrl('http://x.example/')).toBe('http://x.example');
  expect(parseBaseUrl('https://x.example/sub/api/3.0/authors/?limit=5')).toBe('https://x.example/sub');
  expect(parseBaseUrl('x.example')).toBeUndefined();
  expect(parseBaseUrl('ftp://x.example')).toBeUndefined();
});
