/** `npm run prepare`: writes the snapshot of an archive in JSON files, as if harvested, next to them. It is not committed. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../src/model/errors.ts';
import { compareIds } from '../../src/model/ids.ts';
import { parseJson } from '../../src/model/json.ts';
import { filesOfRecord } from '../../src/model/media/media.ts';
import { sampleFileType } from '../../src/model/media/sniff.ts';
import { type ArchivalRecord, parseRecord } from '../../src/model/records.ts';
import { type Resource, urlOf } from '../../src/model/resources.ts';
import { isObject } from '../../src/model/values.ts';
import { type SafeDirectory, toSafeDirectory } from '../../src/platform/safe-directory.ts';
import { DATABASE_FILE } from '../../src/snapshot/file-names.ts';
import { createMemorySnapshot, type Store } from '../../src/snapshot/store.ts';
import { type Outcome, openWriter } from '../../src/snapshot/write.ts';
import { type MediaRow, openMediaWriter } from '../../src/snapshot/write-media.ts';

const MANIFEST_FILE = 'archive.json';

/** The contents of `archive.json`. */
export interface SampleManifest {
  name: string;
  note: string;
  /** Base URLs of the two APIs. */
  authors_url: string;
  catalog_url: string;
  /** ISO 8601 in UTC. */
  made_at: string;
}

function manifestProblem(manifest: Record<string, unknown>): string | undefined {
  const isUrl = (value: unknown) => typeof value === 'string' && URL.canParse(value);
  const isMoment = (value: unknown) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value);
  for (const name of ['name', 'note']) if (typeof manifest[name] !== 'string') return `"${name}" must be text`;
  for (const name of ['authors_url', 'catalog_url']) if (!isUrl(manifest[name])) return `"${name}" must be a URL`;
  return isMoment(manifest['made_at']) ? undefined : '"made_at" must be a time such as 2026-01-31T12:00:00Z';
}

/** Fields of a list entry (docs/upstream-api.md, "List entries"). */
const ENTRY_FIELDS = 'id model links title description sort creation genre format role public status record_lastmod'.split(' ');

/**
 * Reads `archive.json`.
 * @throws {UserError} if it is missing or invalid
 */
export function readManifest(dir: string): SampleManifest {
  const manifest: unknown = readJson(toSafeDirectory(dir), MANIFEST_FILE);
  const fail = (problem: string) => new UserError(`${join(dir, MANIFEST_FILE)} does not describe an archive: ${problem}.`);
  if (!isObject(manifest)) throw fail('it must contain one JSON object');
  const problem = manifestProblem(manifest);
  if (problem !== undefined) throw fail(problem);
  return manifest as object as SampleManifest;
}

/**
 * Writes the snapshot of the archive into its directory. The same files give the same bytes, and several processes may do so at
 * once.
 * @throws {UserError} if a file is missing or invalid
 */
export function writeSampleSnapshot(dir: string): void {
  using store = loadSample(dir);
  const file = join(dir, DATABASE_FILE);
  const partial = `${file}.${process.pid}`;
  rmSync(partial, { force: true });
  store.db.prepare('VACUUM INTO ?').run(partial);
  if (existsSync(file) && readFileSync(file).equals(readFileSync(partial))) rmSync(partial);
  else renameSync(partial, file);
}

/**
 * Returns the archive as a snapshot in memory. Its response bodies are the bytes of the files; its lists are made from the
 * records.
 * @throws {UserError} if a file is missing or invalid
 */
