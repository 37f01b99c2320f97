/** Creates the Atom feed (RFC 4287) of the records that changed last. */
import type { ObjectEntry } from '../catalogue/entries.ts';
import type { Records } from '../catalogue/records.ts';
import { HOME_PATH, objectPath, ownPath } from '../catalogue/urls.ts';
import { safeExternalUrl } from '../model/external-url.ts';
import { isolate } from '../model/text/isolate.ts';
import { escapeXml } from '../model/text/xml.ts';
import { instantOf, toRfc3339 } from '../model/timestamps.ts';
import { type OwnPage, versionIn } from '../site/own/own-content.ts';
import type { Site } from '../site/site.ts';

/** The path of the feed in the site. */
export const FEED_PATH = 'feed.xml';
const MAX_ENTRIES = 50;

/**
 * Returns the feed. Its links are to the live archive if the URL of the site is not known. The library `feed` is not used,
 * because it writes all times in UTC, and upstream's times have no zone: for these, RFC 3339 has the offset `-00:00`.
 */
export function createAtomFeed(
  objects: Pick<Records, 'lastModified' | 'entry'>,
  { title: siteTitle, facts, siteUrl, locale, own }: Pick<Site, 'title' | 'facts' | 'siteUrl' | 'locale' | 'own'>,
): string {
  const latest = Array.from(objects.lastModified())
    .filter(({ model }) => model !== 'file')
    .map(({ id, lastmod }) => ({ id, lastmod, instant: instantOf(lastmod) }))
    .sort((a, b) => b.instant - a.instant || (a.id < b.id ? -1 : 1))
    .slice(0, MAX_ENTRIES);
  const exhibits = ownEntries(own.exhibits(), { facts, siteUrl, locale });
  const [first] = [...latest, ...exhibits].sort((a, b) => b.instant - a.instant);
  const updated = first ? toRfc3339(first.lastmod) : (facts.harvestedAt ?? new Date(0).toISOString());
  const entries = latest.map(({ id, lastmod, instant }) => {
    const { title, excerpt, liveUrl } = objects.entry(id) as ObjectEntry;
    // The ID stays the same wherever the page in the live archive is (RFC 4287, 4.2.6).
    const permanent = `${facts.catalogUrl}/${id}/`;
    const live = safeExternalUrl(liveUrl ?? '') ?? permanent;
    const parts = [
      element('id', permanent),
      element('title', title),
      link('alternate', siteUrl ? `${siteUrl}${objectPath(id)}` : live, 'text/html'),
      element('updated', toRfc3339(lastmod)),
      ...(excerpt === '' ? [] : [element('summary', excerpt)]),
    ];
    return { instant, xml: toEntry(parts) };
  });
  const shown = [...entries, ...exhibits].sort((a, b) => b.instant - a.instant).slice(0, MAX_ENTRIES);
  return [
    `<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${locale.language}">`,
    element('id', facts.catalogUrl),
    element('title', siteTitle),
    element('subtitle', locale.t.frame.feed),
    element('updated', updated),
    `  <author>\n  ${element('name', facts.title)}\n  ${element('uri', facts.catalogUrl)}\n  </author>`,
    // A relative reference is that of the feed itself, wherever the site is.
    link('self', `${siteUrl ?? ''}${FEED_PATH}`, 'application/atom+xml'),
    link('alternate', siteUrl ? `${siteUrl}${HOME_PATH}` : facts.catalogUrl, 'text/html'),
    element('generator', 'Microfiche'),
    ...shown.map(({ xml }) => xml),
    '</feed>\n',
  ].join('\n');
}

/** Returns the entries of exhibits with a date. Without the URL of the site, they have no address that a program could open. */
function ownEntries(exhibits: readonly OwnPage[], { facts, siteUrl, locale }: Pick<Site, 'facts' | 'siteUrl' | 'locale'>) {
  return exhibits.flatMap((page) => {
    if (page.date === undefined) return [];
    const { title, description, language } = versionIn(page, locale.language);
    const path = ownPath(page.kind, page.slug);
    const parts = [
      element('id', `${siteUrl ?? `${facts.catalogUrl}/`}${path}`),
      element('title', title),
      `  <link href="${escapeXml(`${siteUrl ?? ''}${path}`)}" rel="alternate" type="text/html" hreflang="${language}"/>`,
      element('updated', `${page.date}T00:00:00Z`),
      ...(description === undefined ? [] : [element('summary', description)]),
    ];
    return [{ lastmod: `${page.date}T00:00:00Z`, instant: instantOf(`${page.date}T00:00:00Z`), xml: toEntry(parts) }];
  });
}

const toEntry = (parts: readonly string[]): string => `  <entry>\n${parts.map((part) => `  ${part}\n`).join('')}  </entry>`;

const element = (name: string, content: string): string => `  <${name}>${escapeXml(isolate(content))}</${name}>`;

function link(relation: 'self' | 'alternate', href: string, type: string): string {
  return `  <link href="${escapeXml(href)}" rel="${relation}" type="${type}"/>`;
}
