// The data of both Eleventy templates: the view models of Microfiche's own pages, from the same snapshot.
import { readCatalogue } from '../../../src/catalogue/catalogue.ts';
import { readEntryRecord } from '../../../src/catalogue/object-entries.ts';
import { createRelations } from '../../../src/catalogue/relations.ts';
import { relativeUrl } from '../../../src/catalogue/urls.ts';
import { createLocales } from '../../../src/site/language/locale.ts';
import { createObjectView, objectContext } from '../../../src/site/views/object.ts';
import { openSnapshot } from '../../../src/snapshot/store.ts';

const store = openSnapshot(process.env.BENCH_SNAPSHOT);
const catalogue = readCatalogue(store);
const relations = createRelations(catalogue);
const [locale] = createLocales(['en']);
const site = {
  ...catalogue,
  relations,
  images: {},
  copiedFiles: {},
  kiosk: undefined,
  baseUrls: { authors: catalogue.facts.authorsUrl, catalog: catalogue.facts.catalogUrl },
  locale,
  siteUrl: undefined,
};

export const facts = catalogue.facts;
export const ids = catalogue.objects.map(({ id }) => id);
export { relativeUrl };

export function viewOf(id) {
  const entry = relations.object(id);
  const { record, stored } = readEntryRecord(entry, store);
  return createObjectView(record, stored?.fetchedAt, objectContext(entry, 1, site), site);
}