export function loadSample(dir: string): Store {
  const manifest = readManifest(dir);
  const bases = { authors: manifest.authors_url, catalog: manifest.catalog_url };
  const store = createMemorySnapshot(dir);
  const writer = openWriter(store, () => manifest.made_at);
  writer.setMeta('sample', manifest.name);
  writer.setMeta('authors_url', bases.authors);
  writer.setMeta('catalog_url', bases.catalog);

  const outcome = (resource: Resource, body: Uint8Array, model?: string) =>
    receivedOutcome(resource, urlOf(resource, bases), manifest.made_at, body, model);
  const list = (kind: 'authors' | 'children' | 'files', name: string, objects: unknown[]): Outcome =>
    outcome(
      { kind, name, page: { limit: Math.max(1, objects.length), offset: 0 } },
      Buffer.from(JSON.stringify({ total: objects.length, objects })),
    );

  const safeDir = toSafeDirectory(dir);
  const objects = listSampleFiles(safeDir, 'objects').map((path) => {
    const record = parseRecord(readJson(safeDir, path));
    if (!record) throw new UserError(`${join(dir, path)} does not contain an archival record.`);
    return { body: readFileSync(safeDir.resolve(path)), record };
  });
  const guide = (['author', 'article', 'source'] as const).flatMap((kind) =>
    listSampleFiles(safeDir, `${kind}s`).map((path) => {
      const page = readJson(safeDir, path);
      if (!isObject(page)) throw new UserError(`${join(dir, path)} does not contain a JSON object.`);
      return outcome({ kind, name: String(page['id']) }, readFileSync(safeDir.resolve(path)));
    }),
  );
  const authors = readJson(safeDir, 'authors.json');
  const outcomes = [
    list('authors', '', Array.isArray(authors) ? authors : []),
    ...guide,
    ...objects.map(({ body, record }) => outcome({ kind: 'object', name: record.id }, body, record.model)),
    ...createLists(objects.map(({ record }) => record)).map(({ kind, name, items }) => list(kind, name, items)),
  ];
  writer.enqueue(outcomes.map(({ resource }) => resource));
  writer.commitOutcomes(outcomes);
  const kinds = new Map(objects.flatMap(({ record }) => filesOfRecord(record).map(({ url, kind }) => [url, kind] as const)));
  const media = listSampleFiles(safeDir, 'media').map((path): MediaRow => {
    const bytes = readFileSync(safeDir.resolve(path));
    const url = `${bases.catalog}/${path}`;
    return {
      url,
      owner: path.split('/').at(-1)?.replace(/\..*$/, '') ?? path,
      kind: kinds.get(url) ?? 'image',
      state: 'stored',
      path,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      size: bytes.length,
      mimetype: sampleFileType(path),
      fetchedAt: manifest.made_at,
    };
  });
  const mediaWriter = openMediaWriter(store);
  for (const row of media) mediaWriter.put(row);
  mediaWriter.close();
  writer.finish({ complete: true });
  return store;
}

/** Returns the outcome of a request that brought a body of JSON. */
export function receivedOutcome(resource: Resource, url: string, fetchedAt: string, body: Uint8Array, model?: string): Outcome {
  const headers = { 'content-type': 'application/json' };
  const received = { url, fetchedAt, status: 200, headers, body, redirects: [], exchanges: [] };
  return { resource, attempts: 1, model, received, discovered: [] };
}

/** Returns the lists of children and files of every record, sorted by `sort`, then by ID. */
function createLists(records: ArchivalRecord[]): Array<{ kind: 'children' | 'files'; name: string; items: unknown[] }> {
  const listOf = ({ model, parent_id: parent }: ArchivalRecord) => `${model === 'file' ? 'files' : 'children'}:${parent}`;
  const below = records.filter((record) => record.parent_id);
  const members = Map.groupBy(below, listOf);
  const ofRecords = records.flatMap(({ id, model }) => [
    ...(model === 'file' ? [] : [`children:${id}`]),
    ...(model === 'entity' || model === 'segment' ? [`files:${id}`] : []),
  ]);
  const itemOf = ({ raw }: ArchivalRecord) =>
    Object.fromEntries(ENTRY_FIELDS.flatMap((name) => (name in raw ? [[name, raw[name]]] : [])));
  return Array.from(new Set([...ofRecords, ...members.keys()]), (list) => {
    const [kind, name] = list.split(':') as ['children' | 'files', string];
    const sorted = members.get(list)?.sort((a, b) => (a.sort ?? 0) - (b.sort ?? 0) || compareIds(a.id, b.id)) ?? [];
    return { kind, name, items: sorted.map(itemOf) };
  });
}

/** Returns the paths of the files in a directory, sorted. Throws UnsafePathError if a symbolic link is in the path. */
function listSampleFiles(safeDir: SafeDirectory, directory: string): string[] {
  return safeDir.listEntries(directory).flatMap(({ path, isFile: regular }) => (regular ? [path] : []));
}

/** Throws UnsafePathError, or a UserError if the file is missing or not JSON. Never quotes the file, which may be a link. */
function readJson(safeDir: SafeDirectory, path: string): unknown {
  const parsed = safeDir.stat(path) ? parseJson(readFileSync(safeDir.resolve(path), 'utf8')) : undefined;
  if (!isObject(parsed) && !Array.isArray(parsed))
    throw new UserError(`${join(safeDir.root, path)} is missing, or does not contain a JSON object or array.`);
  return parsed;
}

if (import.meta.main) writeSampleSnapshot(join(import.meta.dirname, '../../content/sample'));
