/**
 * The repositories of an archive. The ID of each record begins with that of its repository, so that what guide pages and sources
 * name is known not to be a record without a request (docs/upstream-api.md, "Object IDs").
 */
import { isGuideKind, parseResourceKey, type Resource } from '../model/resources.ts';
import { prepareStatement, type Store } from '../snapshot/store.ts';

/** The referrer of what a sitemap names. */
export const SITEMAP_KEY = 'sitemap:';

/** Returns the IDs of the repositories of stored records, and of the records that the operator names. */
export function knownRepositories(store: Store, seeds: readonly string[]): Set<string> {
  const rows = prepareStatement(
    store,
    `SELECT DISTINCT substr(name, 1, instr(name || '-', '-') - 1) AS id FROM resource WHERE kind = 'object' AND response IS NOT NULL`,
  ).all();
  return new Set([...rows.map(({ id }) => String(id)), ...seeds.map(repositoryOf)]);
}

/** Adds the repositories of the records that the catalogue itself has or names in a response. */
export function learnRepositories(resource: Resource, discovered: readonly Resource[], known: Set<string>): void {
  if (isGuideKind(resource.kind)) return;
  for (const { kind, name } of [resource, ...discovered]) if (kind === 'object') known.add(repositoryOf(name));
}

/** Returns whether a resource is not a record of the archive, although a guide page, a source or a sitemap names it as one. */
export function isForeign({ kind, name }: Resource, referrer: string | null | undefined, known: ReadonlySet<string>): boolean {
  if (kind !== 'object' || known.size === 0 || known.has(repositoryOf(name))) return false;
  return referrer === SITEMAP_KEY || isNamedByGuide(referrer ?? null);
}

/** Whether an author, a guide page or a source named a resource. `referrer` is its key. */
export function isNamedByGuide(referrer: string | null): boolean {
  const kind = referrer === null ? undefined : parseResourceKey(referrer).kind;
  return kind !== undefined && kind !== 'authors' && isGuideKind(kind);
}

const repositoryOf = (id: string): string => id.slice(0, `${id}-`.indexOf('-'));
