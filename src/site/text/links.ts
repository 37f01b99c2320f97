/** Links in the archive's texts: those to something in the site stay inside it. */
import type { Relations } from '../../catalogue/lists/relations.ts';
import { articlePath, authorPath, objectPath, personPath, relativeUrl } from '../../catalogue/urls.ts';
import { safeExternalUrl } from '../../model/external-url.ts';
import { isSameHost, possibleIdsInUrl } from '../../model/resources.ts';
import { MAX_URL_LENGTH } from '../../model/text/limits.ts';
import { decodePercent } from '../../model/text/percent.ts';
import { slugOf } from '../../model/text/slug.ts';
import type { Site } from '../site.ts';
import type { ResolveLink } from './sanitize.ts';

/** The part of a site that links depend on. */
type LinkContext = Pick<Site, 'relations' | 'baseUrls'>;

/**
 * Returns the path of the page in the site for a URL of the live archive, in any spelling: with `http:` or `https:`, with or
 * without `www.`, trailing slash, query and fragment, or relative. Undefined for anything that has no page.
 */
export function pathOfLiveUrl(href: string, { relations, baseUrls }: LinkContext): string | undefined {
  if (href.length > MAX_URL_LENGTH || href.startsWith('#')) return undefined;
  const id = possibleIdsInUrl(href, baseUrls).find(relations.has);
  if (id !== undefined) return objectPath(id);
  // An absolute URL is the same from both bases.
  const hrefs = new Set([baseUrls.authors, baseUrls.catalog].flatMap((base) => URL.parse(href, `${base}/`)?.href ?? []));
  for (const url of Array.from(hrefs, (each) => new URL(each))) {
    const { object, article, author } = relations.byLiveUrl(url.href);
    if (object) return objectPath(object.id);
    if (article) return articlePath(article.slug);
    if (author) return pathOfAuthor(author.slug, relations);
    const has = pagesOnHost(url, { relations, baseUrls });
    const there = has && possibleIdsInUrl(url.href, { ...baseUrls, catalog: url.origin }).find(relations.has);
    const path = (has === 'guide' ? pathOfGuideName(url, relations) : undefined) ?? (there && objectPath(there));
    if (path !== undefined) return path;
  }
  return undefined;
}

/**
 * Returns what the archive has on the host of a URL: the guide, perhaps with records, or records only. Its hosts are those of the
 * APIs, those that its sources name, and those of the domain that both APIs share.
 */
function pagesOnHost(url: URL, { relations, baseUrls }: LinkContext): 'guide' | 'records' | undefined {
  const [guide, catalog] = [new URL(baseUrls.authors), new URL(baseUrls.catalog)];
  if (isSameHost(url, guide) || relations.byLiveUrl(url.origin).isHost) return 'guide';
  if (isSameHost(url, catalog)) return 'records';
  const domain = sharedDomain(guide.hostname, catalog.hostname);
  return domain !== undefined && url.hostname.endsWith(`.${domain}`) ? 'guide' : undefined;
}

/** Domains in which anyone can have one: of a country, or of a host for everyone's pages. */
const PUBLIC_DOMAIN =
  /^(?:ac|co|com|edu|go|gob|gov|ne|net|or|org)\.[a-z]{2}$|^(?:github|gitlab|netlify|pages|vercel|web)\.[a-z]+$/;

/** Returns the labels at the end that two host names share; undefined if these are no domain of one owner. */
function sharedDomain(a: string, b: string): string | undefined {
  if (/^[\d.]+$|:/.test(a)) return undefined;
  const labelsOf = (host: string) =>
    host
      .replace(/^www\./, '')
      .split('.')
      .reverse();
  const [labels, others] = [labelsOf(a), labelsOf(b)];
  const count = labels.findIndex((label, i) => label !== others[i]);
  const shared = labels.slice(0, count === -1 ? labels.length : count);
  const domain = shared.reverse().join('.');
  return domain.includes('.') && !PUBLIC_DOMAIN.test(domain) ? domain : undefined;
}

/** Returns the path of the page of the person who is an author. */
export function pathOfAuthor(slug: string, { personOfAuthor }: Pick<Relations, 'personOfAuthor'>): string {
  const person = personOfAuthor(slug);
  return person === undefined ? authorPath(slug) : personPath(person);
}

/**
 * Returns the path of the guide page or author that a URL names, such as `…/wiki/Fish_market`, `…/Fish_market/` at the top of a
 * host, or `…/authors/Ada%20Quill/`.
 */
function pathOfGuideName({ pathname }: URL, relations: LinkContext['relations']): string | undefined {
  const [, kind = '', part = ''] = /(?:^|\/(authors?|articles?|wiki|guide))\/([^/]+)\/?$/i.exec(pathname) ?? [];
  const slugIn = (name: string) => slugOf(decodePercent(name.replace(/\+/g, ' ')).replace(/_/g, ' '));
  const whole = relations.article(slugIn(pathname.replace(/^\/(?:wiki\/)?|\/$/g, '')));
  if (whole) return articlePath(whole.slug);
  const slug = slugIn(part);
  const isOfAuthors = kind.toLowerCase().startsWith('author');
  const article = isOfAuthors || part === '' ? undefined : relations.article(slug);
  if (article) return articlePath(article.slug);
  const author = part !== '' && (isOfAuthors || kind === '') ? relations.author(slug) : undefined;
  return author && pathOfAuthor(author.slug, relations);
}

/** Returns a function that resolves links in a text on the page at `path`. `find` returns the page in the site for a URL. */
export function createLinkResolver(path: string, find: (href: string) => string | undefined): ResolveLink {
  return (href) => {
    const inside = find(href);
    if (inside !== undefined) return { href: relativeUrl(path, inside), external: false };
    const outside = safeExternalUrl(href);
    return outside === undefined ? undefined : { href: outside, external: true };
  };
}

/** Returns the pages in the site to which texts link: URL as they give it → path. */
export function findLinkedPages(targets: readonly string[], site: Site): ReadonlyMap<string, string> {
  const pages = targets.flatMap((href) => {
    const path = pathOfLiveUrl(href, site);
    return path === undefined ? [] : [[href, path] as const];
  });
  return new Map(pages);
}
