import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isTitleKind, type Name } from './name-kinds.ts';
import { comparableText, createNames, decodeNames, encodeNames, type KeyedName, keyAt, startsOf } from './names.ts';

const name = (label: string, count = 1, kind: Name['kind'] = 'person'): Name => ({ kind, label, path: `p/${label}`, count });
const keyed = (names: readonly Name[]): KeyedName[] =>
  names
    .flatMap((one) => {
      const comparable = comparableText(one.label);
      const starts = startsOf(comparable, isTitleKind(one.kind));
      return starts.map((at) => ({ ...one, key: keyAt(one.kind, comparable, at), at }));
    })
    .sort((a, b) => (a.key < b.key ? -1 : 1));

/** Divides names into packs of `size` names or more: those with one key are in one pack, as the writer of packs puts them. */
function open(names: readonly KeyedName[], size = 3) {
  const packs: KeyedName[][] = [];
  for (const one of names) {
    const last = packs.at(-1);
    if (last && (last.length < size || last.at(-1)?.key === one.key)) last.push(one);
    else packs.push([one]);
  }
  const ranges = packs.map((pack, i) => [pack[0]?.key ?? '', String(i)] as const);
  return createNames(ranges, async (pack) => encodeNames(packs[Number(pack)] ?? []));
}
const labels = async (typed: string, ...names: Name[]) => (await open(keyed(names), 100).find(typed)).map(({ label }) => label);

it('finds a name from each of its words on, without case, accents and punctuation', async () => {
  for (const typed of ['Zoë', 'zoe q', 'QUILL', "o'd", 'o d', 'quill-o'])
    expect(await labels(typed, name("Zoë Quill-O'Dálaigh"))).toEqual(["Zoë Quill-O'Dálaigh"]);
  for (const typed of ['', '  ', '…', 'oe', 'uill', 'zoe quill x']) expect(await labels(typed, name('Zoë Quill'))).toEqual([]);
});

it.each([
  ['ʻUkulele', 'uku', 'ʻuku', "'uku"],
  ['Hawaiʻi', 'hawaii', "hawai'i", 'Hawai‘i'],
  ['Kaʻū', 'kau', "ka'u"],
  ['박정호'.normalize('NFD'), '박정', '박정호'],
  ['ラジオ体操', 'ﾗｼﾞｵ'],
  ['شئون', 'شؤون'],
  ['القاهرة', 'قاهرة', 'القاهره', 'قاه'],
  ['الصيّادون في الميناء', 'صياد', 'ميناء', 'في المين'],
])('finds %s by other spellings', async (label, ...spellings) => {
  for (const typed of spellings) expect([typed, await labels(typed, name(label))]).toEqual([typed, [label]]);
});

it('finds a title from each of its words on, also from words that say little', async () => {
  const titles = ['The minutes of the ferry committee', 'Ferry to Tern Hill', 'Ferryman'].map((title) => name(title, 0, 'item'));
  expect(await labels('ferry', ...titles)).toEqual(['Ferry to Tern Hill', 'Ferryman', 'The minutes of the ferry committee']);
  expect(await labels('of the fer', ...titles)).toEqual(['The minutes of the ferry committee']);
  expect(await labels('the', ...titles)).toEqual(['The minutes of the ferry committee']);
  expect(await labels('to tern', ...titles)).toEqual(['Ferry to Tern Hill']);
  expect(await labels('a ferry', ...titles)).toEqual([]);
  const long = name(`${'Minutes of several meetings, '.repeat(3)}with a zeppelin`, 0, 'item');
  expect(await labels('zeppelin', long)).toEqual([long.label]);
});

it('finds a name in a script without spaces from each character on', async () => {
  const titles = ['霧の港と灯台', '港まつり', 'カモメ'].map((title) => name(title, 0, 'item'));
  expect(await labels('港', ...titles)).toEqual(['港まつり', '霧の港と灯台']);
  expect(await labels('灯台', ...titles)).toEqual(['霧の港と灯台']);
  expect(await labels('モメ', ...titles)).toEqual(['カモメ']);
});

it('returns what begins as typed before what has a later word that does, whether name or title', async () => {
  const names = [
    name('Ash Tern', 9),
    name('Tern Hill', 1, 'place'),
    name('Terns at the quay', 0, 'item'),
    name('The tern', 0, 'item'),
  ];
  expect(await labels('tern', ...names)).toEqual(['Tern Hill', 'Terns at the quay', 'Ash Tern', 'The tern']);
});

it('returns each page once: exactly that name first, then names before titles, then those with most records', async () => {
  const names = [
    name('Tern Hill School', 0, 'item'),
    name('Tern', 1, 'item'),
    name('Tern Hill', 4, 'place'),
    name('Tern, Tern', 9),
  ];
  expect(await labels('tern', ...names)).toEqual(['Tern', 'Tern, Tern', 'Tern Hill', 'Tern Hill School']);
});

it('finds a long title by all that was typed', async () => {
  const title = 'The committee of the ferry workers and its minutes of 1942';
  expect(await labels(title, name(title), name(`${title} and 1943`))).toEqual([title, `${title} and 1943`]);
  expect(await labels(`${title} x`, name(title))).toEqual([]);
});

it('finds every name by the beginning of any of its words, in packs of any size', async () => {
  const word = fc.stringMatching(/^[a-zäé]{1,6}$/);
  const label = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(label, { minLength: 1, maxLength: 4 }),
      fc.nat(),
      fc.integer({ min: 2, max: 20 }),
      async (all, at, size) => {
        const chosen = all[at % all.length] as string;
        const words = chosen.split(' ');
        const typed = words.slice(at % words.length).join(' ');
        const found = await open(keyed(all.map((one) => name(one))), size).find(typed);
        expect(found.map((one) => one.label)).toContain(chosen);
      },
    ),
    { examples: [[['äééää', 'äé äééää', 'é'], 0, 2]] },
  );
});

it('returns the same names after encoding', () => {
  const names = keyed([name('Zoë Quill', 3), name('Fog 霧', 0, 'item')]);
  const other: KeyedName = { ...name('Zoë Quill', 3), key: '!quill zoe' };
  expect(decodeNames(encodeNames([...names, other]))).toEqual([...names, other]);
  expect(decodeNames('')).toEqual([]);
});
