import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseQuery } from './parse-query.ts';

const parse = (typed: string) => {
  const { words, phrases } = parseQuery(typed);
  return [
    ...words.map(({ text, isPrefix }) => (isPrefix ? `${text}…` : text)),
    ...phrases.map((phrase) => `"${phrase.join(' ')}"`),
  ];
};

it.each([
  ['net loft', ['net', 'loft…']],
  ['net li', ['net', 'li']],
  ['the picnic at Brannan Slough', ['picnic', 'brannan', 'slough…']],
  ['el muelle de la isla', ['muelle', 'isla…']],
  ['the', ['the…']],
  ['T. R. Quill', ['quill…']],
  ['x', ['x']],
  ['1 9', ['1', '9']],
  ['"second ferry" petition', ['petition…', '"second ferry"']],
  ['“listen for the bell”', ['"listen for the bell"']],
  ['"smoked" eel', ['smoked', 'eel…']],
  ['eel "smoked"', ['smoked', 'eel']],
  ['smoked "ee', ['smoked', 'ee']],
  ['net nets net', ['net', 'nets']],
  ['灯', ['灯…']],
  ['港 の灯', ['港…', 'の灯']],
  ['"山の灯 港"', ['"山の の灯 灯 港"']],
  ['""', []],
  ['“', []],
])('reads %s', (typed, expected) => expect(parse(typed)).toEqual(expected));

it('reads any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (typed) => {
      expect(parseQuery(typed).words.length).toBeLessThan(1000);
    }),
  );
});
