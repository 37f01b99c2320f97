/** Lays out a ZIM file and yields its bytes in order, so that its MD5 is known at the end without reading it again. */
import { createHash } from 'node:crypto';
import { concatenate, tee } from '../../platform/in-parts.ts';
import type { ClusterBuilder, StoredBlob } from './clusters.ts';
import * as format from './format.ts';

/** An entry of a ZIM file. */
export interface ZimEntry {
  namespace: format.Namespace;
  path: string;
  title: string;
  /** Content with its media type; or the path of the entry in `C` to which this one redirects. */
  target: (format.BlobAddress & { mediaType: string }) | { redirect: string };
  /** Whether readers list the entry among the pages, and suggest its title. */
  isPage: boolean;
}

/** Path in `W` of the entry that redirects to the home page. */
export const MAIN_PAGE = 'mainPage';
const ALL_TITLES = 'listing/titleOrdered/v0';
const PAGE_TITLES = 'listing/titleOrdered/v1';
const LISTING_TYPE = 'application/octet-stream+zimlisting';

/**
 * Lays out a ZIM file with the given entries, in any order, and the content that the builder has collected. Adds the lists of
 * titles. One entry must be the main page. The bytes can be read once.
 * @throws {Error} if the target of a redirect does not exist.
 */
export async function layOutZim(entries: readonly ZimEntry[], builder: ClusterBuilder, uuid: Uint8Array): Promise<StoredBlob> {
  const lists = [ALL_TITLES, PAGE_TITLES].map((path): ZimEntry => {
    const target = { cluster: 0, blob: 0, mediaType: LISTING_TYPE }; // the content is known when all entries have their numbers
    return { namespace: 'X', path, title: '', target, isPage: false };
  });
  const sorted = sortEntries([...entries, ...lists]);
  const byTitle = sorted
    .map(({ namespace, title, path, isPage }, number) => ({ key: Buffer.from(namespace + (title || path)), number, isPage }))
    .sort((a, b) => a.key.compare(b.key) || a.number - b.number);
  const [titleCluster = 0] = lists.map((list, i) => {
    const bytes = format.encodeNumbers(byTitle.filter(({ isPage }) => i === 0 || isPage).map(({ number }) => number));
    builder.endStored();
    const address = builder.addStored({ size: bytes.length, read: () => concatenate([[bytes]]) });
    list.target = { ...address, mediaType: LISTING_TYPE };
    return address.cluster;
  });
  const clusters = await builder.finish();
  return assemble(sorted, clusters, uuid, (starts) => {
    // Older readers find the list of titles by its position. It is the only blob of its cluster.
    return (starts[titleCluster] as number) + format.encodeClusterStart([4 * byTitle.length]).length;
  });
}

/** Sorts entries by namespace and path, as bytes. */
function sortEntries(entries: ZimEntry[]): ZimEntry[] {
  return entries
    .map((entry) => ({ entry, key: Buffer.from(entry.namespace + entry.path) }))
    .sort((a, b) => a.key.compare(b.key))
    .map(({ entry }) => entry);
}

function assemble(
  entries: readonly ZimEntry[],
  clusters: readonly StoredBlob[],
  uuid: Uint8Array,
  titlesAt: (clusterStarts: readonly number[]) => number,
): StoredBlob {
  const types = [...new Set(entries.flatMap(({ target }) => ('redirect' in target ? [] : [target.mediaType])))].sort();
  const mediaTypes = format.encodeMediaTypes(types);
  const dirents = encodeDirents(entries, types);
  const pathPointersAt = format.HEADER_BYTES + mediaTypes.length;
  const clusterPointersAt = pathPointersAt + 8 * entries.length;
  const [direntSizes, clusterSizes] = [dirents.map(({ length }) => length), clusters.map(({ size }) => size)];
  const direntStarts = startsOf(direntSizes, clusterPointersAt + 8 * clusters.length);
  const clusterStarts = startsOf(clusterSizes, direntStarts.at(-1) as number);
  const checksumAt = clusterStarts.at(-1) as number;
  const header = format.encodeHeader({
    uuid,
    entryCount: entries.length,
    clusterCount: clusters.length,
    pathPointersAt,
    titlePointersAt: titlesAt(clusterStarts),
    clusterPointersAt,
    mainEntry: entries.findIndex(({ namespace, path }) => namespace === 'W' && path === MAIN_PAGE),
    checksumAt,
  });
  const pointers = [format.encodePositions(direntStarts.slice(0, -1)), format.encodePositions(clusterStarts.slice(0, -1))];
  return {
    size: checksumAt + format.CHECKSUM_BYTES,
    async *read() {
      const hash = createHash('md5');
      const parts = [header, mediaTypes, ...pointers, Buffer.concat(dirents)];
      const chunks = concatenate([parts, ...clusters.map((cluster) => cluster.read())]);
      yield* tee(chunks, (chunk) => hash.update(chunk));
      yield hash.digest();
    },
  };
}

function encodeDirents(entries: readonly ZimEntry[], types: readonly string[]): Buffer[] {
  const typeNumbers = new Map(types.map((type, number) => [type, number]));
  const numbers = new Map(entries.flatMap(({ namespace, path }, number) => (namespace === 'C' ? [[path, number]] : [])));
  return entries.map(({ target, ...named }) => {
    if (!('redirect' in target))
      return format.encodeDirent({ ...named, target: { ...target, mediaType: typeNumbers.get(target.mediaType) as number } });
    const entry = numbers.get(target.redirect);
    if (entry === undefined) throw new Error(`${named.path} redirects to ${target.redirect}, which is not in the ZIM file`);
    return format.encodeDirent({ ...named, target: { entry } });
  });
}

/** Returns the position of each part after `first`, and the position after the last one. */
function startsOf(sizes: readonly number[], first: number): number[] {
  const starts = [first];
  for (const size of sizes) starts.push((starts.at(-1) as number) + size);
  return starts;
}
