/** What the site has for programs beside its pages: a feed of what changed last, robots.txt, and the description of its search. */
import { Feed } from 'feed';
import type { ObjectEntry } from '../catalogue/entries.ts';
import { HOME, objectPath, SEARCH } from '../catalogue/urls.ts';
import { withoutIllegible } from '../model/legible.ts';
import { shorten } from '../model/text.ts';
import { escapeHtml } from '../site/sanitize.ts';
import type { Site } from '../site/site.ts';

const MOST_ENTRIES = 50;

/** What the files say of the site. */
type Described = Pick<Site, 'facts' | 'address' | 'edition'>;

/** Every such file, by its path below dist. `address` is where the mirror will be hosted, if anywhere. */
export function machineFiles(objects: readonly ObjectEntry[], site: Described): Map<string, string> {
  const files = new Map([
    ['feed.xml', atomFeed(objects, site)],
    ['robots.txt', `User-agent: *\nDisallow:\n${site.address ? `\nSitemap: ${site.address}sitemap-index.xml\n` : ''}`],
  ]);
  files.set('app.webmanifest', webManifest(site));
  if (site.address) files.set('opensearch.xml', openSearch(site.facts.title, site.address, site.edition.t.frame.searchArchive));
  // An address can hold what a title cannot: XML with one wrong character is no XML.
  return new Map([...files].map(([path, text]) => [path, withoutIllegible(text)]));
}

/** An Atom feed (RFC 4287) of the records that changed last, by the archive's own dates. Its addresses are whole ones: the living pages, where the mirror has none of its own. */
function atomFeed(objects: readonly ObjectEntry[], { facts, address, edition }: Described): string {
  const dated = objects.filter(
    (entry): entry is ObjectEntry & { lastmod: string } => entry.lastmod !== undefined && entry.model !== 'file',
  );
  const latest = dated
    .sort((a, b) => (a.lastmod < b.lastmod ? 1 : a.lastmod > b.lastmod ? -1 : a.id < b.id ? -1 : 1))
    .slice(0, MOST_ENTRIES);
  const moment = (lastmod: string) => new Date(`${lastmod}Z`);
  const feed = new Feed({
    id: facts.catalogUrl,
    title: facts.title,
    description: edition.t.frame.feed,
    link: address ? `${address}${HOME}` : facts.catalogUrl,
    language: edition.language,
    updated: new Date(latest[0] ? moment(latest[0].lastmod) : (facts.takenAt ?? 0)),
    generator: 'Microfiche',
    copyright: '',
  });
  for (const { id, title, excerpt, lastmod } of latest) {
    feed.addItem({
      id: `${facts.catalogUrl}/${id}/`,
      title: escapeHtml(title), // the feed says that its texts are HTML
      description: escapeHtml(excerpt),
      link: address ? `${address}${objectPath(id)}` : `${facts.catalogUrl}/${id}/`,
      date: moment(lastmod),
    });
  }
  return feed.atom1();
}

/** A web app manifest (W3C), by which a browser can install a hosted mirror. */
function webManifest({ facts, edition }: Pick<Site, 'facts' | 'edition'>): string {
  const icon = (size: number) => ({ src: `assets/icon-${size}.png`, sizes: `${size}x${size}`, type: 'image/png' });
  const manifest = {
    name: facts.title,
    short_name: shorten(facts.title, 24),
    description: edition.t.home.description(facts.title),
    lang: edition.language,
    start_url: 'index.html',
    scope: './',
    display: 'standalone',
    background_color: '#fbf9f4',
    theme_color: '#7a3b1d',
    icons: [icon(192), icon(512), { src: 'assets/icon.svg', sizes: 'any', type: 'image/svg+xml' }],
  };
  return `${JSON.stringify(manifest, undefined, 1)}\n`;
}

/** OpenSearch 1.1; its addresses must be whole ones. */
function openSearch(title: string, address: string, description: string): string {
  const text = (value: string) => value.replace(/[<>&"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const beginning = (most: number) => [...title].slice(0, most).join('');
  return `<?xml version="1.0" encoding="utf-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
  <ShortName>${text(beginning(16))}</ShortName>
  <LongName>${text(beginning(48))}</LongName>
  <Description>${text(description)}</Description>
  <Url type="text/html" template="${text(`${address}${SEARCH}`)}?q={searchTerms}"/>
  <InputEncoding>UTF-8</InputEncoding>
</OpenSearchDescription>
`;
}
