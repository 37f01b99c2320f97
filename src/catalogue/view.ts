/** Decides what may be read of a snapshot by whoever shows it: what the archive withholds is left out, and all that is outside the chosen collections. */
import { UserError } from '../model/errors.ts';
import { authorNameIn, readArticle, readAuthor } from '../model/guide.ts';
import { isObjectId } from '../model/ids.ts';
import { filesOf } from '../model/media.ts';
import { idsInHtml, idsInSource } from '../model/mentions.ts';
import { type ArchivalRecord, readRecord } from '../model/records.ts';
import { objectIdInUrl, type ResourceKind } from '../model/resources.ts';
import { plainText } from '../model/text.ts';
import { isObject } from '../model/values.ts';
import { createAncestry } from '../snapshot/ancestry.ts';
import { listItems } from '../snapshot/lists.ts';
import { basesOf, bodiesOf, bodyOf, namesOf, parseBody, payloadOf } from '../snapshot/read.ts';
import type { Store } from '../snapshot/store.ts';
import type { View } from '../snapshot/view.ts';
import { purgedIds } from '../snapshot/withdrawn.ts';
import { createNames, escapeText, withoutCopies, withoutFields, withoutLinks, withStrings } from './redaction.ts';
import { EVERYTHING, published } from './visibility.ts';
import type { Ground, Withholding } from './withholding.ts';

export interface ViewOptions {
  withholding: Withholding;
  /** IDs of the collections to show; undefined: all. */
  collections?: readonly string[] | undefined;
  /** Leaves out private records too, what is below them, and authors that are not published. */
  publicOnly?: boolean;
}

/** A record that the archive withdrew, and why. */
export interface Withdrawn extends Ground {
  id: string;
}

/** A snapshot as it may be shown. Every reader of the snapshot room leaves out what its view hides. */
export interface ShownStore extends Store {
  view: View;
  /** Why a record was withdrawn; undefined if it was not. */
  groundOf(id: string): Ground | undefined;
  /** What of the list withholds nothing, as it stands in the config: a mistyped ID, field or name. */
  unmatched(): string[];
  /** The records known to the snapshot that were withdrawn, with what was below them, in the order of IDs. */
  withdrawn(): Withdrawn[];
}

