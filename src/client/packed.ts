/** Pagefind's own engine in a page that cannot fetch: what it asks for is answered from packs, which script tags load. */
import { createInstance } from 'pagefind-of-the-index';
import type { Pagefind } from './engine.ts';
import { packOf } from './pack-names.ts';
import { createPackReader } from './pack-reader.ts';

declare global {
  /** Where the engine's `fetch` leads, once it is bundled. */
  var microficheFetch: (address: string) => Promise<Response>;
  interface Window {
    /** Starts the engine; `folder` is the address of the packs. */
    microfichePagefind?: (folder: string) => Pagefind;
  }
}

/** Not an address of the network: it only tells the engine's questions from others. */
const SCHEME = 'packs:/';

window.microfichePagefind = (folder) => {
  const read = createPackReader(folder, packOf);
  globalThis.microficheFetch = async (address) => {
    const path = address.slice(SCHEME.length).replace(/\?.*$/, ''); // the entry file is asked for with the time behind it
    return new Response(await read(path));
  };
  return createInstance({ basePath: SCHEME, noWorker: true });
};
