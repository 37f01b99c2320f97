import { afterEach, expect, it } from 'vitest';
import { spellEastAsian } from '../formats/search/east-asian.ts';
import { eastAsian } from '../formats/search/fold-letters.ts';
import { createNames, encodeNames } from '../formats/search/names.ts';
import { listNames } from './list-names.ts';

afterEach(() => {
  eastAsian.spell = (folded) => folded;
});

/** Returns the labels of people that are suggested for what a reader types. */
function suggest(typed: string, ...people: string[]): Promise<string[]> {
  const entries = { objects: { allListed: () => [] }, articles: [] } as unknown as Parameters<typeof listNames>[0];
  const relations = {
    people: () => people.map((label, i) => ({ label, slug: `p${i}`, records: 1 })),
    terms: () => [],
  } as unknown as Parameters<typeof listNames>[1];
  // They are listed without the spellings, which a browser has loaded when it finds them.
  const text = encodeNames([...listNames(entries, relations, { pages: [] })]);
  eastAsian.spell = spellEastAsian;
  const names = createNames([['', 'all']], async () => text);
  return names.find(typed).then((found) => found.map(({ label }) => label));
}

it.each([
  ['沢田', '澤田 花子'],
  ['濱野', '濱野'],
  ['Ota', 'Ōta, Haruko'],
  ['ohta haru', 'Ōta, Haruko'],
  ['Oota', 'Ōta, Haruko'],
  ['haruko outa', 'Haruko Ōta'],
  ['outa', 'Haruko Ōta'],
  ['yuuki', 'Yūki, Jun'],
  ['choe', 'Ch‘oe Sunhee'],
  ['ch’oe', 'Ch‘oe Sunhee'],
  ['铁路', '鐵路 太郎'],
  ['陳', '陈 国华'],
  ['میروم', 'می‌روم'],
  ['צהל', 'צה״ל'],
  ['צה"ל', 'צה״ל'],
])('suggests for %s the name as the archive writes it: %s', async (typed, label) =>
  expect(await suggest(typed, label, 'Vane, Leif')).toEqual([label]),
);

it.each(['Ohta', 'Oota'])('does not join names that the archive writes as two: %s', async (typed) =>
  expect(await suggest(typed, 'Ota, Haruko')).toEqual([]),
);

it('names interviews as such, among titles', () => {
  const objects = {
    allListed: (model: string) =>
      model === 'entity' ? [{ id: 'demo-1-1', model, genre: 'interview', title: 'Ada Rook Interview' }] : [],
  };
  const entries = { objects, articles: [] } as unknown as Parameters<typeof listNames>[0];
  const relations = { people: () => [], terms: () => [] };
  const [name] = listNames(entries, relations, { pages: [] });
  expect(name).toMatchObject({
    kind: 'interview',
    label: 'Ada Rook Interview',
    path: 'objects/demo-1-1.html',
    key: 'ada rook interview',
  });
});
