/** Which files the records name: each address once, with the record that gives it its file name. */
import { compareIds, type Model } from '../model/ids.ts';
import { filesOf, type MediaKind, type NamedFile } from '../model/media.ts';
import { readRecord } from '../model/records.ts';
import { bodiesOf, parseBody } from '../snapshot/read.ts';
import type { Store } from '../snapshot/store.ts';

export interface WantedFile extends NamedFile {
  /** The id of the record after which the file is named. */
  owner: string;
}

/** The files of every record, in the order of their owners' ids. A file that several records share belongs to its file record, else to the first by id. */
export function wantedFiles(store: Store, kinds: ReadonlySet<MediaKind>): WantedFile[] {
  const wanted = new Map<string, WantedFile & { model: Model }>();
  for (const stored of bodiesOf(store, 'object')) {
    const record = readRecord(parseBody(stored));
    if (!record) continue;
    for (const { kind, url } of filesOf(record)) {
      if (!kinds.has(kind) || !/^https?:\/\//.test(url) || !URL.canParse(url)) continue;
      const before = wanted.get(url);
      if (!before || outranks(record, before)) wanted.set(url, { url, owner: record.id, kind, model: record.model });
    }
  }
  return [...wanted.values()].sort((a, b) => compareIds(a.owner, b.owner)).map(({ url, owner, kind }) => ({ url, owner, kind }));
}

function outranks(record: { id: string; model: Model }, before: { owner: string; model: Model }): boolean {
  if ((record.model === 'file') !== (before.model === 'file')) return record.model === 'file';
  return compareIds(record.id, before.owner) < 0;
}
