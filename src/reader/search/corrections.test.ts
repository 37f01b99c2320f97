import { expect, it } from 'vitest';
import { findCorrected, suggest } from './corrections.ts';
import * as spelling from './spelling.ts';

const WORDS = {
  co: 9,
  conway: 4,
  dragline: 2,
  eso: 9,
  garcia: 2,
  hirado: 5,
  kettle: 8,
  lantern: 30,
  line: 50,
  lodz: 2,
  matsumoto: 4,
  mon: 2,
  operative: 3,
  osaka: 3,
  oota: 1,
  ota: 5,
  plain: 7,
  satoh: 2,
  tanaka: 6,
  time: 9,
  tol: 2,
};
const lookups = {
  loadSpelling: async () => ({ ...spelling, all: Object.entries(WORDS).map(([word, documents]) => ({ word, documents })) }),
  hasWord: async (word: string) => word in WORDS,
  findInNames: async (word: string, named: 'place' | 'person') =>
    ({
      garcia: { person: 'García' },
      hirado: { place: 'Hirado' },
      lodz: { place: 'Łódź' },
      matsumoto: { person: 'Matsumoto' },
      osaka: { place: 'Ōsaka' },
      ota: { person: 'Ōta' },
      satoh: { person: 'Satoh' },
    })[word]?.[named],
};

const correct = async (typed: string, ...unknown: string[]) =>
  (await findCorrected(typed, unknown, lookups)).map(({ query }) => query);

it.each([
  ['another number', 'old kettles', ['kettles'], ['old kettle']],
  ['a hyphen more', 'Cooperative store', ['cooperative'], ['"co-operative" store']],
  ['a space more', 'kettleline', ['kettleline'], ['"kettle line"']],
  ['a hyphen less', 'drag-line', ['drag'], ['dragline']],
  ['a letter less in a word of six', 'lantrn', ['lantrn'], ['lantern']],
  ['a letter less in a name with accents', 'garci', ['garci'], []],
  ['a letter more in a name with accents', 'garciia', ['garciia'], ['García']],
  ['two letters in a word of nine', 'dragliness lanterm', ['dragliness', 'lanterm'], ['dragline lantern']],
  ['a letter in a short word', 'spain', ['spain'], []],
  ['another first letter', 'mantern', ['mantern'], []],
  ['a name with a long vowel', 'Ohta family', ['ohta'], ['Ōta family']],
  ['the same in other letters', 'oota', ['oota'], ['Ōta']],
  ['a place with a long vowel', 'Oosaka', ['oosaka'], ['Ōsaka']],
  ['the same the other way round', 'Sato', ['sato'], ['Satoh']],
  ['a word that spells the same as another by chance', 'chime', ['chime'], []],
  ['another, in Spanish', 'yeso', ['yeso'], []],
  ['a name as Japan’s own romanization writes it', 'Matumoto family', ['matumoto'], ['Matsumoto family']],
  ['a name in characters, which has no other spelling', '松本', ['松本'], []],
  ['a word that would be in another spelling if it were a name', 'tool', ['tool'], []],
  ['a name that is near a place', 'hirano', ['hirano'], []],
  ['a word that is near nothing', 'kettles zeppelin', ['kettles', 'zeppelin'], []],
  ['a word in quotation marks', '"kettles"', ['kettles'], []],
  ['a year', '1947', ['1947'], []],
])('knows what to try for %s: %s', async (_, typed, unknown, queries) =>
  expect(await correct(typed, ...unknown)).toEqual(queries),
);

it('suggests names as the archive writes them, and other words folded', async () => {
  expect(await suggest(['lodzz', 'garsia', 'ketle'], lookups)).toEqual([
    { from: 'lodzz', to: 'Łódź' },
    { from: 'garsia', to: 'García' },
    { from: 'ketle', to: 'kettle' },
  ]);
});
