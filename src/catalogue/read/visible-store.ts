/** Creates the visible snapshot: leaves out what the archive withholds, and everything outside the chosen collections. */
import { UserError } from '../../model/errors.ts';
import { authorNameInEntry, readArticle, readAuthor } from '../../model/guide/guide.ts';
import { isObjectId } from '../../model/ids.ts';
import { filesOfRecord } from '../../model/media/media.ts';
import { extractIdsFromSource, extractIdsFromTexts } from '../../model/mentions.ts';
import { type ArchivalRecord, parseRecord } from '../../model/records.ts';
import { narratorPath, possibleIdsInUrl, type ResourceKind } from '../../model/resources.ts';
import { escapeHtml } from '../../model/text/markup.ts';
import { toPlainText } from '../../model/text/text.ts';
import { elementsOf, isObject } from '../../model/values.ts';
import { lazy, memoized } from '../../platform/lazy.ts';
import { createAncestry } from '../../snapshot/ancestry.ts';
import { listItems } from '../../snapshot/lists.ts';
import { readAllNarrators } from '../../snapshot/narrators.ts';
import { purgedIds } from '../../snapshot/purged.ts';
import { parseBody, readBaseUrls, readBodies, readBody, readPayload, readResourceNames } from '../../snapshot/read.ts';
import type { Store, VisibilityFilter } from '../../snapshot/store.ts';
import { createNarratorFilter, omitNarrators } from '../people/narrators.ts';
import { createNameMatcher } from './name-matcher.ts';
import { mapStrings, omitFields, omitPersons, redactCopies, redactLinks } from './redaction.ts';
import { findUnmatched } from './unmatched.ts';
import { createPublicationStatus, EVERYTHING } from './visibility.ts';
import { EVERYWHERE, type Withdrawal, type Withholding } from './withholding.ts';

/** What a visible snapshot leaves out. */
export interface VisibleStoreOptions {
  withholding: Withholding;
  /** IDs of the collections to show; all if undefined. */
  collections?: readonly string[] | undefined;
  /** Whether to leave out private records, everything below them, and unpublished authors too. */
  publicOnly?: boolean;
  /** At which use of what is public it is checked whether the snapshot has changed; 1 by default. */
  usesPerCheck?: number;
}

/** A withdrawn record, and why; or one that has another ID now. */
export interface Withdrawn extends Withdrawal {
  id: string;
  /** The other ID: the page leads to its record. */
  movedTo?: string;
}

/** A visible snapshot. All readers of `src/snapshot` leave out what its `filter` hides. */
export type VisibleStore = ReturnType<typeof createVisibleStore>;

/**
 * Returns the visible snapshot of a store.
 * @throws {UserError} if the snapshot does not contain a chosen collection.
 */
