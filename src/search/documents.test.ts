import { expect, it } from 'vitest';
import { createTestDirectory } from '../../tests/support/commands.ts';
import { toReads } from '../catalogue/dependencies/stored-reads.ts';
import type { ArticleEntry, AuthorEntry } from '../catalogue/entries.ts';
import { splitWords } from '../formats/search/searchable-text.ts';
import { encodeHidden, encodeKey, isHiddenCode, isKeyCode } from '../formats/search/word-codes.ts';
import { readSource, type Source } from '../model/guide/guide.ts';
import { createLocales, type Locale } from '../site/language/locale.ts';
import { articleDocument, authorDocument, type SearchDocument, searchedTexts } from './documents.ts';
import { limitDocument, toIndexable } from './indexable.ts';
import { startPagefind } from './pagefind-process.ts';
import { prepareDocument } from './prepare-document.ts';

const document = (url: string, text: string): SearchDocument => ({
  url,
  shown: {
    title: text,
    kind: 'entity',
    image: 'assets/no-picture-entity.svg',
    description: text,
    spoken: text,
    fields: [['topics', text]],
  },
  hidden: text,
  keys: [['title', text]],
  filters: { model: ['entity'], topic: [text] },
  sort: { title: text },
});

it('limitDocument removes characters that would end Pagefind’s process', async () => {
  const pagefind = await startPagefind('unknown');
  const texts = [
    'half \ud83d a pair',
    '\udc00',
    'a\u0000b',
    '\uffff',
    'x'.repeat(3_000_000),
    'xy '.repeat(1_500_000),
    '',
    '\u202e',
    '字'.repeat(900_000),
  ];
  for (const [i, text] of texts.entries()) {
    const limited = limitDocument(document(`objects/${i}.html`, text));
    expect(JSON.stringify(limited).isWellFormed() && limited.shown.title.isWellFormed()).toBe(true);
    const { document: safe } = toIndexable(limited);
    expect(safe.content).toMatch(/^[a-z0-9 ]*$/);
    expect(await pagefind.add({ ...safe, language: 'unknown' })).toBeUndefined();
  }
  await pagefind.write(createTestDirectory());
  pagefind.close();
}); // Pagefind reads megabytes of words, for minutes if other tests run

it('limits what results show, and leaves out nothing', () => {
  const own = document('objects/a.html', 'Nets');
  const shown = { ...own.shown, date: '1943', parent: 'Interview', collection: 'Photographs', body: 'b', spoken: 's', langs: {} };
  expect(limitDocument({ ...own, shown }).shown).toEqual(shown);
});

it('finds guide pages by the words of all their texts and facts, without what is hidden', () => {
  const payload = {
    title: 'Quay',
    description: 'Short',
    body: '<p hidden>secret</p><p>Stones</p>',
    footnotes: '<li>Logbook</li>',
    timeline: '<p>Storm</p>',
    rg_theme: ['Weather'],
  };
  const image = { image: { path: 'x.png', width: 1, height: 1 }, labels: [] };
  const entry = { title: 'Quay', slug: 'quay', titleSort: 'quay' } as ArticleEntry;
  const texts = searchedTexts(
    articleDocument(entry, payload, { authorNames: [], sources: [] }, image, createLocales(['en'])[0] as Locale),
  ).join(' ');
  expect(['Stones', 'Logbook', 'Storm', 'Weather', 'secret'].filter((word) => texts.includes(word))).toEqual([
    'Stones',
    'Logbook',
    'Storm',
    'Weather',
  ]);
});

it('searches what the sources of a guide page show and say', () => {
  const image = { image: { path: 'x.png', width: 1, height: 1 }, labels: [] };
  const entry = { title: 'Quay', slug: 'quay', titleSort: 'quay' } as ArticleEntry;
  const source = readSource({ id: 's-1', caption: 'A <em>brass</em> band', transcript: '<p>We played.</p>' }) as Source;
  const context = { authorNames: [], sources: [source] };
  const found = articleDocument(entry, { title: 'Quay' }, context, image, createLocales(['en'])[0] as Locale);
  expect(found.shown.fields).toEqual([
    ['sources', 'A brass band'],
    ['sources', 'We played.'],
  ]);
});

it('sorts results by title with numbers by value', () => {
  const image = { path: 'x.png', width: 1, height: 1 };
  const titles = ['View 17', 'View 1', 'View 25', 'View 9'];
  const documents = titles.map((title) =>
    authorDocument({ name: title, title, slug: title, titleSort: title } as AuthorEntry, {}, image, `people/${title}.html`),
  );
  const byTitle = documents.sort((a, b) => ((a.sort['title'] ?? '') < (b.sort['title'] ?? '') ? -1 : 1));
  expect(byTitle.map(({ shown }) => shown.title)).toEqual(['View 1', 'View 9', 'View 17', 'View 25']);
});

it('indexes titles, texts and fields, and neither image paths nor kinds', () => {
  const own = document('objects/a.html', 'Women’s work');
  const { words, document: indexed } = toIndexable({ ...own, hidden: 'zulu work' });
  expect([...words].sort()).toEqual(['womens', 'work']);
  expect(indexed.content.split(' ').filter(isHiddenCode)).toEqual([encodeHidden('zulu')]);
  expect(searchedTexts(own).flatMap(splitWords)).not.toContain('no');
});

it('gives Pagefind codes instead of texts, and marks hidden words', () => {
  const { document: indexed } = toIndexable({ ...document('objects/a.html', 'Nets'), hidden: 'zulu yankee whisky' });
  expect(indexed.content).toContain('netsq0');
  for (const word of ['zulu', 'yankee', 'whisky']) expect(indexed.content).toContain(encodeHidden(word));
  expect(JSON.stringify(indexed)).not.toMatch(/\b(?:zulu|yankee|whisky)(?!q6q0)/);
});

it('gives the codes of keys to the index, not to Pagefind', () => {
  const { document: indexed, keys } = toIndexable({
    ...document('objects/a.html', 'Nets'),
    keys: [
      ['id', 'a-1'],
      ['title', '…'],
    ],
  });
  expect(keys).toEqual([encodeKey('id', 'a-1')]);
  expect(indexed.content.split(' ').filter(isKeyCode)).toEqual([]);
});

it('changes the hash of a document with what results show, and with its keys', () => {
  const hashOf = (own: SearchDocument) => prepareDocument(own, toReads(new Set())).row.hash;
  const own = document('objects/a.html', 'Nets');
  expect(hashOf({ ...own })).toBe(hashOf(own));
  expect(hashOf({ ...own, shown: { ...own.shown, image: 'thumbs/b.webp' } })).not.toBe(hashOf(own));
  expect(hashOf({ ...own, keys: [['id', 'a-1']] })).not.toBe(hashOf(own));
});
