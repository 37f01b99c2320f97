// Eleventy's side of the bench: one page an object, from the same snapshot and the same view models, by Eleventy's fastest kind of template.
import { readCatalogue } from '../../../src/site/catalogue.ts';
import { createRelations } from '../../../src/site/relations.ts';
import { bases, recordOf, store } from '../../../src/site/source.ts';
import { objectContext, objectView } from '../../../src/site/views/object.ts';
import { objectHtml } from './page.ts';

const { facts, objects, authors, articles } = readCatalogue(store());
const relations = createRelations(objects, authors, articles);

export const data = {
  entries: objects.map(({ id }) => id),
  pagination: { data: 'entries', size: 1, alias: 'id' },
  permalink: ({ id }) => `objects/${id}.html`,
};

export function render({ id }) {
  const entry = relations.object(id);
  const { record, stored } = recordOf(entry);
  return objectHtml(objectView(record, stored?.fetchedAt, objectContext(entry, 1, relations, {}), bases()), facts);
}