/** @throws UserError for a collection that the snapshot does not have. */
export function shownStore(store: Store, { withholding, collections, publicOnly = false }: ViewOptions): ShownStore {
  const bases = basesOf(store);
  const names = createNames(withholding.persons);
  const { of: above } = createAncestry(store);
  const chosen = collections && new Set(collections);
  const unknown = collections?.find(
    (id) => bodyOf(store, 'object', id) === undefined && listItems(store, 'children', id).length === 0,
  );
  if (unknown !== undefined)
    throw new UserError(`The snapshot has no collection ${unknown}: name a collection by its ID, such as demo-org-1.`);
  const records = new Map([...purgedRecords(store), ...withholding.records]);
  const chosenAbove = new Set((collections ?? []).flatMap((id) => [...above(id)]));
  /** IDs by which a text shows that something in it may be withheld. */
  const marks = lazily(() =>
    marksOf(store, [...records.keys(), ...withholding.fields.keys(), ...withholding.fieldsBelow.keys()], isWithdrawn),
  );

  /** Why a record is withdrawn, itself or with what it is below. */
  function groundOf(id: string): Ground | undefined {
    if (records.size === 0 || !isObjectId(id)) return undefined;
    for (const one of above(id)) {
      const ground = records.get(one);
      if (ground) return ground;
    }
    return undefined;
  }

  function isOutside(id: string): boolean {
    if (!chosen || !isObjectId(id) || chosenAbove.has(id)) return false;
    return [...above(id)].every((one) => !chosen.has(one));
  }

  const isWithdrawn = (id: string) => groundOf(id) !== undefined;
  const visible = publicOnly ? published(store) : EVERYTHING;
  const hidesObject = (id: string) => isWithdrawn(id) || isOutside(id) || !visible.record(id);
  const sources = remembered((name: string) => {
    const payload = payloadOf(store, 'source', name);
    const ids = isObject(payload) ? idsInSource(payload, name, bases) : [];
    return ids.some(isWithdrawn) || (ids.length > 0 && ids.every(isOutside));
  });
  const articles = remembered((name: string) => {
    const article = chosen && readArticle(payloadOf(store, 'article', name));
    if (!article) return false;
    const named = article.sources.flatMap((source) => {
      const payload = payloadOf(store, 'source', source.name);
      return isObject(payload) ? idsInSource(payload, source.name, bases) : [];
    });
    return [...named, ...idsInHtml(article.body, bases)].every(isOutside);
  });
  const authors = remembered((name: string) => {
    if (names.in(name) || !visible.author(name)) return true;
    const author = chosen && readAuthor(payloadOf(store, 'author', name));
    return author ? author.articles.every((article) => articles(article.name)) : false;
  });
  const urls = lazily(() => withdrawnUrls(store, isWithdrawn));

  function hides(kind: ResourceKind, name: string): boolean {
    if (kind === 'authors') return false;
    if (kind === 'author') return authors(name);
    if (kind === 'article') return articles(name);
    return kind === 'source' ? sources(name) : hidesObject(name);
  }

  function withoutWords(text: string): string {
    const unlinked = withoutLinks(text, (href) => {
      const id = objectIdInUrl(href, bases);
      return id !== undefined && isWithdrawn(id);
    });
    const kept = names.without(unlinked);
    // A name may be written with markup or entities in it: then it is the words that stay, without the markup.
    if (withholding.persons.length === 0 || !/[<&]/.test(kept)) return kept;
    const words = plainText(kept);
    return names.in(words) ? escapeText(names.without(words)) : kept;
  }

  /** Names of the fields that are taken out of a record. */
  function fieldsOf(id: string): Set<string> {
    const below =
      withholding.fieldsBelow.size === 0 ? [] : [...above(id)].flatMap((one) => [...(withholding.fieldsBelow.get(one) ?? [])]);
    return new Set([...(withholding.fields.get(id) ?? []), ...below]);
  }

  function redactObject(id: string, payload: Record<string, unknown>): Record<string, unknown> {
    const kept = withoutPersons(withoutFields(payload, fieldsOf(id)), names.in);
    const { signature_id: signature, links } = kept;
    const hidden = isObject(links) ? Object.entries(links).filter(([, url]) => urls().has(String(url))) : [];
    if (hidden.length === 0 && !(isObjectId(signature) && isWithdrawn(signature))) return kept;
    const shown = Object.entries(isObject(links) ? links : {}).filter(([name]) => !hidden.some(([other]) => other === name));
    const { signature_id: _, ...rest } = kept;
    return { ...rest, links: Object.fromEntries(shown) };
  }

  function redact(kind: ResourceKind, name: string, payload: unknown): unknown {
    if (!isObject(payload)) return payload;
    const kept = kind === 'object' && isObjectId(name) ? redactObject(name, payload) : withoutReferences(payload, hides);
    return withStrings(withoutCopies(kept, isWithdrawn, fieldsOf), withoutWords);
  }

  const view: View = {
    hides,
    // JSON may write any character as an escape: then only reading it tells.
    concerns: (kind, name, text) =>
      text.includes('\\u') ||
      names.in(text) ||
      marks().some((id) => text.includes(id)) ||
      (kind === 'object' && withholding.fieldsBelow.size > 0 && isObjectId(name)) ||
      (chosen !== undefined && (kind === 'article' || kind === 'author')),
    redact,
    hidesMedia: ({ url, owner }) => hidesObject(owner) || urls().has(url),
    ...(withholding.persons.length > 0 ? { redactText: names.without } : {}),
  };
  return {
    ...store,
    view,
    groundOf,
    unmatched: () => unmatchedIn(store, withholding, above),
    withdrawn: () => withdrawnIn(store, (id) => (isOutside(id) ? undefined : groundOf(id))),
  };
}

/** Records that were purged: what others say of them goes too. Their reason was not given for the public. */
function purgedRecords(store: Store): Map<string, Ground> {
  return new Map(purgedIds(store).map(({ id, date }) => [id, { reason: '', date, notice: false }]));
}

/** The IDs that are withheld, without those that show another one of them in their text. */
function marksOf(store: Store, named: string[], isWithdrawn: (id: string) => boolean): string[] {
  if (named.length === 0) return [];
  const others = namesOf(store, 'object').filter((id) => !named.some((mark) => id.includes(mark)) && isWithdrawn(id));
  return [...named, ...others];
}

