/** Which files the records name: each address once, with the record that gives it its file name and all that is said of its bytes. */
import { UserError } from '../model/errors.ts';
import type { FileDeclaration } from '../model/fixity.ts';
import { compareIds, type Model } from '../model/ids.ts';
import { filesOfRecord, type MediaKind, type NamedFile, selectFiles, streamOnlyUrls, type VideoChoice } from '../model/media.ts';
import { mediaBasePath } from '../model/media-paths.ts';
import { type ArchivalRecord, parseRecord } from '../model/records.ts';
import { createAncestry } from '../snapshot/ancestry.ts';
import { parseBody, readBodies } from '../snapshot/read.ts';
import { isWebUrl } from '../snapshot/rows.ts';
import type { Store } from '../snapshot/store.ts';
import { isWithdrawnUrl } from '../snapshot/withdrawn.ts';
import type { Use } from '../snapshot/write-media.ts';

export interface MediaSelection {
  kinds: ReadonlySet<MediaKind>;
  video: VideoChoice;
  /** Ids of collections; undefined for all. */
  collections: ReadonlySet<string> | undefined;
}

export interface WantedFile extends NamedFile {
  /** The id of the record after which the file is named. */
  owner: string;
  /** Where it will stand, below the snapshot, without its extension. */
  basePath: string;
  /** What records say of its bytes. */
  declarations: FileDeclaration[];
  /** Bytes, where a record says so. */
  size: number | undefined;
}

export interface MediaPlan {
  /** Which records name which files, of any kind and collection. */
  uses: Use[];
  /** What pages need first stands first; within a kind in the order of the owners' ids. */
  wanted: WantedFile[];
  /** Recordings that may be played from their own host only: never fetched. */
  streamOnly: number;
}

/** The wanted files of every record. @throws UserError for a collection that is not there. A file that several records share belongs to its file record, else to the first by id. */
export function planFiles(store: Store, { kinds, video, collections }: MediaSelection): MediaPlan {
  const wanted = new Map<string, WantedFile & { model: Model }>();
  const streamOnlyFound = new Set<string>();
  const met = new Set<string>();
  const uses: Use[] = [];
  const isWithdrawn = isWithdrawnUrl(store);
  const above = createAncestry(store);
  for (const record of readRecords(store)) {
    for (const url of streamOnlyUrls(record)) streamOnlyFound.add(url);
    const files = filesOfRecord(record);
    for (const { url, kind } of files) if (isWebUrl(url) && !isWithdrawn(url)) uses.push({ record: record.id, url, kind });
    if (collections) {
      const around = above.idsOfRecord(record);
      const within = [...collections].filter((id) => around.has(id));
      if (within.length === 0) continue;
      for (const id of within) met.add(id);
    }
    for (const { kind, url, declared } of selectFiles(files, kinds, video)) {
      if (!/^https?:\/\//.test(url) || !URL.canParse(url)) continue;
      const before = wanted.get(url);
      const declarations = [...(before?.declarations ?? []), ...(declaresAnything(declared) ? [declared] : [])];
      if (before && !outranks(record, before)) before.declarations = declarations;
      else {
        const first = files.find((file) => file.kind === kind)?.url === url;
        const basePath = mediaBasePath(record.id, kind, first ? undefined : url);
        wanted.set(url, { url, owner: record.id, kind, basePath, declarations, size: undefined, model: record.model });
      }
    }
  }
  const unknown = [...(collections ?? [])].find((id) => !met.has(id));
  if (unknown !== undefined)
    throw new UserError(`No record of the snapshot belongs to ${unknown}: name a collection by its id, such as demo-org-1.`);
  const rank = ({ kind }: WantedFile) => KIND_PRIORITY.indexOf(kind);
  const files = [...wanted.values()].filter(({ url }) => !streamOnlyFound.has(url) && !isWithdrawn(url));
  return {
    uses,
    wanted: files
      .sort((a, b) => rank(a) - rank(b) || compareIds(a.owner, b.owner))
      .map(({ model: _, ...file }) => ({ ...file, size: declaredSize(file.declarations) })),
    streamOnly: streamOnlyFound.size,
  };
}

/** Small files that many pages show come before large ones, so that a budget goes furthest. */
const KIND_PRIORITY: readonly MediaKind[] = ['thumb', 'image', 'transcript', 'audio', 'video', 'original'];

function* readRecords(store: Store): Generator<ArchivalRecord> {
  for (const stored of readBodies(store, 'object')) {
    const record = parseRecord(parseBody(stored));
    if (record) yield record;
  }
}

function outranks(record: { id: string; model: Model }, before: { owner: string; model: Model }): boolean {
  if ((record.model === 'file') !== (before.model === 'file')) return record.model === 'file';
  return compareIds(record.id, before.owner) < 0;
}

function declaresAnything({ size, checksums, sha1Prefix, mimetype }: FileDeclaration): boolean {
  return (size ?? sha1Prefix ?? mimetype) !== undefined || Object.keys(checksums).length > 0;
}

function declaredSize(declarations: FileDeclaration[]): number | undefined {
  return declarations.find(({ size }) => size !== undefined)?.size;
}
