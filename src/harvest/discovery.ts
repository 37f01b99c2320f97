/** Counts, after a harvest with `--discover`, the records that each group of seeds discovered. */
import { type BaseUrls, INDEX_KINDS, keyOf, RECORD_KINDS, type Resource, urlOf } from '../model/resources.ts';
import { attempt } from '../platform/expected-errors.ts';
import { parseBody, readBodyByKey } from '../snapshot/read.ts';
import { blob, integer, isResourceKind, RESOURCE, readInteger, resourceRow, sqlList, text } from '../snapshot/rows.ts';
import { prepareStatement, type Store } from '../snapshot/store.ts';
import { INDEX_RESOURCE, readIndex } from './catalog-index.ts';
import { extractLinks } from './extract-links.ts';
import { listsOfFailedRecord } from './fetch-resource.ts';

/** What a harvest with `--discover` found. */
export type Discovery = ReturnType<typeof summarizeDiscovery>;

/**
 * Returns what the seeds of a run and the catalog index have discovered. Reads every body of the run, and needs a few hundred
 * bytes of memory per resource.
 */
export function summarizeDiscovery(
  store: Store,
  run: number,
  { baseUrls, roots, sitemap }: { baseUrls: BaseUrls; roots: readonly Resource[]; sitemap: readonly Resource[] },
) {
  const stored = readBodyByKey(store, keyOf(INDEX_RESOURCE));
  const index = stored && readIndex(parseBody(stored), baseUrls);
  const ways: Array<[way: string, keys: string[]]> = [
    ['authors', ['authors:']],
    ...Object.entries({ roots, sitemap }).flatMap(
      ([way, records]): Array<[string, string[]]> => (records.length > 0 ? [[way, records.map(graphNodeOf)]] : []),
    ),
    ...(index?.ways ?? []).map(({ way, resources }): [string, string[]] => [way, resources.map(graphNodeOf)]),
  ];
  return {
    /** Groups of seeds, and how many records were discovered through each. */
    ways: traceEntryPoints(ways, createGraph(store, run, baseUrls)),
    /** Lists of the catalog index that failed: per kind and cause, the URL of the first list and the number of lists. */
    failedLists: failedIndexLists(store, run, baseUrls),
    /** URLs in the catalog index that are outside the records API. They were not requested. */
    refused: index?.refused ?? [],
  };
}

/** All pages of a list are one node of the graph, since each names the next. */
const graphNodeOf = ({ kind, name }: Resource): string => keyOf({ kind, name });

/** Returns the graph of resources and the resources that they name. Nodes are numbered; `edges` are those that each names. */
function createGraph(store: Store, run: number, baseUrls: BaseUrls) {
  const indexByNode = new Map<string, number>();
  const edges: number[][] = [];
  const isRecord: boolean[] = [];
  const numberOf = (node: string): number => {
    const index = indexByNode.get(node) ?? indexByNode.size;
    indexByNode.set(node, index);
    edges[index] ??= [];
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
    const own = numberOf(graphNodeOf(resource));
    const speculative = row['state'] === 'failed' ? listsOfFailedRecord(resource, Number(row['status'] ?? 0)) : [];
    const { body, headers } = row;
    const stored = body instanceof Uint8Array && typeof headers === 'string' ? { body, headers } : undefined;
    const discovered = stored ? discoveredIn(resource, stored, baseUrls) : [];
    isRecord[own] ||= stored !== undefined && RECORD_KINDS.some((kind) => kind === resource.kind);
    for (const target of [...discovered, ...speculative]) edges[own]?.push(numberOf(graphNodeOf(target)));
  }
  return { indexByNode, edges, isRecord };
}

function discoveredIn(resource: Resource, stored: Parameters<typeof parseBody>[0], baseUrls: BaseUrls): Resource[] {
  return attempt(() => extractLinks(resource, parseBody(stored), baseUrls).discovered) ?? []; // a failure was reported
}

/** Each group of seeds is one bit. A record with a single bit was discovered through that group only. */
function traceEntryPoints(seeds: ReadonlyArray<readonly [string, string[]]>, graph: ReturnType<typeof createGraph>) {
  const { indexByNode, edges, isRecord } = graph;
  const reached = new Uint32Array(edges.length);
  seeds.forEach(([, keys], way) => {
    const bit = 1 << way;
    const todo = keys.flatMap((key) => indexByNode.get(key) ?? []);
    for (let node = todo.pop(); node !== undefined; node = todo.pop()) {
      if (((reached[node] as number) & bit) !== 0) continue;
      reached[node] = (reached[node] as number) | bit;
      todo.push(...(edges[node] ?? []));
    }
  });
  const count = (test: (bits: number) => boolean) =>
    isRecord.reduce((total, is, node) => total + (is && test(reached[node] ?? 0) ? 1 : 0), 0);
  return seeds.map(([way], position) => ({
    /** `authors`, `roots`, `sitemap`, `repository`, `narrators` or `facets`. */
    way,
    /** Authors, articles, sources and archival records discovered through these seeds, directly or indirectly. */
    records: count((bits) => (bits & (1 << position)) !== 0),
    /** Records that no other group discovers. */
    only: count((bits) => bits === 1 << position),
  }));
}

function failedIndexLists(store: Store, run: number, baseUrls: BaseUrls) {
  // Leaves out the terms of `KNOWN_FACETS`, which upstream did not name. Lists of facets and terms are read until a page is
  // empty, or absent.
  const rows = prepareStatement(
    store,
    `SELECT kind, min(name) AS name, cause, count(DISTINCT name) AS lists FROM resource WHERE run = ? AND state = 'failed' AND kind IN (${sqlList(INDEX_KINDS)})
    AND (coalesce(page_offset, 0) = 0 OR (kind IN ('facets', 'terms') AND status IS NOT 404)) AND NOT (kind = 'terms' AND referrer = ?) GROUP BY kind, cause ORDER BY kind, cause`,
  ).all(run, keyOf(INDEX_RESOURCE));
  return rows.flatMap((row) => {
    const { kind, name, cause } = row;
    if (!isResourceKind(kind)) return [];
    return [{ url: urlOf({ kind, name: String(name) }, baseUrls), cause: String(cause), lists: readInteger(row, 'lists') }];
  });
}
