/**
 * Lists the media files that records and the sources of guide pages name, once per URL, each with the record that it is named
 * after and all declarations about it.
 */
import { UserError } from '../model/errors.ts';
import { filesOfSource, readSource } from '../model/guide/guide.ts';
import { compareIds, type Model } from '../model/ids.ts';
import { type FileDeclaration, readDeclaration } from '../model/media/fixity.ts';
import * as media from '../model/media/media.ts';
import { type MediaKind, mediaBasePath, type VideoChoice } from '../model/media/media-kinds.ts';
import type { Narrator } from '../model/people/narrator.ts';
import { narratorNumbers } from '../model/people/record-people.ts';
import { type ArchivalRecord, parseRecord } from '../model/records.ts';
import { createAncestry } from '../snapshot/ancestry.ts';
import { readAllNarrators } from '../snapshot/narrators.ts';
import { isWithdrawnUrl } from '../snapshot/purged.ts';
import { parseBody, readBodies } from '../snapshot/read.ts';
import { isWebUrl } from '../snapshot/rows.ts';
import type { Store } from '../snapshot/store.ts';
import type { Use } from '../snapshot/write-media.ts';

/** Which media files a run downloads. */
export interface MediaSelection {
  kinds: ReadonlySet<MediaKind>;
  video: VideoChoice;
  /** Whether the originals of recordings of which browsers play no file are downloaded, to make such files. */
  forWeb?: boolean;
  /** IDs of collections; undefined for all. */
  collections: ReadonlySet<string> | undefined;
}

/** A media file to download. */
export interface WantedFile extends media.NamedFile {
  /** ID of the record that the file is named after. */
  owner: string;
  /** Path in the snapshot, without extension. */
  basePath: string;
  /** What records declare about its bytes. */
  declarations: FileDeclaration[];
  /** Declared size in bytes. */
  size: number | undefined;
}

/**
 * Lists the selected files of all records. The owner of a file that several records name is its file record, else the first
 * record by ID.
 * @throws {UserError} if a selected collection is not in the snapshot
 */
export function planFiles(store: Store, { kinds, video, collections, forWeb }: MediaSelection) {
  const wanted = new Map<string, WantedFile & { model: Model }>();
  const streamOnlyFound = new Set<string>();
  const foundCollections = new Set<string>();
  const uses: Use[] = [];
  const converted: Array<number | undefined> = [];
  const isWithdrawn = isWithdrawnUrl(store);
  const ancestry = createAncestry(store);
  const narrators = readAllNarrators(store);
  const portraits = new Set([...narrators.values()].map(({ portrait }) => portrait));
  for (const { id, model, files: named, record } of readNaming(store)) {
    for (const url of record ? media.streamOnlyUrls(record) : []) streamOnlyFound.add(url);
    const files = record ? [...named, ...portraitsOf(record, narrators)] : named;
    for (const { url, kind } of files) if (isWebUrl(url) && !isWithdrawn(url)) uses.push({ record: id, url, kind });
    if (collections) {
      const ancestors = record ? ancestry.idsOfRecord(record) : new Set();
      const within = [...collections].filter((collection) => ancestors.has(collection));
      if (within.length === 0) continue;
      for (const collection of within) foundCollections.add(collection);
    }
    const unplayable = forWeb && record ? media.selectUnplayable(files) : undefined;
    if (record && unplayable) converted.push(media.recordingDuration(record));
    for (const { kind, url, declared } of new Set([
      ...media.selectFiles(files, kinds, video),
      ...(unplayable ? [unplayable] : []),
    ])) {
      if (!isWebUrl(url)) continue;
      const before = wanted.get(url);
      const declarations = [...(before?.declarations ?? []), ...(declaresAnything(declared) ? [declared] : [])];
      if (before && !outranks({ id, model }, before)) before.declarations = declarations;
      else {
        const first = !portraits.has(url) && files.find((file) => file.kind === kind)?.url === url;
        const basePath = mediaBasePath(id, kind, first ? undefined : url);
        wanted.set(url, { url, owner: id, kind, basePath, declarations, size: undefined, model });
      }
    }
  }
  const unknown = [...(collections ?? [])].find((id) => !foundCollections.has(id));
  if (unknown !== undefined)
    throw new UserError(`No record in the snapshot belongs to ${unknown}. Give the ID of a collection, for example demo-org-1.`);
  const rank = ({ kind }: WantedFile) => KIND_PRIORITY.indexOf(kind);
  const files = [...wanted.values()].filter(({ url }) => !streamOnlyFound.has(url) && !isWithdrawn(url));
  return {
    /** Which records name which files, of all kinds and collections. */
    uses,
    /** The selected files by kind, in the order of `KIND_PRIORITY`, then by the ID of their owner. */
    wanted: files
      .sort((a, b) => rank(a) - rank(b) || compareIds(a.owner, b.owner))
      .map(({ model: _, ...file }) => ({ ...file, size: file.declarations.find(({ size }) => size !== undefined)?.size })),
    /** Number of stream-only recording files, which are never downloaded. */
    streamOnly: streamOnlyFound.size,
    /** The durations, in seconds, of recordings of which files for browsers are to be made. */
    converted,
  };
}

/** Returns the portraits of the narrators whom a record names. They are stored as images of it. */
function portraitsOf(record: ArchivalRecord, narrators: ReadonlyMap<string, Narrator>): media.RecordFile[] {
  const declared = readDeclaration(record.id, {});
  return narratorNumbers(record.creators).flatMap((id): media.RecordFile[] => {
    const url = narrators.get(id)?.portrait;
    return url === undefined ? [] : [{ kind: 'image', url, declared, original: false }];
  });
}

/** The order of downloads: small files that many pages show precede large ones, so that a budget goes furthest. */
const KIND_PRIORITY: readonly MediaKind[] = ['thumb', 'image', 'transcript', 'audio', 'video', 'original'];

/** Yields the records, and then the sources of guide pages, with the files that they name. A source is in no collection. */
function* readNaming(store: Store) {
  for (const stored of readBodies(store, 'object')) {
    const record = parseRecord(parseBody(stored), { url: stored.url });
    if (record) yield { id: record.id, model: record.model, files: media.filesOfRecord(record), record };
  }
  for (const stored of readBodies(store, 'source')) {
    const files = filesOfSource(stored.name, readSource(parseBody(stored)));
    yield { id: stored.name, model: 'entity' as const, files, record: undefined };
  }
}

function outranks(record: { id: string; model: Model }, before: { owner: string; model: Model }): boolean {
  if ((record.model === 'file') !== (before.model === 'file')) return record.model === 'file';
  return compareIds(record.id, before.owner) < 0;
}

function declaresAnything({ size, checksums, sha1Prefix, mimetype }: FileDeclaration): boolean {
  return (size ?? sha1Prefix ?? mimetype) !== undefined || Object.keys(checksums).length > 0;
}
