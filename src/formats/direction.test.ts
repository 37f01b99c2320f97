import { expect, it } from 'vitest';
import { directionOf, langAttributes } from './direction.ts';

it.each([
  ['ar', 'rtl'],
  ['he', 'rtl'],
  ['fa-IR', 'rtl'],
  ['yi', 'rtl'],
  ['az-Arab', 'rtl'],
  ['az', undefined],
  ['ja', undefined],
  [undefined, undefined],
])('writes %s in the direction %s', (lang, direction) => expect(directionOf(lang)).toBe(direction));

it('writes both attributes as HTML', () => {
  expect([langAttributes('ar'), langAttributes('fr')]).toEqual(['lang="ar" dir="rtl"', 'lang="fr"']);
});
