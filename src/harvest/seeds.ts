/** Seeds of a harvest: the authors list, the records that the operator names, and with `--discover` the catalog index. */
import { Parser } from 'htmlparser2';
import { type Client, PROBE } from '../http/client.ts';
import { FetchError } from '../http/errors.ts';
import { itemOfFileRole, listKindsForId } from '../model/ids.ts';
import { type BaseUrls, isSameHost, objectIdInUrl, type Resource } from '../model/resources.ts';
import { INDEX_RESOURCE } from './catalog-index.ts';
import { prefetch } from './fetch-resource.ts';
import { firstPage } from './list-tracker.ts';
import { preflight } from './preflight.ts';
import type { PreviousHarvest } from './previous-harvest.ts';

/** The options of a harvest that determine its seeds. */
export interface SeedOptions {
  baseUrls: BaseUrls;
  /** IDs of seed records, in addition to the authors list. */
  seeds: string[];
  /** IDs of the collections to harvest, with their ancestors; the entire archive if empty. */
  collections: string[];
  /** Starts from the catalog index too. */
  discover: boolean;
  limits: { maxDepth: number };
  /** Stops the run after the requests in flight. The next run resumes it. */
  signal?: AbortSignal;
}

/** What is known before the crawl starts, with what the sitemap names. */
export type Start = Awaited<ReturnType<typeof preflight>> & { sitemap: Resource[] };

/** The start of a harvest that resumes another one: the frontier has its seeds. */
export const NO_SEEDS = { prefetched: new Map(), repositories: [], sitemap: [] } satisfies Omit<Start, 'baseUrls'>;

/** Maximum seed records to request before both base URLs are known to be right. */
const MAX_EARLY = 16;

/**
 * Checks both base URLs. For a new snapshot, requests the first seed records at the same time.
 * @throws {UserError} if upstream cannot be used, see `preflight`
 */
export async function fetchSeeds(options: SeedOptions, client: Client, before: PreviousHarvest | undefined): Promise<Start> {
  const { baseUrls, seeds, collections, signal } = options;
  const cancelPrefetch = new AbortController();
  const signals = [cancelPrefetch.signal, ...(signal ? [signal] : [])];
  const knowsRepositories = before?.run !== undefined || seeds.length > 0 || collections.length > 0;
  // The authors list may be empty if the harvest has other seeds.
  const ready = preflight(baseUrls, client, { mayBeEmpty: knowsRepositories || options.discover, knowsRepositories, signal });
  const early = { client, baseUrls, maxDepth: options.limits.maxDepth, signal: AbortSignal.any(signals) };
  const earlyResponses = before || collections.length > 0 ? [] : prefetch(firstSeeds(seeds), early);
  try {
    const { prefetched, ...known } = await ready;
    const sitemap = options.discover ? await readSitemap(client, known.baseUrls, signal) : [];
    return { ...known, sitemap, prefetched: new Map([...prefetched, ...earlyResponses]) };
  } catch (error) {
    cancelPrefetch.abort();
    throw error;
  }
}

/** Returns the seeds of a harvest. The writer drops those outside the harvest's scope. */
export function seedResources({ seeds, collections, discover }: SeedOptions): Resource[] {
  return [firstPage('authors', ''), ...[...seeds, ...collections].map(seedResource), ...(discover ? [INDEX_RESOURCE] : [])];
}

/**
 * Returns the first seed records without duplicates, and for a repository, an organization or a collection also the list of its
 * children. Nearly every such record names that list. If one does not, the response is not used.
 */
function firstSeeds(seeds: string[]): Resource[] {
  const names = new Set(seeds.map((id) => seedResource(id).name));
  return [...names].slice(0, MAX_EARLY).flatMap((name) => {
    const top: Resource = { kind: 'object', name };
    return listKindsForId(name).length === 1 ? [top, firstPage('children', name)] : [top];
  });
}

/** Returns the seed for an ID. A file role has no record, so its item is the seed. */
export const seedResource = (id: string): Resource => ({ kind: 'object', name: itemOfFileRole(id) });

/** Maximum sitemaps to read: a sitemap may name others. */
const MAX_SITEMAPS = 500;

/** Returns the records that the sitemap of the catalog's host names, each once, as speculative resources; none without one. */
async function readSitemap(client: Client, baseUrls: BaseUrls, signal: AbortSignal | undefined): Promise<Resource[]> {
  const ids = new Set<string>();
  const urls = new Set([`${baseUrls.catalog}/sitemap.xml`]);
  for (const url of urls) {
    const response = await client.get(url, { ...PROBE, signal }).catch((error: unknown) => {
      if (!(error instanceof FetchError)) throw error;
    });
    for (const { location, isSitemap } of locationsIn(Buffer.from(response?.body ?? '').toString(), baseUrls)) {
      const id = isSitemap ? undefined : objectIdInUrl(location.href, baseUrls);
      if (id !== undefined) ids.add(id);
      else if (isSitemap && urls.size < MAX_SITEMAPS) urls.add(location.href);
    }
  }
  return [...ids].map((name) => ({ kind: 'object', name, speculative: true }));
}

/** Returns the locations on the catalog's host in a sitemap, and which are sitemaps. Element names may have any prefix. */
function locationsIn(xml: string, { catalog }: BaseUrls): Array<{ location: URL; isSitemap: boolean }> {
  const found: ReturnType<typeof locationsIn> = [];
  const path: string[] = [];
  let text = '';
  const parser = new Parser(
    {
      onopentag(name) {
        path.push(name.slice(name.indexOf(':') + 1));
        text = '';
      },
      ontext(part) {
        text += part;
      },
      onclosetag() {
        const location = path.pop() === 'loc' ? URL.parse(text) : null;
        if (location && isSameHost(location, new URL(catalog)))
          found.push({ location, isSitemap: path.at(-1) === 'sitemap' || location.pathname.endsWith('.xml') });
        text = '';
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return found;
}
