/** How much each way into the archive found: read off the snapshot when a harvest with --discover has ended, from what every body leads to. */
import { type Bases, INDEX_KINDS, keyOf, RECORD_KINDS, type Resource, urlOf } from '../model/resources.ts';
import { bodyByKey, parseBody } from '../snapshot/read.ts';
import { blob, integer, isResourceKind, RESOURCE, readInteger, resourceRow, text } from '../snapshot/rows.ts';
import { type Store, statement } from '../snapshot/store.ts';
import { listsOfLost } from './ask.ts';
import { INDEX, readIndex } from './discover.ts';
import { follow } from './follow.ts';

/** One way in: `authors`, `roots`, `repository`, `narrators`, `facets`. */
export interface Way {
  way: string;
  /** Authors, articles, sources and archival records that it leads to, directly or through others. */
  records: number;
  /** Those of them that no other way leads to. */
  only: number;
}

export interface Discovery {
  ways: Way[];
  /** What the index leads to and did not answer, the same kind of list once; `lists` is how many of them. */
  unanswered: Array<{ url: string; cause: string; lists: number }>;
  /** Addresses in the index that lead out of the catalog's API. They were not asked. */
  refused: string[];
}

/** What a harvest's own seeds and the catalog's index have led to. Costs a reading of every body, and some hundred bytes of memory a resource. */
export function discoveryOf(store: Store, run: number, bases: Bases, roots: readonly Resource[]): Discovery {
  const stored = bodyByKey(store, keyOf(INDEX));
  const index = stored && readIndex(parseBody(stored), bases);
  const seeds: Array<[way: string, keys: string[]]> = [
    ['authors', ['authors:']],
    ...(roots.length > 0 ? [['roots', roots.map(nodeOf)] as [string, string[]]] : []),
    ...(index?.ways ?? []).map(({ way, leads }): [string, string[]] => [way, leads.map(nodeOf)]),
  ];
  return {
    ways: waysFrom(seeds, graphOf(store, run, bases)),
    unanswered: unanswered(store, run, bases),
    refused: index?.refused ?? [],
  };
}

/** The pages of a list are one node: what names the first page leads to all. */
function nodeOf({ kind, name }: Resource): string {
  return keyOf({ kind, name });
}

interface Graph {
  number: ReadonlyMap<string, number>;
  /** By number: where each node leads to. */
  next: number[][];
  isRecord: boolean[];
}

const RECORDS: ReadonlySet<string> = new Set(RECORD_KINDS);

function graphOf(store: Store, run: number, bases: Bases): Graph {
  const number = new Map<string, number>();
  const graph: Graph = { number, next: [], isRecord: [] };
  const numberOf = (node: string): number => {
    const known = number.get(node) ?? number.size;
    number.set(node, known);
    graph.next[known] ??= [];
    return known;
  };
  const rows = store.db
    .prepare(
      `SELECT ${RESOURCE}, ${text('r.state')}, ${integer('r.status')}, ${blob('p.body')}, ${text('p.headers')}
        FROM resource r LEFT JOIN response p ON p.id = r.response WHERE r.run = ?`,
    )
    .iterate(run);
  for (const row of rows) {
    const resource = resourceRow(row);
    if (!resource) continue;
    const own = numberOf(nodeOf(resource));
    const lost = row['state'] === 'failed' ? listsOfLost(resource, Number(row['status'] ?? 0)) : [];
    const { body, headers } = row;
    const stored = body instanceof Uint8Array && typeof headers === 'string' ? { body, headers } : undefined;
    const found = stored ? foundIn(resource, stored, bases) : [];
    graph.isRecord[own] ||= RECORDS.has(resource.kind) && stored !== undefined;
    for (const lead of [...found, ...lost]) graph.next[own]?.push(numberOf(nodeOf(lead)));
  }
  return graph;
}

function foundIn(resource: Resource, stored: Parameters<typeof parseBody>[0], bases: Bases): Resource[] {
  try {
    return follow(resource, parseBody(stored), bases).found;
  } catch {
    return []; // the harvest has reported it as a body that cannot be processed
  }
}

/** Ways are bits, one a way: a record that has a single bit is reached by that way only. */
function waysFrom(seeds: ReadonlyArray<readonly [string, string[]]>, { number, next, isRecord }: Graph): Way[] {
  const reached = new Uint32Array(next.length);
  seeds.forEach(([, keys], way) => {
    const bit = 1 << way;
    const todo = keys.flatMap((key) => number.get(key) ?? []);
    for (let node = todo.pop(); node !== undefined; node = todo.pop()) {
      if (((reached[node] as number) & bit) !== 0) continue;
      reached[node] = (reached[node] as number) | bit;
      todo.push(...(next[node] ?? []));
    }
  });
  const count = (test: (bits: number) => boolean) =>
    isRecord.reduce((sum, is, node) => sum + (is && test(reached[node] ?? 0) ? 1 : 0), 0);
  return seeds.map(([way], place) => ({
    way,
    records: count((bits) => (bits & (1 << place)) !== 0),
    only: count((bits) => bits === 1 << place),
  }));
}

function unanswered(store: Store, run: number, bases: Bases): Discovery['unanswered'] {
  const kinds = INDEX_KINDS.map((kind) => `'${kind}'`).join(', ');
  // Terms of a facet that only we know of are not missed.
  const rows = statement(
    store,
    `SELECT kind, min(name) AS name, cause, count(*) AS lists FROM resource WHERE run = ? AND state = 'failed' AND kind IN (${kinds})
    AND coalesce(page_offset, 0) = 0 AND NOT (kind = 'terms' AND referrer = ?) GROUP BY kind, cause ORDER BY kind, cause`,
  ).all(run, keyOf(INDEX));
  return rows.flatMap((row) => {
    const { kind, name, cause } = row;
    if (!isResourceKind(kind)) return [];
    return [{ url: urlOf({ kind, name: String(name) }, bases), cause: String(cause), lists: readInteger(row, 'lists') }];
  });
}
