/** The pages' one way to what they show: the mirror in each of its languages. */
import { join } from 'node:path';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { ObjectEntry } from '../catalogue/entries.ts';
import { type RecordBehind, recordBehind } from '../catalogue/object-entries.ts';
import type { Relations } from '../catalogue/relations.ts';
import type { SearchForms } from '../client/search-forms.ts';
import type { Tiles } from '../derivatives/iiif.ts';
import type { Mirrored, MirroredFile } from '../derivatives/mirrored.ts';
import { decodeBody } from '../model/json.ts';
import { LONGEST_FILE_TEXT } from '../model/limits.ts';
import type { Bases } from '../model/resources.ts';
import { beginningOf } from '../platform/beginning.ts';
import { payloadOf } from '../snapshot/read.ts';
import { buildContext, type Kiosk } from './context.ts';
import { createEditions, type Edition } from './language/edition.ts';
import { below, type Pictures } from './pictures.ts';

export interface Site extends Catalogue {
  relations: Relations;
  /** Their paths hold from the top of this edition's pages. */
  pictures: Pictures;
  /** Pictures that are looked into tile by tile; their paths hold from the top of the site. */
  tiles: Readonly<Record<string, Tiles>>;
  /** Recordings, texts and originals; their paths hold from the top of the site. */
  mirrored: Mirrored;
  bases: Bases;
  /** Where the mirror is for a kiosk. */
  kiosk: Kiosk | undefined;
  edition: Edition;
  searchForms: SearchForms;
  /** Whether pages and thumbnails stand in packs. */
  compact: boolean;
  /** The mirror's own address with a slash at its end, where it will be hosted. */
  address: string | undefined;
}

let loaded: Site[] | undefined;

/** The mirror in every language of the build, the one at the top first. */
export function sites(): Site[] {
  if (!loaded) {
    const { catalogue, relations, pictures, tiles, mirrored, kiosk, searchForms, compact, languages, address } = buildContext();
    const bases = { authors: catalogue.facts.authorsUrl, catalog: catalogue.facts.catalogUrl };
    loaded = createEditions(languages).map((edition) => ({
      ...catalogue,
      relations,
      pictures: below(edition.root, pictures),
      tiles,
      mirrored,
      kiosk,
      searchForms,
      compact,
      bases,
      edition,
      address,
    }));
  }
  return loaded;
}

/** The mirror in the language that a route's `lang` names; without one, the language at the top. */
export function site(lang: string | undefined): Site {
  const found = sites().find(({ edition }) => (lang === undefined ? edition.prefix === '' : edition.prefix === `${lang}/`));
  if (!found) throw new Error(`There is no edition at ${lang}`);
  return found;
}

/** What a route's path has for an edition; the one at the top has none. */
type Lang = { lang: string | undefined };

const langOf = ({ edition }: Site): Lang => ({ lang: edition.prefix === '' ? undefined : edition.language });

/** One page an edition: for routes that are one page. */
export function everyEdition(): Array<{ params: Lang }> {
  return sites().map((one) => ({ params: langOf(one) }));
}

/** Those of a route's pages that must be rendered, edition by edition; the others are as the last build left them. `pagesOf` names the pages of one thing. */
export function stalePages<Thing, Params>(
  thingsOf: (site: Site) => Iterable<Thing>,
  pagesOf: (thing: Thing, site: Site) => Array<{ path: string; params: Params; shown: () => unknown }>,
): Array<{ params: Params & Lang }> {
  const stale: Array<{ params: Params & Lang }> = [];
  for (const one of sites()) {
    for (const thing of thingsOf(one)) {
      for (const { path, params, shown } of pagesOf(thing, one)) {
        if (isStale(`${one.edition.prefix}${path}`, shown)) stale.push({ params: { ...params, ...langOf(one) } });
      }
    }
  }
  return stale;
}

/** Whether a page must be rendered; so must one of which it cannot even be said what it shows, to say so. */
function isStale(path: string, shown: () => unknown): boolean {
  const { ledger, problems } = buildContext();
  try {
    return ledger.enter(path, shown);
  } catch (error) {
    problems.fail(path, error);
    return true;
  }
}

/** What a page shows; undefined where it could not be made, so that a page has to say so. */
export function viewOf<View>({ edition }: Site, path: string, make: () => View): View | undefined {
  return buildContext().problems.hasFailed(`${edition.prefix}${path}`) ? undefined : make();
}

/** The record behind an entry. */
export function recordOf(entry: ObjectEntry): RecordBehind {
  return recordBehind(entry, buildContext().store);
}

/** The words of a file of the snapshot (of a very long one those at its beginning), in whatever encoding it was written; undefined where it has none that could be read. */
export function textOf({ source, mimetype, words }: MirroredFile): string | undefined {
  const { dir, view } = buildContext().store;
  const redacted = (text: string) => view?.redactText?.(text) ?? text;
  const read = (file: string) => redacted(decodeBody(beginningOf(file, LONGEST_FILE_TEXT)));
  if (words !== undefined) return read(words);
  return mimetype.startsWith('text/') ? read(join(dir, source)) : undefined;
}

/** The parsed body of a guide resource. */
export function guideBody(kind: 'author' | 'article' | 'source', name: string): unknown {
  return payloadOf(buildContext().store, kind, name);
}

export function sourceBody(name: string): unknown {
  return guideBody('source', name);
}
