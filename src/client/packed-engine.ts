/** Runs Pagefind's engine in a page that cannot fetch: its requests are served from packs, which script elements load. */
import { createInstance } from 'pagefind-of-the-index';
import type { Pagefind } from './index-parts.ts';
import { PACK_SCHEME, packForFile } from './pack-names.ts';
import { createPackReader, type ReadEntry } from './pack-reader.ts';

declare global {
  /** Replaces `fetch` in the bundled engine. */
  var microficheFetch: (url: string) => Promise<Response>;
  interface Window {
    /** Starts the engine. `directory` is the URL of the packs, with a trailing slash. */
    microfichePagefind?: (directory: string) => Pagefind;
  }
}

/** A request: the directory of a part, if it is not the first, and a path in it. Pagefind adds the time to the address of the entry file. */
const REQUEST = /^packs:\/(p\d+\/|delta\/)?([^?]*)/;

window.microfichePagefind = (directory) => {
  const readers = new Map<string, ReadEntry>();
  globalThis.microficheFetch = async (url) => {
    const [, part = '', path = ''] = REQUEST.exec(url) ?? [];
    const read = readers.get(part) ?? createPackReader(`${directory}${part}`, packForFile);
    readers.set(part, read);
    return new Response(await read(path));
  };
  return createInstance({ basePath: PACK_SCHEME, noWorker: true });
};
