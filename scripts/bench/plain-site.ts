/** A site without images and files, from a snapshot, for the page benchmark and for tests of single pages. */
import { readCatalogue } from '../../src/catalogue/catalogue.ts';
import { createRelations } from '../../src/catalogue/relations.ts';
import { lookupIn } from '../../src/platform/lookup.ts';
import { createContentReader } from '../../src/site/content.ts';
import type { Language } from '../../src/site/language/locale.ts';
import { createSites } from '../../src/site/site.ts';
import type { Store } from '../../src/snapshot/store.ts';

/** Returns the site of a snapshot, from which its pages are rendered. */
export function plainSite(store: Store, languages: readonly Language[] = ['en']) {
  const catalogue = readCatalogue(store);
  const relations = createRelations(catalogue);
  const sites = createSites({
    ...{ catalogue, relations, languages, images: lookupIn({}), tiles: lookupIn({}), copiedFiles: lookupIn({}) },
    ...{ kiosk: undefined, searchForms: { index: true, packs: true }, compact: false, siteUrl: undefined, archiveLanguage: 'en' },
  });
  return { catalogue, relations, sites, content: createContentReader(store, { relations, copiedFiles: lookupIn({}) }) };
}
