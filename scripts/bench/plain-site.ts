/** A site without images and files, from a snapshot, for the benchmark of record pages and for tests of single pages. */
import { createSite, type SiteSource } from '../../src/build/pages/site-source.ts';
import { readCatalogueInto } from '../../src/catalogue/catalogue.ts';
import { openForWriting } from '../../src/catalogue/catalogue-file.ts';
import { createRecorder } from '../../src/catalogue/dependencies/read-keys.ts';
import { NOTHING_WITHHELD } from '../../src/catalogue/read/withholding.ts';
import type { Language } from '../../src/site/language/locale.ts';
import type { Store } from '../../src/snapshot/store.ts';

/** Returns the site of a snapshot, from which its pages are rendered. Threads can open it if `catalogueFile` is a path. */
export function plainSite(store: Store, languages: readonly Language[] = ['en'], catalogueFile = ':memory:') {
  const db = openForWriting(catalogueFile);
  const { catalogue } = readCatalogueInto(db, store);
  const { facts, withdrawn, authors, articles } = catalogue;
  const source: SiteSource = {
    snapshot: store.dir,
    catalogueFile,
    catalogue: { facts, withdrawn, authors, articles },
    visible: { withholding: NOTHING_WITHHELD },
    settings: {
      languages,
      archiveLanguage: 'en',
      featured: [],
      kiosk: undefined,
      search: true,
      compact: false,
      siteUrl: undefined,
    },
  };
  const recorder = createRecorder();
  return { catalogue, source, recorder, ...createSite(db, store, source, recorder.onRead) };
}
