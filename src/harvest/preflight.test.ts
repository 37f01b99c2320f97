import { expect, it } from 'vitest';
import { schemeOf } from './preflight.ts';

it.each([
  ['https://a.example/api/3.0/authors/?limit=25', 'http://a.example', 'https://a.example'],
  ['https://a.example/api/3.0/authors/', 'https://a.example/guide', 'https://a.example/guide'],
  ['https://b.example/', 'http://a.example', 'http://a.example'],
  ['https://a.example/', 'http://a.example:8080', 'http://a.example:8080'],
])('answered from %s: %s is asked at %s', (answered, base, asked) => expect(schemeOf(answered, base)).toBe(asked));
