/** Runs Pagefind's engine in a page that cannot fetch: its requests are served from packs, which the page reads. */
import { createInstance } from 'pagefind-of-the-index';
import { PACK_SCHEME } from '../../formats/search/pack-names.ts';
import type { Pagefind, ReadIndexFile } from './index-parts.ts';

declare global {
  /** Replaces `fetch` in the bundled engine. */
  var microficheFetch: (url: string) => Promise<Response>;
  interface Window {
    /** Starts the engine. */
    microfichePagefind?: (read: ReadIndexFile, options: Record<string, unknown>) => Pagefind;
  }
}

/** A request: the directory of a part, if not the first, and a path in it. Pagefind adds the time to the entry file's URL. */
const REQUEST = /^packs:\/(p\d+\/|delta\/)?([^?]*)/;

window.microfichePagefind = (read, options) => {
  globalThis.microficheFetch = async (url) => {
    const [, directory = '', path = ''] = REQUEST.exec(url) ?? [];
    return new Response(await read(directory, path));
  };
  return createInstance({ ...options, basePath: PACK_SCHEME, noWorker: true });
};
