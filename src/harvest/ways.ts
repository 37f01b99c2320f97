/** Counts, after a harvest with `--discover`, the records that each group of seeds discovered. */
import { type Bases, INDEX_KINDS, keyOf, RECORD_KINDS, type Resource, urlOf } from '../model/resources.ts';
import { bodyByKey, parseBody } from '../snapshot/read.ts';
import { blob, integer, isResourceKind, RESOURCE, readInteger, resourceRow, text } from '../snapshot/rows.ts';
import { type Store, statement } from '../snapshot/store.ts';
import { listsOfLost } from './ask.ts';
import { INDEX, readIndex } from './discover.ts';
import { follow } from './follow.ts';

/** A group of seeds, and how many records were discovered through them. */
export interface Way {
  /** `authors`, `roots`, `repository`, `narrators` or `facets`. */
  way: string;
  /** Authors, articles, sources and archival records discovered through these seeds, directly or indirectly. */
  records: number;
  /** Those of them that no other group discovers. */
  only: number;
}

/** What a harvest with `--discover` found. */
export interface Discovery {
  ways: Way[];
  /** Lists of the catalog index that failed: one entry per kind and cause, with the URL of the first list and the number of lists. */
  unanswered: Array<{ url: string; cause: string; lists: number }>;
  /** URLs in the catalog index that are outside the records API. They were not requested. */
  refused: string[];
}

/**
 * Returns what the seeds of a run and the catalog index have discovered. Reads every body of the run, and takes some hundred bytes of memory
 * per resource.
 */
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
    unanswered: failedIndexLists(store, run, bases),
    refused: index?.refused ?? [],
  };
}

/** All pages of a list are one node of the graph, since each names the next. */
function nodeOf({ kind, name }: Resource): string {
  return keyOf({ kind, name });
}

/** Which resource names which. Nodes are numbered. */
interface Graph {
  number: ReadonlyMap<string, number>;
  /** By number: the nodes that a node names. */
  next: number[][];
  isRecord: boolean[];
}

const RECORDS: ReadonlySet<string> = new Set(RECORD_KINDS);

function graphOf(store: Store, run: number, bases: Bases): Graph {
  const number = new Map<string, number>();
  const graph: Graph = { number, next: [], isRecord: [] };
  const numberOf = (node: string): number => {
    const index = number.get(node) ?? number.size;
    number.set(node, index);
    graph.next[index] ??= [];
    return index;
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
    const speculative = row['state'] === 'failed' ? listsOfLost(resource, Number(row['status'] ?? 0)) : [];
    const { body, headers } = row;
    const stored = body instanceof Uint8Array && typeof headers === 'string' ? { body, headers } : undefined;
    const discovered = stored ? discoveredIn(resource, stored, bases) : [];
    graph.isRecord[own] ||= RECORDS.has(resource.kind) && stored !== undefined;
    for (const target of [...discovered, ...speculative]) graph.next[own]?.push(numberOf(nodeOf(target)));
  }
  return graph;
}

function discoveredIn(resource: Resource, stored: Parameters<typeof parseBody>[0], bases: Bases): Resource[] {
  try {
    return follow(resource, parseBody(stored), bases).found;
  } catch {
    return []; // the harvest has reported it as a failure
  }
}

/** Each group of seeds is one bit. A record with a single bit was discovered through that group only. */
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
    isRecord.reduce((total, is, node) => total + (is && test(reached[node] ?? 0) ? 1 : 0), 0);
  return seeds.map(([way], position) => ({
    way,
    records: count((bits) => (bits & (1 << position)) !== 0),
    only: count((bits) => bits === 1 << position),
  }));
}

function failedIndexLists(store: Store, run: number, bases: Bases): Discovery['unanswered'] {
  const kinds = INDEX_KINDS.map((kind) => `'${kind}'`).join(', ');
  // Leaves out the terms of `KNOWN_FACETS`, which upstream did not name.
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
