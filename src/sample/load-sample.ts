/** Loads an archive in JSON files (content/sample) into a snapshot in memory, as if it had been harvested. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../model/errors.ts';
import { compareIds } from '../model/ids.ts';
import { parseJson } from '../model/json.ts';
import { filesOfRecord } from '../model/media/media.ts';
import { sampleFileType } from '../model/media/sniff.ts';
import { type ArchivalRecord, parseRecord } from '../model/records.ts';
import type { Resource } from '../model/resources.ts';
import { urlOf } from '../model/resources.ts';
import { isObject } from '../model/values.ts';
import { isRegularFile } from '../platform/directory-entries.ts';
import { type SafeDirectory, toSafeDirectory } from '../platform/safe-directory.ts';
import { createMemorySnapshot, type Store } from '../snapshot/store.ts';
import { type Outcome, openWriter } from '../snapshot/write.ts';
import { type MediaRow, openMediaWriter } from '../snapshot/write-media.ts';

const MANIFEST_FILE = 'archive.json';

/** The contents of `archive.json`: the archive's name and base URLs, and the faults that it simulates as upstream. */
export interface SampleManifest {
  name: string;
  note: string;
  /** Base URLs of the two APIs. */
  authors_url: string;
  catalog_url: string;
  /** ISO 8601 in UTC. */
  made_at: string;
  /** Names of faults, see `src/api/simulated-faults.ts`. */
  faults: string[];
}

/** Returns the first problem of a manifest; undefined if it is valid. */
function manifestProblem(manifest: Record<string, unknown>): string | undefined {
  const isUrl = (value: unknown) => typeof value === 'string' && URL.canParse(value);
  const isMoment = (value: unknown) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value);
  const isTexts = (value: unknown) => Array.isArray(value) && value.every((one) => typeof one === 'string');
  for (const name of ['name', 'note']) if (typeof manifest[name] !== 'string') return `"${name}" must be text`;
  for (const name of ['authors_url', 'catalog_url']) if (!isUrl(manifest[name])) return `"${name}" must be a URL`;
  if (!isMoment(manifest['made_at'])) return '"made_at" must be a time such as 2026-01-31T12:00:00Z';
  return isTexts(manifest['faults']) ? undefined : '"faults" must be a list of names';
}

/** Fields of a list entry (docs/upstream-api.md, "List entries"). */
const ENTRY_FIELDS = [
  'id',
  'model',
  'links',
  'title',
  'description',
  'sort',
  'creation',
  'genre',
  'format',
  'role',
  'public',
  'status',
  'record_lastmod',
];

/** Whether a directory contains an archive in JSON files. */
export function isSample(dir: string): boolean {
  return existsSync(join(dir, MANIFEST_FILE)) && isRegularFile(toSafeDirectory(dir), MANIFEST_FILE);
}

/**
 * Reads `archive.json`.
 *
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
 * Returns the archive as a snapshot in memory. Its response bodies are the bytes of the files; its lists are made from the records.
 *
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

  const outcome = (resource: Resource, body: Uint8Array, model?: string): Outcome => ({
    resource,
    attempts: 1,
    model,
    received: {
      url: urlOf(resource, bases),
      fetchedAt: manifest.made_at,
      status: 200,
      headers: { 'content-type': 'application/json' },
      body,
      redirects: [],
      exchanges: [],
    },
    discovered: [],
  });
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
  writer.enqueue(
    outcomes.map(({ resource }) => resource),
    undefined,
  );
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

/** Returns the lists of children and files of every record, sorted by `sort`, then by ID. */
function createLists(records: ArchivalRecord[]): Array<{ kind: 'children' | 'files'; name: string; items: unknown[] }> {
  const members = new Map<
    string,
    { kind: 'children' | 'files'; name: string; items: Array<{ id: string; sort: number; item: unknown }> }
  >();
  const itemsOf = (kind: 'children' | 'files', name: string) => {
    const key = `${kind}:${name}`;
    const list = members.get(key) ?? { kind, name, items: [] };
    members.set(key, list);
    return list.items;
  };
  for (const { id, model } of records) {
    if (model !== 'file') itemsOf('children', id);
    if (model === 'entity' || model === 'segment') itemsOf('files', id);
  }
  for (const record of records) {
    if (!record.parent_id) continue;
    const item = Object.fromEntries(ENTRY_FIELDS.flatMap((name) => (name in record.raw ? [[name, record.raw[name]]] : [])));
    itemsOf(record.model === 'file' ? 'files' : 'children', record.parent_id).push({
      id: record.id,
      sort: record.sort ?? 0,
      item,
    });
  }
  return [...members.values()].map(({ kind, name, items }) => ({
    kind,
    name,
    items: items.sort((a, b) => a.sort - b.sort || compareIds(a.id, b.id)).map(({ item }) => item),
  }));
}

/** Returns the paths of the files in a directory, sorted. Throws UnsafePathError if a symbolic link is in the path. */
function listSampleFiles(safeDir: SafeDirectory, directory: string): string[] {
  return safeDir.listEntries(directory).flatMap(({ path, isFile: regular }) => (regular ? [path] : []));
}

/** Throws UnsafePathError, or a UserError if the file is missing or not JSON. No message quotes the file, which may be a link to another one. */
function readJson(safeDir: SafeDirectory, path: string): unknown {
  const parsed = safeDir.stat(path) ? parseJson(readFileSync(safeDir.resolve(path), 'utf8')) : undefined;
  if (!isObject(parsed) && !Array.isArray(parsed))
    throw new UserError(`${join(safeDir.root, path)} is missing, or does not contain a JSON object or array.`);
  return parsed;
}
