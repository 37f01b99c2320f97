/** Loads what every search needs, once: the index, the kinds of documents and what they belong to. */
import { cached } from '../../formats/cached.ts';
import { type Column, FACETS_DIRECTORY } from '../../formats/search/facet-table.ts';
import { INDEX_DIRECTORY } from '../../formats/search/start-file.ts';
import { readVocabulary, WORDS_DIRECTORY, WORDS_ENTRY } from '../../formats/search/vocabulary.ts';
import { loadContent, loadPack, loadPackTexts } from '../browser/pack-reader.ts';
import type { Spelling } from './corrections.ts';
import { createFacetStore } from './facet-store.ts';
import { openIndex } from './open-index.ts';
import type * as spelling from './spelling.ts';

/** What searches need. */
export type Engine = Awaited<ReturnType<typeof loadEngine>>;

/** What is known of each document. */
export type Documents = Awaited<ReturnType<Engine['documents']>>;

let engine: Promise<Engine> | undefined;

async function loadEngine(root: string) {
  const assets = new URL(`${root}assets/`, document.baseURI).href;
  const facets = createFacetStore((pack) => loadPack(`${assets}${FACETS_DIRECTORY}/${pack}.js`));
  const index = await openIndex(`${assets}${INDEX_DIRECTORY}/`);
  const loadSpelling = cached(1, async (): Promise<Spelling> => {
    const words = loadPackTexts(`${assets}${WORDS_DIRECTORY}/`, WORDS_ENTRY);
    const [{ ranges, loadText }, found] = await Promise.all([words, loadContent(`${assets}spelling.js`)]);
    return { ...(found as typeof spelling), all: await readVocabulary(ranges, loadText) };
  });
  const documents = cached(1, async () => {
    const [columns, parentOf] = await Promise.all([facets.columns(['model']), facets.parents()]);
    const kinds = columns.get('model') as Column;
    // Only the files of the index are named by their content: a cache may have others of an earlier build.
    if (kinds.offsets.length !== index.total + 1) throw new Error('The search index is not of the same build as its tables.');
    return { kinds, parentOf };
  });
  return { ...index, loadSpelling: () => loadSpelling(''), facets, documents: () => documents('') };
}

/** Runs an action with the engine, loaded when first needed. If the action fails, the next one loads the engine again. */
export async function withEngine<T>(root: string, action: (engine: Engine) => Promise<T>): Promise<T> {
  engine ??= loadEngine(root);
  const current = engine;
  try {
    return await action(await current);
  } catch (error) {
    if (engine === current) engine = undefined;
    throw error;
  }
}