export function createVisibleStore(store: Store, { withholding, collections, publicOnly, usesPerCheck }: VisibleStoreOptions) {
  const baseUrls = readBaseUrls(store);
  const names = createNameMatcher(withholding.persons);
  const { idsOf: ancestorsOf } = createAncestry(store);
  const chosen = collections && new Set(collections);
  const unknown = collections?.find(
    (id) => readBody(store, 'object', id) === undefined && listItems(store, 'children', id).length === 0,
  );
  if (unknown !== undefined)
    throw new UserError(`The snapshot has no collection ${unknown}. Give the ID of a collection, such as demo-org-1.`);
  // Other records may still mention purged ones. The reasons of a purge are not public.
  const purged = purgedIds(store).map(({ id, date }) => [id, { reason: '', date, notice: false }] as const);
  const records = new Map<string, Withdrawal>([...purged, ...withholding.records]);
  const chosenAncestors = new Set((collections ?? []).flatMap((id) => [...ancestorsOf(id)]));
  /** Every text in which something may have to be withheld contains one of these IDs. */
  const markers = lazy(() => {
    const ids = [...records.keys(), ...withholding.fields.keys(), ...withholding.fieldsBelow.keys()];
    const others = ids.length === 0 ? [] : readResourceNames(store, 'object');
    return [...ids, ...others.filter((id) => !ids.some((marker) => id.includes(marker)) && isWithdrawn(id))];
  });

  /** Returns why a record is withdrawn, by itself or with an ancestor. */
  function withdrawalOf(id: string): Withdrawal | undefined {
    if (records.size === 0 || !isObjectId(id)) return undefined;
    for (const ancestor of ancestorsOf(id)) {
      const withdrawal = records.get(ancestor);
      if (withdrawal) return withdrawal;
    }
    return undefined;
  }

  function isOutside(id: string): boolean {
    if (!chosen || !isObjectId(id) || chosenAncestors.has(id)) return false;
    return [...ancestorsOf(id)].every((ancestor) => !chosen.has(ancestor));
  }

  const isWithdrawn = (id: string) => withdrawalOf(id) !== undefined;
  const visible = publicOnly ? createPublicationStatus(store, usesPerCheck) : EVERYTHING;
  const hidesObject = (id: string) => isWithdrawn(id) || isOutside(id) || !visible.record(id);
  const idsOfSource = (name: string) => {
    const payload = readPayload(store, 'source', name);
    return isObject(payload) ? extractIdsFromSource(payload, name, baseUrls) : [];
  };
  const sources = memoized((name: string) => {
    const ids = idsOfSource(name);
    return ids.some(isWithdrawn) || (ids.length > 0 && ids.every(isOutside));
  });
  const articles = memoized((name: string) => {
    const article = chosen && readArticle(readPayload(store, 'article', name));
    if (!article) return false;
    const ids = article.sources.flatMap((source) => idsOfSource(source.name));
    return [...ids, ...extractIdsFromTexts(article.sections, baseUrls)].every(isOutside);
  });
  const authors = memoized((name: string) => {
    if (names.matches(name) || !visible.author(name)) return true;
    const author = chosen && readAuthor(readPayload(store, 'author', name));
    return author ? author.articles.every((article) => articles(article.name)) : false;
  });
  const narrators = lazy(() => createNarratorFilter(store, hidesObject, chosen !== undefined));
  const showsPart = chosen !== undefined || publicOnly === true;
  const readsOthers = records.size > 0 || withholding.fieldsBelow.size > 0 || showsPart;
  /** Narrators with a withheld name: the URL of the portrait by the name of the resource. */
  const withheldNarrators = lazy(() => {
    const all = withholding.persons.length === 0 ? [] : [...readAllNarrators(store).values()];
    const withheld = all.filter(({ name, fullName }) => names.matches(`${name}\n${fullName}`));
    return new Map(withheld.map(({ id, portrait }) => [narratorPath(id), portrait]));
  });
  const hidesNarrator = (name: string) => withheldNarrators().has(name) || (readsOthers && narrators()(name));
  const urls = lazy(() => {
    const withdrawn = records.size === 0 ? new Set<string>() : findWithdrawnUrls(store, isWithdrawn);
    return withdrawn.union(new Set(withheldNarrators().values()));
  });

  function hides(kind: ResourceKind, name: string): boolean {
    if (kind === 'authors') return false;
    if (kind === 'author') return authors(name);
    if (kind === 'article') return articles(name);
    if (kind === 'narrator') return hidesNarrator(name);
    return kind === 'source' ? sources(name) : hidesObject(name);
  }

  function redactText(text: string): string {
    const unlinked = redactLinks(text, (href) => possibleIdsInUrl(href, baseUrls).some(isWithdrawn));
    const redacted = names.redact(unlinked);
    // A name may contain markup or entities. Then only the text without markup remains.
    if (withholding.persons.length === 0 || !/[<&]/.test(redacted)) return redacted;
    const plain = toPlainText(redacted);
    return names.matches(plain) ? escapeHtml(names.redact(plain)) : redacted;
  }

  /** Returns the names of the fields that are removed from a record. */
  function fieldsOf(id: string): Set<string> {
    const inherited =
      withholding.fieldsBelow.size === 0
        ? []
        : [EVERYWHERE, ...ancestorsOf(id)].flatMap((ancestor) => [...(withholding.fieldsBelow.get(ancestor) ?? [])]);
    return new Set([...(withholding.fields.get(id) ?? []), ...inherited]);
  }

  function redactObject(id: string, payload: Record<string, unknown>): Record<string, unknown> {
    const redacted = omitPersons(omitFields(payload, fieldsOf(id)), names.matches);
    const { signature_id: signature, links } = redacted;
    const hidden = isObject(links) ? Object.entries(links).filter(([, url]) => urls().has(String(url))) : [];
    if (hidden.length === 0 && !(isObjectId(signature) && isWithdrawn(signature))) return redacted;
    const shown = Object.entries(isObject(links) ? links : {}).filter(([name]) => !hidden.some(([other]) => other === name));
    const { signature_id: _, ...rest } = redacted;
    return { ...rest, links: Object.fromEntries(shown) };
  }

  function redact(kind: ResourceKind, name: string, payload: unknown): unknown {
    if (!isObject(payload)) return payload;
    if (kind === 'narrators') return mapStrings(omitNarrators(payload, hidesNarrator), redactText);
    const redacted = kind === 'object' && isObjectId(name) ? redactObject(name, payload) : omitHiddenReferences(payload, hides);
    return mapStrings(redactCopies(redacted, isWithdrawn, fieldsOf), redactText);
  }

  const filter: VisibilityFilter = {
    readsOthers,
    hides,
    // JSON may contain any character as an escape, and a name may have markup in it, so such text must be parsed.
    mayConcern: (kind, name, text) =>
      text.includes('\\u') ||
      (withholding.persons.length > 0 && /\\[bfnrt]|[<&]/.test(text)) ||
      names.matches(text) ||
      (kind === 'narrators' && readsOthers) ||
      markers().some((id) => text.includes(id)) ||
      withholding.fieldsBelow.has(EVERYWHERE) ||
      (kind === 'object' && withholding.fieldsBelow.size > 0 && isObjectId(name)) ||
      // They may name authors and guide pages that are not shown.
      (showsPart && (kind === 'article' || kind === 'author')),
    redact,
    hidesMedia: ({ url, owner }) => hides(readBody(store, 'source', owner) ? 'source' : 'object', owner) || urls().has(url),
    ...(withholding.persons.length > 0 ? { redactText: names.redact } : {}),
  };
  return {
    ...store,
    filter,
    /** Returns why a record was withdrawn; undefined if it was not. */
    withdrawalOf,
    /** Returns the entries of the setting `withhold` that match nothing: mistyped IDs, fields and names. */
    unmatched: () => findUnmatched(store, withholding, ancestorsOf),
    /** Returns the withdrawn records that the snapshot knows, including those below another one, sorted by ID. */
    withdrawn: () =>
      readResourceNames(store, 'object').flatMap((id): Withdrawn[] => {
        const withdrawal = isOutside(id) ? undefined : withdrawalOf(id);
        return withdrawal ? [{ id, ...withdrawal }] : [];
      }),
  };
}

