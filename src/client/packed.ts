/** Runs Pagefind's engine in a page that cannot fetch: its requests are served from packs, which script elements load. */
import { createInstance } from 'pagefind-of-the-index';
import type { Pagefind } from './engine.ts';
import { packOf } from './pack-names.ts';
import { createPackReader } from './pack-reader.ts';

declare global {
  /** Replaces `fetch` in the bundled engine. */
  var microficheFetch: (url: string) => Promise<Response>;
  interface Window {
    /** Starts the engine. `folder` is the URL of the packs. */
    microfichePagefind?: (folder: string) => Pagefind;
  }
}

/** Marks the engine's requests. Not a URL of the network. */
const SCHEME = 'packs:/';

window.microfichePagefind = (folder) => {
  const read = createPackReader(folder, packOf);
  globalThis.microficheFetch = async (url) => {
    const path = url.slice(SCHEME.length).replace(/\?.*$/, ''); // Pagefind requests the entry file with the time as its query
    return new Response(await read(path));
  };
  return createInstance({ basePath: SCHEME, noWorker: true });
};
