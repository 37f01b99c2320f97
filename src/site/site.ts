/** The pages' one way to what they show. */
import type { Bases } from '../model/resources.ts';
import { payloadOf } from '../snapshot/read.ts';
import type { Catalogue } from './catalogue.ts';
import { buildContext } from './context.ts';
import type { ObjectEntry } from './entries.ts';
import { type RecordBehind, recordBehind } from './object-entries.ts';
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

/** The record behind an entry. */
export function recordOf(entry: ObjectEntry): RecordBehind {
  return recordBehind(entry, buildContext().store);
}

/** The parsed body of a guide resource. */
export function guideBody(kind: 'author' | 'article' | 'source', name: string): unknown {
  return payloadOf(buildContext().store, kind, name);
}

export function sourceBody(name: string): unknown {
  return guideBody('source', name);
}
