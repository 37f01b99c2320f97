/** The codes agree with those of CLDR. */
import { expect, it } from 'vitest';
import { iso6393 } from './metadata.ts';

it.each([
  ['en', 'eng'],
  ['pt-BR', 'por'],
  ['JA', 'jpn'],
  ['fil', 'fil'],
  ['', 'und'],
  ['x-private', 'und'],
])('has for %s the code %s', (tag, code) => expect(iso6393(tag)).toBe(code));

it('has the code of CLDR for each language with two letters', () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  const known = letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => names.of(code) !== undefined && Intl.getCanonicalLocales(code)[0] === code);
  expect(known.length).toBeGreaterThan(180);
  // Bihari is a group of languages, and CLDR makes Twi a part of Akan.
  expect(known.filter((code) => Intl.getCanonicalLocales(iso6393(code))[0] !== code)).toEqual(['bh', 'tw']);
});
