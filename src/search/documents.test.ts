import { createIndex } from 'pagefind';
import { expect, it } from 'vitest';
import { indexable, type SearchDocument } from './documents.ts';

const document = (url: string, words: string): SearchDocument => ({
  url,
  content: words,
  language: 'en',
  meta: { title: words, spoken: words },
  filters: { model: ['entity'], topic: [words] },
  sort: { title: words },
});

it('D11: what would end Pagefind’s process is taken out of a document', async () => {
  const { index } = await createIndex({ forceLanguage: 'en' });
  const nasty = ['half \ud83d a pair', '\udc00', 'a\u0000b', '\uffff', 'x'.repeat(3_000_000), '', '\u202e'];
  for (const [i, words] of nasty.entries()) {
    const made = indexable(document(`objects/${i}.html`, words));
    expect(JSON.stringify(made).isWellFormed() && made.content.isWellFormed()).toBe(true);
    expect(await index?.addCustomRecord(made)).toMatchObject({ errors: [] });
  }
  expect((await index?.getFiles())?.errors).toEqual([]);
  await index?.deleteIndex();
}, 60_000);
