/** Runs Pagefind's engine in a page that cannot fetch: its requests are served from packs, which script elements load. */
import { createInstance } from 'pagefind-of-the-index';
import { packForFile } from './pack-names.ts';
import { createPackReader } from './pack-reader.ts';
import type { Pagefind } from './search-engine.ts';

declare global {
  /** Replaces `fetch` in the bundled engine. */
  var microficheFetch: (url: string) => Promise<Response>;
  interface Window {
    /** Starts the engine. `directory` is the URL of the packs, with a trailing slash. */
    microfichePagefind?: (directory: string) => Pagefind;
  }
}

/** Marks the engine's requests. Not a URL of the network. */
const PACK_SCHEME = 'packs:/';

window.microfichePagefind = (directory) => {
  const read = createPackReader(directory, packForFile);
  globalThis.microficheFetch = async (url) => {
    const path = url.slice(PACK_SCHEME.length).replace(/\?.*$/, ''); // Pagefind requests the entry file with the time as its query
    return new Response(await read(path));
  };
  return createInstance({ basePath: PACK_SCHEME, noWorker: true });
};
