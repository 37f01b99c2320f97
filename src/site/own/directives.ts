/** Directives: what sets records into a text, such as `::image[The quay]{id=demo-org-1-2}`. */
import { readTime } from '../../formats/moments.ts';
import { FACETS, type Facet } from '../../model/facets.ts';
import { isObjectId } from '../../model/ids.ts';
import { findNearestName } from '../../model/text/nearest-name.ts';

/** A query for records: all conditions apply. */
export interface RecordQuery {
  /** ID. */
  collection: string | undefined;
  /** Slugs or labels of facet values. */
  facets: ReadonlyArray<readonly [facet: Facet, value: string]>;
  /** Words of titles. */
  words: string | undefined;
  limit: number;
}

/** What a directive sets into a text. */
export type Embed =
  | { kind: 'image'; id: string }
  /** `at` is in seconds. */
  | { kind: 'player'; id: string; at: number | undefined }
  | { kind: 'document'; id: string; page: number }
  | { kind: 'map' | 'timeline'; collection: string | undefined }
  | { kind: 'list'; ids: readonly string[] }
  | { kind: 'query'; query: RecordQuery }
  /** An image beside the text. */
  | { kind: 'image-file'; src: string; alt: string };

/** A directive as it is written. */
export interface WrittenDirective {
  name: string;
  attributes: Readonly<Record<string, string | null | undefined>>;
}

/** The attributes of each directive. */
const ATTRIBUTES = {
  image: ['id'],
  player: ['id', 'at'],
  document: ['id', 'page'],
  map: ['collection'],
  timeline: ['collection'],
  grid: ['ids', 'collection', 'q', 'limit', ...FACETS],
} as const satisfies Record<string, readonly string[]>;
type DirectiveName = keyof typeof ATTRIBUTES;

/** Records that a grid shows unless it says otherwise, and at most. */
const USUAL_LIMIT = 12;
const MAX_LIMIT = 60;
const MAX_PAGE = 100_000;

/** Returns what a directive means, or what is wrong with it: a clause. */
export function parseDirective({ name, attributes }: WrittenDirective): Embed | { problem: string } {
  if (!isDirective(name))
    return { problem: `the directive "${name}" does not exist${suggestion(name, Object.keys(ATTRIBUTES))}` };
  const known: readonly string[] = ATTRIBUTES[name];
  const unknown = Object.keys(attributes).find((attribute) => !known.includes(attribute));
  if (unknown !== undefined) return { problem: `::${name} has no attribute "${unknown}"${suggestion(unknown, known)}` };
  const values = new Map(Object.entries(attributes).map(([attribute, value]) => [attribute, (value ?? '').trim()]));
  for (const [attribute, value] of values) if (value === '') return { problem: `"${attribute}" of ::${name} is empty` };
  return name === 'grid' ? parseGrid(values) : parseSimple(name, values);
}

/** Whether what an embed shows depends on the entire archive. */
export const isOfArchive = ({ kind }: Embed): boolean => kind === 'map' || kind === 'timeline' || kind === 'query';

/** Whether a directive has this name. */
export const isDirective = (name: string): name is DirectiveName => Object.hasOwn(ATTRIBUTES, name);

type Values = ReadonlyMap<string, string>;

function parseSimple(name: Exclude<DirectiveName, 'grid'>, values: Values): Embed | { problem: string } {
  const collection = values.get('collection');
  if (collection !== undefined && !isObjectId(collection)) return notAnId('collection', collection);
  if (name === 'map' || name === 'timeline') return { kind: name, collection };
  const id = values.get('id');
  if (id === undefined) return { problem: `::${name} needs the ID of a record, as in ::${name}{id=demo-org-1-2}` };
  if (!isObjectId(id)) return notAnId('id', id);
  if (name === 'image') return { kind: name, id };
  if (name === 'player') {
    const typed = values.get('at');
    const at = typed === undefined ? undefined : readTime(typed);
    if (typed !== undefined && at === undefined)
      return { problem: `"at" must be a moment such as 0:35 or 1:02:03, not "${typed}"` };
    return { kind: name, id, at };
  }
  const page = readCount(values.get('page') ?? '1', MAX_PAGE);
  return page === undefined
    ? { problem: `"page" must be the number of a page, from 1, not "${values.get('page')}"` }
    : { kind: name, id, page };
}

function parseGrid(values: Values): Embed | { problem: string } {
  const listed = values.get('ids');
  if (listed !== undefined) {
    const other = [...values.keys()].find((name) => name !== 'ids');
    if (other !== undefined) return { problem: `::grid has either "ids" or a query: leave out "${other}"` };
    const ids = [...new Set(listed.split(/[\s,]+/).filter(Boolean))];
    if (ids.length === 0)
      return { problem: '"ids" has no ID of a record: write some, as in ::grid{ids="demo-org-1-2 demo-org-1-3"}' };
    const wrong = ids.find((id) => !isObjectId(id));
    if (wrong !== undefined) return notAnId('ids', wrong);
    return ids.length > MAX_LIMIT ? { problem: `::grid can show at most ${MAX_LIMIT} records` } : { kind: 'list', ids };
  }
  const [collection, words] = [values.get('collection'), values.get('q')];
  if (collection !== undefined && !isObjectId(collection)) return notAnId('collection', collection);
  const limit = readCount(values.get('limit') ?? String(USUAL_LIMIT), MAX_LIMIT);
  if (limit === undefined) return { problem: `"limit" must be a number from 1 to ${MAX_LIMIT}, not "${values.get('limit')}"` };
  const facets = FACETS.flatMap((facet) => {
    const value = values.get(facet);
    return value === undefined ? [] : [[facet, value] as const];
  });
  if (collection === undefined && words === undefined && facets.length === 0)
    return { problem: '::grid needs "ids", or a query such as ::grid{collection=demo-org-1 topic=ferries}' };
  return { kind: 'query', query: { collection, facets, words, limit } };
}

function readCount(text: string, max: number): number | undefined {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= max ? count : undefined;
}

function notAnId(attribute: string, value: string): { problem: string } {
  return { problem: `"${attribute}" must have IDs of records such as demo-org-1-2, not "${value}"` };
}

/** Returns the end of a sentence about a name that does not exist. */
function suggestion(name: string, known: readonly string[]): string {
  const nearest = findNearestName(name, known);
  return nearest === undefined ? `. Known: ${known.join(', ')}` : `. Did you mean "${nearest}"?`;
}
