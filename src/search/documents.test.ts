import { createIndex } from 'pagefind';
import { expect, it } from 'vitest';
import type { AuthorEntry } from '../catalogue/entries.ts';
import { authorDocument, type SearchDocument, toIndexable } from './documents.ts';

const document = (url: string, text: string): SearchDocument => ({
  url,
  content: text,
  language: 'en',
  meta: { title: text, spoken: text },
  filters: { model: ['entity'], topic: [text] },
  sort: { title: text },
});

it('D11: toIndexable removes characters that would end Pagefind’s process', async () => {
  const { index } = await createIndex({ forceLanguage: 'en' });
  const texts = ['half \ud83d a pair', '\udc00', 'a\u0000b', '\uffff', 'x'.repeat(3_000_000), '', '\u202e'];
  for (const [i, text] of texts.entries()) {
    const safe = toIndexable(document(`objects/${i}.html`, text));
    expect(JSON.stringify(safe).isWellFormed() && safe.content.isWellFormed()).toBe(true);
    expect(await index?.addCustomRecord(safe)).toMatchObject({ errors: [] });
  }
  expect((await index?.getFiles())?.errors).toEqual([]);
  await index?.deleteIndex();
}, 60_000);

it('sorts results by title with numbers by value', () => {
  const image = { path: 'x.png', width: 1, height: 1 };
  const titles = ['View 17', 'View 1', 'View 25', 'View 9'];
  const documents = titles.map((title) =>
    authorDocument({ name: title, title, slug: title, titleSort: title } as AuthorEntry, {}, image),
  );
  const byTitle = documents.sort((a, b) => ((a.sort['title'] ?? '') < (b.sort['title'] ?? '') ? -1 : 1));
  expect(byTitle.map(({ meta }) => meta['title'])).toEqual(['View 1', 'View 9', 'View 17', 'View 25']);
});
