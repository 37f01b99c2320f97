/** What both Eleventy templates get: the view models of Microfiche's own pages, from the same snapshot, and the same texts. */
import type { ObjectEntry } from '../../../src/catalogue/entries.ts';
import { contentsPath, objectPath, relativeUrl } from '../../../src/catalogue/urls.ts';
import { MAX_QUERY_LENGTH } from '../../../src/model/limits.ts';
import { en } from '../../../src/site/language/en.ts';
import { escapeScriptJson } from '../../../src/site/sanitize.ts';
import type { Site } from '../../../src/site/site.ts';
import { createObjectView, type ObjectView } from '../../../src/site/views/object.ts';
import { createObjectContext } from '../../../src/site/views/object-context.ts';
import { openSnapshot } from '../../../src/snapshot/store.ts';
import { plainSite } from '../plain-site.ts';
import { contentsTitle, isAboveItems, leading, NAVIGATION, POLICY, pageNumbers, rest } from './page.ts';

const { catalogue, relations, sites, content } = plainSite(openSnapshot(process.env['BENCH_SNAPSHOT'] as string));
const [site] = sites as [Site];

/** What the pages say about the site as a whole. */
export const { facts } = site;

/** Returns the view model of a record's page. */
export function viewOf(id: string): ObjectView {
  const entry = relations.entry(id) as ObjectEntry;
  return createObjectView(content.object(entry, 1), createObjectContext(entry, 1, site), site);
}

/** Data of the templates, by name. `t` is the dictionary. */
export const GLOBALS = {
  entries: catalogue.objects.ids(),
  facts,
  maxQueryLength: MAX_QUERY_LENGTH,
  navigation: NAVIGATION,
  policy: POLICY,
  t: en,
};

/** Filters of the Nunjucks templates, by name. */
export const FILTERS = {
  contentsPath: (id: string) => contentsPath(id),
  contentsTitle,
  hasTerms: ({ metadata }: ObjectView) => metadata.dublinCore.some(([, , scheme]) => scheme),
  isAboveItems,
  jsonLd: ({ metadata }: ObjectView) => escapeScriptJson(metadata.jsonLd),
  lead: leading,
  objectPath,
  pageNumbers,
  rest,
  to: relativeUrl,
  view: viewOf,
};