/** Returns an author or guide page without references to hidden resources. */
function omitHiddenReferences(payload: Record<string, unknown>, hides: VisibilityFilter['hides']): Record<string, unknown> {
  let result = payload;
  for (const [field, kind] of [
    ['authors', 'author'],
    ['articles', 'article'],
    ['sources', 'source'],
  ] as const) {
    const list = elementsOf(payload[field]);
    if (list === undefined) continue;
    const shown = list.filter((item) => {
      const name = typeof item === 'string' ? item : isObject(item) ? authorNameInEntry(item) : undefined;
      return name === undefined || !hides(kind, name);
    });
    if (shown.length < list.length) result = { ...result, [field]: shown };
  }
  return result;
}

/**
 * Returns the URLs of the files of withdrawn records. A file belongs to the file records that name it. If there are none, it
 * belongs to the record that it represents (`signature_id`), else to all records that name it.
 */
export function findWithdrawnUrls(store: Store, isWithdrawn: (id: string) => boolean): ReadonlySet<string> {
  const claims = new Map<string, { rank: number; withdrawn: boolean }>();
  for (const stored of readBodies(store, 'object')) {
    const record = parseRecord(parseBody(stored), { url: stored.url });
    if (!record) continue;
    for (const { url, rank, id } of fileClaimsOf(record)) {
      const [before, withdrawn] = [claims.get(url), isWithdrawn(id)];
      if (!before || rank > before.rank) claims.set(url, { rank, withdrawn });
      else if (rank === before.rank) before.withdrawn ||= withdrawn;
    }
  }
  return new Set([...claims].flatMap(([url, { withdrawn }]) => (withdrawn ? [url] : [])));
}

function fileClaimsOf(record: ArchivalRecord): Array<{ url: string; rank: number; id: string }> {
  const { img, thumb } = record.links;
  const signature = isObjectId(record.signature_id) && record.model !== 'file' ? record.signature_id : undefined;
  return filesOfRecord(record).map(({ url }) => {
    if (record.model === 'file') return { url, rank: 2, id: record.id };
    return signature !== undefined && (url === img || url === thumb)
      ? { url, rank: 1, id: signature }
      : { url, rank: 0, id: record.id };
  });
}
