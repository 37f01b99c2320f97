// Eleventy's side of the bench: one page an object, from the same snapshot and the same view models, by Eleventy's fastest kind of template.
import { readCatalogue } from '../../../src/site/catalogue.ts';
import { createRelations } from '../../../src/site/relations.ts';
import { recordOf } from '../../../src/site/site.ts';
import { objectContext, objectView } from '../../../src/site/views/object.ts';
import { openSnapshot } from '../../../src/snapshot/store.ts';
import { objectHtml } from './page.ts';

const store = openSnapshot(process.env.BENCH_SNAPSHOT);
const catalogue = readCatalogue(store);
const { facts, objects } = catalogue;
const relations = createRelations(catalogue);
const bases = { authors: facts.authorsUrl, catalog: facts.catalogUrl };

export const data = {
  entries: objects.map(({ id }) => id),
  pagination: { data: 'entries', size: 1, alias: 'id' },
  permalink: ({ id }) => `objects/${id}.html`,
};

export function render({ id }) {
  const entry = relations.object(id);
  const { record, stored } = recordOf(entry, store);
  return objectHtml(objectView(record, stored?.fetchedAt, objectContext(entry, 1, relations, {}), bases), facts);
}
