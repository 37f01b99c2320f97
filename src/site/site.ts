/** The pages' one way to what they show. */
import { type ArchivalRecord, readRecord } from '../model/records.ts';
import type { Bases } from '../model/resources.ts';
import { bodyOf, listItems, parseBody, type StoredBody } from '../snapshot/read.ts';
import type { Store } from '../snapshot/store.ts';
import type { Catalogue } from './catalogue.ts';
import { buildContext } from './context.ts';
import type { ObjectEntry } from './entries.ts';
import { bareRecord } from './fields.ts';
import type { Pictures } from './pictures.ts';
import type { Relations } from './relations.ts';

export interface Site extends Catalogue {
  relations: Relations;
  pictures: Pictures;
  bases: Bases;
}

let loaded: Site | undefined;

export function site(): Site {
  if (!loaded) {
    const { catalogue, relations, pictures } = buildContext();
    loaded = {
      ...catalogue,
      relations,
      pictures,
      bases: { authors: catalogue.facts.authorsUrl, catalog: catalogue.facts.catalogUrl },
    };
  }
  return loaded;
}

/** Those of a route's pages that must be rendered; the others are as the last build left them. `pagesOf` names the pages of one thing. */
export function stalePages<Thing, Params>(
  things: Iterable<Thing>,
  pagesOf: (thing: Thing) => Array<{ path: string; params: Params; shown: () => unknown }>,
): Array<{ params: Params }> {
  const { ledger } = buildContext();
  const stale: Array<{ params: Params }> = [];
  for (const thing of things) {
    for (const { path, params, shown } of pagesOf(thing)) if (ledger.enter(path, shown)) stale.push({ params });
  }
  return stale;
}

/** The record behind an entry: its body, or what there is in its stead. */
export function recordOf(
  entry: Pick<ObjectEntry, 'id' | 'origin' | 'parent' | 'model'>,
  store: Store = buildContext().store,
): { record: ArchivalRecord; stored: StoredBody | undefined } {
  const stored = entry.origin === 'record' ? bodyOf(store, 'object', entry.id) : undefined;
  const summary =
    entry.origin === 'summary' && entry.parent
      ? listItems(store, entry.model === 'file' ? 'files' : 'children', entry.parent).find((item) => item['id'] === entry.id)
      : undefined;
  const record = readRecord(stored ? parseBody(stored.body) : { ...bareRecord(entry.id), ...summary });
  if (!record) throw new Error(`The record ${entry.id} cannot be read from the snapshot`);
  return { record, stored };
}

/** The parsed body of a guide resource. */
export function guideBody(kind: 'author' | 'article' | 'source', name: string): unknown {
  const stored = bodyOf(buildContext().store, kind, name);
  return stored && parseBody(stored.body);
}

export function sourceBody(name: string): unknown {
  return guideBody('source', name);
}
