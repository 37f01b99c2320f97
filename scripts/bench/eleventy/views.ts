/** What the Eleventy template gets: the view models of Microfiche's own pages, from the same snapshot. */
import type { ObjectEntry } from '../../../src/catalogue/entries.ts';
import type { Site } from '../../../src/site/site.ts';
import { createObjectView, type ObjectView } from '../../../src/site/views/object.ts';
import { createObjectContext } from '../../../src/site/views/object-context.ts';
import { openSnapshot } from '../../../src/snapshot/store.ts';
import { plainSite } from '../plain-site.ts';

const { catalogue, relations, sites, content } = plainSite(openSnapshot(process.env['BENCH_SNAPSHOT'] as string));
const [site] = sites as [Site];

/** What the pages say about the site as a whole. */
export const { facts } = site;

/** Returns the view model of a record's page. */
export function viewOf(id: string): ObjectView {
  const entry = relations.entry(id) as ObjectEntry;
  return createObjectView(content.object(entry, 1), createObjectContext(entry, 1, site), site);
}

/** The IDs of all records. */
export const ids = catalogue.objects.ids();
