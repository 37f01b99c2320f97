import { describe, expect, it } from 'vitest';
import { withScheme } from './preflight.ts';

describe('withScheme', () => {
  it.each([
    ['https://a.example/api/3.0/authors/?limit=25', 'http://a.example', 'https://a.example'],
    ['https://a.example/api/3.0/authors/', 'https://a.example/guide', 'https://a.example/guide'],
    ['https://b.example/', 'http://a.example', 'http://a.example'],
    ['https://a.example/', 'http://a.example:8080', 'http://a.example:8080'],
  ])('after a response from %s, turns %s into %s', (url, base, expected) => expect(withScheme(url, base)).toBe(expected));
});
