/** Creates the site's files for programs: Atom feed, `robots.txt`, web app manifest, OpenSearch description, host headers. */
import type { Records } from '../catalogue/records.ts';
import { SEARCH_PATH } from '../catalogue/urls.ts';
import { stripIllegible } from '../model/text/legible.ts';
import { truncateWords } from '../model/text/text.ts';
import { escapeXml } from '../model/text/xml.ts';
import { DEFAULT_PALETTE } from '../site/design/colors.ts';
import type { Site } from '../site/site.ts';
import { createAtomFeed, FEED_PATH } from './atom-feed.ts';

/** The data of the site that these files contain. */
type SiteFacts = Pick<Site, 'title' | 'facts' | 'siteUrl' | 'locale' | 'design' | 'kiosk' | 'own'>;

/** Returns each file's text by its path. `opensearch.xml` and `_headers` are made only if the site's URL is known. */
export function createMachineFiles(objects: Pick<Records, 'lastModified' | 'entry'>, site: SiteFacts): Map<string, string> {
  const files = new Map([
    [FEED_PATH, createAtomFeed(objects, site)],
    ['robots.txt', `User-agent: *\nDisallow:\n${site.siteUrl ? `\nSitemap: ${site.siteUrl}sitemap-index.xml\n` : ''}`],
  ]);
  files.set('app.webmanifest', webManifest(site));
  if (site.siteUrl) files.set('opensearch.xml', openSearch(site.title, site.siteUrl, site.locale.t.frame.searchArchive));
  if (site.siteUrl && !site.kiosk) files.set(HEADERS_FILE, createHostHeaders(site.siteUrl));
  // A URL may contain a character that XML does not allow.
  return new Map([...files].map(([path, text]) => [path, stripIllegible(text)]));
}

/** Returns a web app manifest (W3C), with which a browser can install a hosted site. */
function webManifest({ title, locale, design }: Pick<Site, 'title' | 'locale' | 'design'>): string {
  const icon = (size: number) => ({ src: `assets/icon-${size}.png`, sizes: `${size}x${size}`, type: 'image/png' });
  const { paper, accent } = design?.palette ?? DEFAULT_PALETTE;
  const manifest = {
    name: title,
    short_name: truncateWords(title, 24),
    description: locale.t.home.description(title),
    lang: locale.language,
    start_url: 'index.html',
    scope: './',
    display: 'standalone',
    background_color: paper.light,
    theme_color: accent.light,
    icons: [icon(192), icon(512), { src: 'assets/icon.svg', sizes: 'any', type: 'image/svg+xml' }],
  };
  return `${JSON.stringify(manifest, undefined, 1)}\n`;
}

/** Returns an OpenSearch 1.1 description. Its URLs must be absolute, and its names are limited to 16 and 48 characters. */
function openSearch(title: string, address: string, description: string): string {
  const firstCharacters = (count: number) => [...title].slice(0, count).join('');
  return `<?xml version="1.0" encoding="utf-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
  <ShortName>${escapeXml(firstCharacters(16))}</ShortName>
  <LongName>${escapeXml(firstCharacters(48))}</LongName>
  <Description>${escapeXml(description)}</Description>
  <Url type="text/html" template="${escapeXml(`${address}${SEARCH_PATH}`)}?q={searchTerms}"/>
  <InputEncoding>UTF-8</InputEncoding>
</OpenSearchDescription>
`;
}

/** The file, which these hosts read only in the root of what is published. */
const HEADERS_FILE = '_headers';

/** For all files. The policy in each page has the other directives; browsers ignore this one there. */
const SECURITY_HEADERS = [
  "Content-Security-Policy: frame-ancestors 'self'",
  'Referrer-Policy: no-referrer',
  'X-Content-Type-Options: nosniff',
];
/** By default, both hosts make browsers check each time whether a file has changed. Images and recordings are kept an hour. */
const CACHED = 'Cache-Control: public, max-age=3600';
/** IIIF viewers on other hosts read these files. */
const SHARED = 'Access-Control-Allow-Origin: *';
/** By directory. Both hosts join the values if two rules set the same header, so no two rules for one file do. */
const DIRECTORY_HEADERS: Readonly<Record<string, readonly string[]>> = {
  iiif: [SHARED],
  media: [CACHED, SHARED],
  thumbs: [CACHED, SHARED],
};

/** Returns the text of `_headers` for a site at a URL. */
export function createHostHeaders(siteUrl: string): string {
  const { pathname } = new URL(siteUrl);
  const rules = [
    [`${pathname}*`, SECURITY_HEADERS] as const,
    ...Object.entries(DIRECTORY_HEADERS).map(([directory, headers]) => [`${pathname}${directory}/*`, headers] as const),
  ];
  return rules.map(([path, headers]) => [path, ...headers.map((header) => `  ${header}`), ''].join('\n')).join('\n');
}
