/** Indexes documents with Pagefind and searches them with its own engine, which sites do not have, to compare results with it. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { IndexableDocument } from '../../src/search/indexable.ts';
import { startPagefind } from '../../src/search/pagefind-process.ts';
import { startStaticHost } from './static-host.ts';

/** The part of Pagefind's API that is used here. */
interface Pagefind {
  options(options: { ranking: object }): Promise<void>;
  search(words: string): Promise<{ results: Array<{ id: string; data(): Promise<{ raw_url: string }> }> }>;
}

/** An index of Pagefind and its engine. */
export interface PagefindEngine {
  /** Returns the URLs of the documents with all codes. Each must be of a word of the index. */
  search(codes: readonly string[]): Promise<Set<string>>;
  stop(): Promise<void>;
}

/** Indexes documents in a directory as parts of a search index are, and opens the index over HTTP. */
export async function openPagefindEngine(directory: string, documents: readonly IndexableDocument[]): Promise<PagefindEngine> {
  const writer = await startPagefind('p0');
  for (const document of documents) await writer.add({ ...document, language: 'p0' });
  await writer.write(directory);
  writer.close();
  const host = await startStaticHost(directory);
  const { createInstance } = (await import(pathToFileURL(join(directory, 'pagefind.js')).href)) as {
    createInstance(options: object): Pagefind;
  };
  const pagefind = createInstance({ basePath: `${host.url}/`, noWorker: true });
  await pagefind.options({ ranking: {} });
  const urls = new Map<string, string>();
  return {
    async search(codes) {
      const { results } = await pagefind.search(codes.join(' '));
      for (const { id, data } of results) if (!urls.has(id)) urls.set(id, (await data()).raw_url);
      return new Set(results.map(({ id }) => urls.get(id) as string));
    },
    stop: host.stop,
  };
}