/** What of the list finds nothing in the snapshot. */
function unmatchedIn(
  store: Store,
  { records, fields, fieldsBelow, persons }: Withholding,
  above: (id: string) => ReadonlySet<string>,
): string[] {
  const known = new Set(
    namesOf(store, 'object')
      .filter(isObjectId)
      .flatMap((id) => [...above(id)]),
  );
  const ids = [...records.keys(), ...fields.keys(), ...fieldsBelow.keys()].filter((id) => !known.has(id));
  const names = [...fields].flatMap(([id, own]) => {
    const payload = payloadOf(store, 'object', id);
    return isObject(payload) ? [...own].filter((name) => !(name in payload)).map((name) => `${name} of ${id}`) : [];
  });
  return [...ids, ...names, ...unknownPersons(store, persons)];
}

function unknownPersons(store: Store, persons: readonly string[]): string[] {
  const missing = new Map(persons.map((person) => [person, createNames([person])]));
  for (const kind of ['object', 'author', 'article', 'source'] as const) {
    if (missing.size === 0) break;
    for (const stored of bodiesOf(store, kind)) {
      const text = JSON.stringify(parseBody(stored) ?? ''); // without escapes
      for (const [person, names] of missing) if (names.in(text) || names.in(plainText(text))) missing.delete(person);
      if (missing.size === 0) break;
    }
  }
  return [...missing.keys()];
}

/** Lists of other resources without those that are hidden; what an author or a guide page refers to. */
function withoutReferences(payload: Record<string, unknown>, hides: View['hides']): Record<string, unknown> {
  let kept = payload;
  for (const [field, kind] of [
    ['authors', 'author'],
    ['articles', 'article'],
    ['sources', 'source'],
  ] as const) {
    const list = payload[field];
    if (!Array.isArray(list)) continue;
    const shown = list.filter((one) => {
      const name = typeof one === 'string' ? one : isObject(one) ? authorNameIn(one) : undefined;
      return name === undefined || !hides(kind, name);
    });
    if (shown.length < list.length) kept = { ...kept, [field]: shown };
  }
  return kept;
}

/** A record without the persons that are withheld in its lists of names. */
function withoutPersons(payload: Record<string, unknown>, isWithheld: (name: string) => boolean): Record<string, unknown> {
  let kept = payload;
  for (const field of ['creators', 'persons']) {
    const list = payload[field];
    if (!Array.isArray(list)) continue;
    const shown = list.filter(
      (one) => !Object.values(isObject(one) ? one : { one }).some((value) => typeof value === 'string' && isWithheld(value)),
    );
    if (shown.length < list.length) kept = { ...kept, [field]: shown };
  }
  return kept;
}

function withdrawnIn(store: Store, groundOf: (id: string) => Ground | undefined): Withdrawn[] {
  return namesOf(store, 'object').flatMap((id) => {
    const ground = groundOf(id);
    return ground ? [{ id, ...ground }] : [];
  });
}

/**
 * URLs of files that belong to withdrawn records. A file belongs to the file records that name it; where there are none, to the record whose
 * representative file it is (`signature_id`); else to whichever records name it.
 */
export function withdrawnUrls(store: Store, isWithdrawn: (id: string) => boolean): ReadonlySet<string> {
  const claims = new Map<string, { rank: number; withdrawn: boolean }>();
  for (const stored of bodiesOf(store, 'object')) {
    const record = readRecord(parseBody(stored));
    if (!record) continue;
    for (const { url, rank, id } of claimsOf(record)) {
      const [before, withdrawn] = [claims.get(url), isWithdrawn(id)];
      if (!before || rank > before.rank) claims.set(url, { rank, withdrawn });
      else if (rank === before.rank) before.withdrawn ||= withdrawn;
    }
  }
  return new Set([...claims].flatMap(([url, { withdrawn }]) => (withdrawn ? [url] : [])));
}

function claimsOf(record: ArchivalRecord): Array<{ url: string; rank: number; id: string }> {
  const { img, thumb } = record.links;
  const signature = isObjectId(record.signature_id) && record.model !== 'file' ? record.signature_id : undefined;
  return filesOf(record).map(({ url }) => {
    if (record.model === 'file') return { url, rank: 2, id: record.id };
    return signature !== undefined && (url === img || url === thumb)
      ? { url, rank: 1, id: signature }
      : { url, rank: 0, id: record.id };
  });
}

function remembered<T>(make: (name: string) => T): (name: string) => T {
  const known = new Map<string, T>();
  return (name) => {
    if (!known.has(name)) known.set(name, make(name));
    return known.get(name) as T;
  };
}

function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
