/** Which files the records name: each address once, with the record that gives it its file name and all that is said of its bytes. */
import { UserError } from '../model/errors.ts';
import type { Declaration } from '../model/fixity.ts';
import { compareIds, type Model } from '../model/ids.ts';
import { chooseFiles, filesOf, type MediaKind, type NamedFile, streamOnlyUrls, type VideoChoice } from '../model/media.ts';
import { baseOf } from '../model/places.ts';
import { type ArchivalRecord, readRecord } from '../model/records.ts';
import { createAncestry } from '../snapshot/ancestry.ts';
import { bodiesOf, parseBody } from '../snapshot/read.ts';
import { isWebUrl } from '../snapshot/rows.ts';
import type { Store } from '../snapshot/store.ts';
import { isWithdrawnUrl } from '../snapshot/withdrawn.ts';
import type { Use } from '../snapshot/write-media.ts';

export interface Choice {
  kinds: ReadonlySet<MediaKind>;
  video: VideoChoice;
  /** Ids of collections; undefined for all. */
  collections: ReadonlySet<string> | undefined;
}

export interface WantedFile extends NamedFile {
  /** The id of the record after which the file is named. */
  owner: string;
  /** Where it will stand, below the snapshot, without its extension. */
  base: string;
  /** What records say of its bytes. */
  declarations: Declaration[];
  /** Bytes, where a record says so. */
  size: number | undefined;
}

export interface Plan {
  /** Which records name which files, of any kind and collection. */
  uses: Use[];
  /** What pages need first stands first; within a kind in the order of the owners' ids. */
  wanted: WantedFile[];
  /** Recordings that may be played from their own host only: never fetched. */
  streamOnly: number;
}

/** The wanted files of every record. @throws UserError for a collection that is not there. A file that several records share belongs to its file record, else to the first by id. */
export function planFiles(store: Store, { kinds, video, collections }: Choice): Plan {
  const wanted = new Map<string, WantedFile & { model: Model }>();
  const heldBack = new Set<string>();
  const met = new Set<string>();
  const uses: Use[] = [];
  const isWithdrawn = isWithdrawnUrl(store);
  const above = createAncestry(store);
  for (const record of recordsOf(store)) {
    for (const url of streamOnlyUrls(record)) heldBack.add(url);
    const files = filesOf(record);
    for (const { url, kind } of files) if (isWebUrl(url) && !isWithdrawn(url)) uses.push({ record: record.id, url, kind });
    if (collections) {
      const around = above.ofRecord(record);
      const within = [...collections].filter((id) => around.has(id));
      if (within.length === 0) continue;
      for (const id of within) met.add(id);
    }
    for (const { kind, url, declared } of chooseFiles(files, kinds, video)) {
      if (!/^https?:\/\//.test(url) || !URL.canParse(url)) continue;
      const before = wanted.get(url);
      const declarations = [...(before?.declarations ?? []), ...(saysAnything(declared) ? [declared] : [])];
      if (before && !outranks(record, before)) before.declarations = declarations;
      else {
        const first = files.find((file) => file.kind === kind)?.url === url;
        const base = baseOf(record.id, kind, first ? undefined : url);
        wanted.set(url, { url, owner: record.id, kind, base, declarations, size: undefined, model: record.model });
      }
    }
  }
  const unknown = [...(collections ?? [])].find((id) => !met.has(id));
  if (unknown !== undefined)
    throw new UserError(`No record of the snapshot belongs to ${unknown}: name a collection by its id, such as demo-org-1.`);
  const rank = ({ kind }: WantedFile) => ORDER.indexOf(kind);
  const files = [...wanted.values()].filter(({ url }) => !heldBack.has(url) && !isWithdrawn(url));
  return {
    uses,
    wanted: files
      .sort((a, b) => rank(a) - rank(b) || compareIds(a.owner, b.owner))
      .map(({ model: _, ...file }) => ({ ...file, size: sizeOf(file.declarations) })),
    streamOnly: heldBack.size,
  };
}

/** Small files that many pages show come before large ones, so that a budget goes furthest. */
const ORDER: readonly MediaKind[] = ['thumb', 'image', 'transcript', 'audio', 'video', 'original'];

function* recordsOf(store: Store): Generator<ArchivalRecord> {
  for (const stored of bodiesOf(store, 'object')) {
    const record = readRecord(parseBody(stored));
    if (record) yield record;
  }
}

function outranks(record: { id: string; model: Model }, before: { owner: string; model: Model }): boolean {
  if ((record.model === 'file') !== (before.model === 'file')) return record.model === 'file';
  return compareIds(record.id, before.owner) < 0;
}

function saysAnything({ size, sums, sha1Prefix, mimetype }: Declaration): boolean {
  return (size ?? sha1Prefix ?? mimetype) !== undefined || Object.keys(sums).length > 0;
}

function sizeOf(declarations: Declaration[]): number | undefined {
  return declarations.find(({ size }) => size !== undefined)?.size;
}
