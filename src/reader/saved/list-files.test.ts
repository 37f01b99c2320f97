import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatListFile, readListFile } from './list-files.ts';
import { toEntries } from './saved-list.ts';

const ARCHIVE = { title: 'Lantern Islands', url: 'https://archive.demo.example' };
const ITEM = {
  ...{ id: 'a-1', path: 'objects/a-1.html', title: 'Nets', kind: 'Photograph', date: '1942', collection: 'Harbor' },
  ...{ image: 'thumbs/a.webp', at: '#t=83,97', note: 'Who?\nAsk Hugo.', citations: {} },
};
const read = (content: object) => readListFile(JSON.stringify(content), ARCHIVE);
const FILE = { format: 'microfiche-saved-items', version: 1, archive: ARCHIVE, entries: [{ heading: 'Boats' }, ITEM] };

describe('a file of saved items', () => {
  it('has what the reader wrote, in its order, and names the records', () => {
    const list = toEntries([{ heading: 'Boats' }, ITEM, { ...ITEM, at: undefined, note: '' }]);
    const opened = readListFile(formatListFile(list, ARCHIVE), ARCHIVE);
    expect(opened).toEqual([{ heading: 'Boats', key: expect.any(String) as unknown }, ...list.slice(1)]);
  });

  it('keeps any note and heading as they are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const list = toEntries([
          { ...ITEM, note: text },
          { heading: text, key: '#a' },
        ]);
        const opened = readListFile(formatListFile(list, ARCHIVE), ARCHIVE);
        expect(opened).toEqual([list[0], { heading: text, key: expect.any(String) as unknown }]);
      }),
    );
  });

  it('says nothing of records but what names them: the rest is known from the copy', () => {
    const claims = {
      rights: 'Free',
      creator: 'Me',
      citations: { RIS: 'TY  - X' },
      source: 'https://x.example/',
      cited: { type: 'ART' },
    };
    const list = toEntries([{ ...ITEM, ...claims }]);
    expect(formatListFile(list, ARCHIVE)).not.toMatch(/Free|TY {2}|x\.example/);
    expect(read({ ...FILE, entries: [{ ...ITEM, ...claims }] })).toEqual([ITEM]);
  });

  it('is that of the same archive under another address or title', () => {
    for (const archive of [
      { ...ARCHIVE, url: 'https://new.example' },
      { ...ARCHIVE, title: 'New' },
    ])
      expect(read({ ...FILE, archive })).toHaveLength(2);
  });

  it.each([
    [{ title: 'Another', url: 'https://x.example' }, 'Another'],
    [{ url: 'https://x.example' }, 'https://x.example'],
    [undefined, ''],
  ])('is not opened if it is of another archive: %j', (archive, expected) => expect(read({ ...FILE, archive })).toBe(expected));

  it.each([
    ['no JSON', 'x'],
    ['nothing', ''],
    ['a list', '[]'],
    ['null', 'null'],
    ['another format', JSON.stringify({ ...FILE, format: 'microfiche-contribution' })],
    ['a later version', JSON.stringify({ ...FILE, version: 2 })],
    ['no list of entries', JSON.stringify({ ...FILE, entries: {} })],
  ])('is not opened if it is %s', (_, text) => expect(readListFile(text, ARCHIVE)).toBeUndefined());

  it('has no entry that leads elsewhere, for any entries', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.anything(), fc.record({ id: fc.string(), path: fc.webPath(), at: fc.webFragments() }))),
        (entries) => {
          const opened = read({ ...FILE, entries });
          for (const entry of Array.isArray(opened) ? opened : [])
            if ('path' in entry)
              expect(`${entry.path}${entry.at ?? ''}`).toMatch(/^objects\/[\p{L}\p{N}._~-]+\.html(?:#t=[\d.,]+)?$/u);
        },
      ),
    );
  });
});
