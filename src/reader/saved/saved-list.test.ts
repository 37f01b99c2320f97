import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyOf, MAX_ITEMS } from './saved-items.ts';
import { isHeading, MAX_NOTE, mergeEntries, moveEntry, type SavedEntry, toEntries, toMoment, toSavedItem } from './saved-list.ts';

const ITEM = { id: 'demo-org-1', path: 'objects/demo-org-1.html', title: 'A photograph' };

describe('an item that another person may have made', () => {
  it('has its address in the live archive', () => {
    const source = "https://archive.demo.example/a%20b/?c=d&e=(f),g;h#i'j";
    expect(toSavedItem({ ...ITEM, source })?.source).toBe(source);
  });

  it.each([
    'https://x.example/},evil = {',
    'https://x.example/ y',
    'https://x.example/{',
    'https://x.example/\\',
    'javascript:alert(1)',
  ])('has no address that is not one, such as %s', (source) =>
    expect(toSavedItem({ ...ITEM, source })).not.toHaveProperty('source'),
  );

  it.each([
    ['#t=83,97', '#t=83,97'],
    ['#t=1:23', '#t=83'],
    ['#t=97,83', '#t=97'],
    ['#t=83.01,83.04', '#t=83'],
    ['#t=1000001', undefined],
    ['#t=1"><script>', undefined],
    ['javascript:1', undefined],
    [83, undefined],
  ])('has the moment %s as %s', (at, expected) => {
    expect(toMoment(at)).toBe(expected);
    expect(toSavedItem({ ...ITEM, at })?.at).toBe(expected);
  });

  it('has a note of limited length', () => {
    expect(toSavedItem({ ...ITEM, note: 'x'.repeat(MAX_NOTE + 1) })?.note).toHaveLength(MAX_NOTE);
    expect(toSavedItem({ ...ITEM, note: { length: 1 } })).not.toHaveProperty('note');
  });
});

const texts = fc.constantFrom('', 'Boats', 'Nets', 'Who is the second man?', 'Nets\n\nBoats');
const anItem = fc
  .record({ id: fc.constantFrom('a', 'b', 'c', 'd'), at: fc.constantFrom(undefined, '#t=1', '#t=1,2'), note: texts })
  .map(({ id, ...own }) => ({ ...own, id, path: `objects/${id}.html`, title: id }));
const aList = fc.array(fc.oneof(anItem, fc.record({ heading: texts })), { maxLength: 12 }).map(toEntries);
const titlesOf = (list: readonly SavedEntry[]) => list.map((entry) => (isHeading(entry) ? entry.heading : keyOf(entry)));
const notesOf = (list: readonly SavedEntry[]) =>
  list.flatMap((entry) => (isHeading(entry) || !entry.note ? [] : [[keyOf(entry), entry.note] as const]));

describe('a list', () => {
  it('is read from any values, without what is not an item or a heading, each once', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.anything(), anItem, fc.record({ heading: fc.anything(), key: fc.anything() }))),
        (values) => {
          const list = toEntries(values);
          expect(new Set(list.map(keyOf)).size).toBe(list.length);
          expect(toEntries(JSON.parse(JSON.stringify(list)) as unknown[])).toEqual(list);
        },
      ),
    );
  });

  it('still has the items that an earlier version stored', () => {
    const stored = [{ ...ITEM, kind: '', date: '', collection: '', image: '', citations: { RIS: 'TY  - ART' }, rights: 'Free' }];
    expect(toEntries(stored)).toEqual(stored);
  });

  it('loses and doubles nothing when another one is added to it', () => {
    fc.assert(
      fc.property(aList, aList, (own, others) => {
        const { entries, refused } = mergeEntries(own, others);
        expect(refused).toEqual([]);
        // The own order stays, and all of the other list is there.
        const ownKeys = new Set(own.map(keyOf));
        expect(titlesOf(entries.filter((entry) => ownKeys.has(keyOf(entry))))).toEqual(titlesOf(own));
        expect(titlesOf(entries)).toEqual(expect.arrayContaining(titlesOf(others)));
        expect(new Set(entries.map(keyOf)).size).toBe(entries.length);
        const notes = new Map(notesOf(entries));
        for (const [key, note] of [...notesOf(own), ...notesOf(others)]) expect(notes.get(key)).toContain(note);
        // Opened again, it adds nothing.
        expect(mergeEntries(entries, others).entries).toEqual(entries);
      }),
    );
  });

  it('has what is added after what precedes it in its own list', () => {
    const list = (...ids: string[]) => toEntries(ids.map((id) => ({ ...ITEM, id, path: `objects/${id}.html` })));
    expect(titlesOf(mergeEntries(list('a', 'b', 'c'), list('k', 'b', 'n', 'c', 'm')).entries)).toEqual([
      'a',
      'k',
      'b',
      'n',
      'c',
      'm',
    ]);
  });

  it('refuses what it has no space for', () => {
    const items = Array.from({ length: MAX_ITEMS }, (_, i) => ({ ...ITEM, id: `x-${i}` }));
    const own = toEntries(items);
    const note = 'n'.repeat(MAX_NOTE);
    const others = toEntries([{ ...ITEM, id: 'new' }, { ...ITEM, id: 'x-1', note }, { heading: 'New' }]);
    const first = mergeEntries(own, others);
    expect([first.entries.length, titlesOf(first.refused)]).toEqual([MAX_ITEMS, ['new', 'New']]);
    // Both notes would be too long.
    expect(titlesOf(mergeEntries(first.entries, toEntries([{ ...ITEM, id: 'x-1', note: 'other' }])).refused)).toEqual(['x-1']);
  });

  it('moves an entry by one place, and not beyond its ends', () => {
    fc.assert(
      fc.property(aList, fc.nat(), fc.constantFrom(1 as const, -1 as const), (list, n, step) => {
        fc.pre(list.length > 0);
        const at = n % list.length;
        const moved = [...list];
        const isMoved = moveEntry(moved, keyOf(list[at] as SavedEntry), step);
        expect(isMoved).toBe(list[at + step] !== undefined);
        expect(moved.indexOf(list[at] as SavedEntry)).toBe(isMoved ? at + step : at);
        expect([...moved.map(keyOf)].sort()).toEqual(list.map(keyOf).sort());
      }),
    );
  });
});
