/** The pages' one way to the snapshot: opened once, read-only, when the first page needs it. */
import { readFileSync } from 'node:fs';
import { type ArchivalRecord, readRecord } from '../model/records.ts';
import type { Bases } from '../model/resources.ts';
import { openArchive } from '../snapshot/archive.ts';
import { bodyOf, listItems, meta, parseBody, type StoredBody } from '../snapshot/read.ts';
import type { Store } from '../snapshot/store.ts';
import { type Catalogue, type ObjectEntry, readCatalogue } from './catalogue.ts';
import { bareRecord } from './fields.ts';
import type { Pictures } from './pictures.ts';
import { buildSettings } from './settings.ts';

let opened: Store | undefined;
let read: Catalogue | undefined;
let made: Pictures | undefined;

export function store(): Store {
  opened ??= openArchive(buildSettings().snapshot);
  return opened;
}

export function catalogue(): Catalogue {
  read ??= readCatalogue(store());
  return read;
}

export function pictures(): Pictures {
  const { pictures: file } = buildSettings();
  made ??= file === undefined ? {} : (JSON.parse(readFileSync(file, 'utf8')) as Pictures);
  return made;
}

export function bases(): Bases {
  return { authors: meta(store(), 'authors_url') ?? '', catalog: meta(store(), 'catalog_url') ?? '' };
}

/** The record behind an entry: its body, or what there is in its stead. */
export function recordOf(entry: Pick<ObjectEntry, 'id' | 'origin' | 'parent' | 'model'>): {
  record: ArchivalRecord;
  stored: StoredBody | undefined;
} {
  const stored = entry.origin === 'record' ? bodyOf(store(), 'object', entry.id) : undefined;
  const summary =
    entry.origin === 'summary' && entry.parent
      ? listItems(store(), entry.model === 'file' ? 'files' : 'children', entry.parent).find((item) => item['id'] === entry.id)
      : undefined;
  const record = readRecord(stored ? parseBody(stored.body) : { ...bareRecord(entry.id), ...summary });
  if (!record) throw new Error(`The record ${entry.id} cannot be read from the snapshot`);
  return { record, stored };
}

/** The parsed body of a guide resource. */
export function guideBody(kind: 'author' | 'article' | 'source', name: string): unknown {
  const stored = bodyOf(store(), kind, name);
  return stored && parseBody(stored.body);
}

export function sourceBody(name: string): unknown {
  return guideBody('source', name);
}
