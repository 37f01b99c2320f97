/** The view models of own pages and exhibits. */
import { EXHIBITS_PATH, ownPath, relativeUrl } from '../../../catalogue/urls.ts';
import { decodePercent } from '../../../model/text/percent.ts';
import { toPlainText, truncateWords } from '../../../model/text/text.ts';
import { isFacet } from '../../design/facet-order.ts';
import { placeholder } from '../../images.ts';
import { parseDirective } from '../../own/directives.ts';
import { IMAGE_FILE, splitAtEmbeds, type TextPart } from '../../own/embed-markup.ts';
import { langOf, OWN_KINDS, type OwnPage, type OwnVersion, versionIn } from '../../own/own-content.ts';
import { type OwnLink, pathInContent, resolveOwnLink } from '../../own/own-links.ts';
import { findPreview } from '../../parts/cards/record-thumbnail.ts';
import { createEmbedView, type EmbedContext, type EmbedView } from '../../parts/embeds/embed-views.ts';
import { describeAs } from '../../parts/frame/json-ld.ts';
import type { Metadata } from '../../parts/frame/metadata.ts';
import { addressOfPage } from '../../parts/frame/page-parts.ts';
import { createNoticeMarks } from '../../parts/notices/notices.ts';
import type { Site } from '../../site.ts';
import { createLinkResolver, pathOfLiveUrl } from '../../text/links.ts';
import { type LinkTarget, toSafeOwnHtml } from '../../text/sanitize.ts';

/** A part of a page: sanitized HTML, or an embed with its caption as such HTML. */
export type OwnPart = { html: string } | { embed: EmbedView; caption: string };

/** An own page or exhibit. */
export type OwnPageView = ReturnType<typeof createOwnPageView>;

/** What a page's embeds show. */
type OwnPageSource = Pick<EmbedContext, 'entries' | 'land'>;

const MAX_DESCRIPTION = 200;

/** Returns the view model of an own page from the HTML that Astro made of its Markdown. */
export function createOwnPageView(page: OwnPage, html: string, source: OwnPageSource, site: Site) {
  const { locale } = site;
  const version = versionIn(page, locale.language);
  const path = ownPath(page.kind, page.slug);
  const lang = langOf(version, locale.language);
  const defects: string[] = [];
  // A heading at the start that repeats the title is left out.
  const text = html.replace(/^\s*<h1[^>]*>(.*?)<\/h1>/s, (heading, content: string) =>
    toPlainText(content) === version.title ? '' : heading,
  );
  const written = splitAtEmbeds(text).flatMap((part) => createPart(part, { page, version, path, site, source, defects }));
  const parts = withoutDeadFragments(written, (defect) => void defects.push(defect));
  const { image, labels } = imageOf(page, site);
  const description = version.description ?? truncateWords(version.text.replace(/\s+/g, ' '), MAX_DESCRIPTION);
  return {
    kind: page.kind,
    path,
    title: version.title,
    description: description || version.title,
    /** The language of the text, if it is not the page's. */
    lang,
    parts,
    /** What the page lacks, as clauses for the report of a build. */
    defects,
    summary: version.description,
    /** Path of the image that represents the page. */
    image: labels ? undefined : image?.path,
    date: page.date === undefined ? undefined : locale.formatDate(page.date),
    trail: [
      ...(page.kind === 'exhibits' ? [{ label: locale.t.own.exhibits, path: EXHIBITS_PATH }] : []),
      { label: version.title, path: undefined, lang },
    ],
    metadata: createOwnMetadata(page, version, path, site),
  };
}

interface PartContext {
  page: OwnPage;
  version: OwnVersion;
  path: string;
  site: Site;
  source: OwnPageSource;
  defects: string[];
}

function createPart(part: TextPart, context: PartContext): OwnPart[] {
  const { page, version, site, source, defects } = context;
  const toSafe = (html: string) => toSafeOwnHtml(html, (href) => resolveLink(href, context), toId);
  if ('html' in part) {
    const safe = toSafe(nameNotes(part.html, site));
    return toPlainText(safe).trim() === '' ? [] : [{ html: safe }];
  }
  const { name, attributes } = part.directive;
  const embed =
    name === IMAGE_FILE
      ? { kind: 'image-file' as const, src: String(attributes['src'] ?? ''), alt: String(attributes['alt'] ?? '') }
      : parseDirective(part.directive);
  const imageAt = (src: string) => {
    const key = pathInContent(page.kind, version.entry, src);
    return key === undefined || !Object.hasOwn(site.own.content.images, key) ? undefined : site.own.content.images[key];
  };
  const view = 'problem' in embed ? embed : createEmbedView(embed, { ...source, site, imageAt, leavesOut: true });
  if ('problem' in view) {
    // A build has checked all directives in its first language; other elements of this name were written by hand.
    if (!('problem' in embed) && site.locale.pathPrefix !== '') defects.push(`${view.problem}; it is left out`);
    return [];
  }
  if (view.kind === 'card') defects.push(view.lacks);
  return [{ embed: view, caption: toSafe(part.caption).replace(/<\/?p>/g, '') }];
}

const ID_PREFIX = 'text-';
/** IDs of a text get a prefix, so that none is that of another element of the page. */
const toId = (id: string) => `${ID_PREFIX}${id.replace(/[^\p{L}\p{N}_-]/gu, '')}`;

/** Makes links within a page to headings that it does not have into text, and reports them to `addDefect`. */
function withoutDeadFragments(parts: readonly OwnPart[], addDefect: (defect: string) => void): OwnPart[] {
  const htmlOf = (part: OwnPart) => ('html' in part ? part.html : part.caption);
  const ids = new Set(parts.flatMap((part) => Array.from(htmlOf(part).matchAll(/ id="([^"]*)"/g), ([, id]) => id)));
  const repair = (html: string) =>
    html.replace(/ href="#([^"]*)"/g, (href, id: string) => {
      if (ids.has(id)) return href;
      addDefect(`its link "#${id.slice(ID_PREFIX.length)}" is to no heading of the page; it is text`);
      return '';
    });
  return parts.map((part) => ('html' in part ? { html: repair(part.html) } : { ...part, caption: repair(part.caption) }));
}

function resolveLink(href: string, { page, path, site }: PartContext): LinkTarget | undefined {
  if (href.startsWith('#')) return { href: `#${toId(decodePercent(href.slice(1)))}`, external: false };
  const inside = resolveOwnLink(href, page.kind);
  if (inside !== undefined && !isInSite(inside, site)) return undefined;
  if (inside !== undefined) return { href: `${relativeUrl(path, inside.path)}${fragmentOn(inside)}`, external: false };
  return createLinkResolver(path, (url) => pathOfLiveUrl(url, site))(href);
}

/** Whether a page can be in the site: its record, only person or value may be gone. A build has checked other pages. */
function isInSite({ path }: OwnLink, { relations }: Site): boolean {
  const [directory = '', name = '', value = ''] = path.replace(/\.html$/, '').split('/');
  if (name === 'index') return true;
  switch (directory) {
    case 'objects':
      return relations.idOfPage(name) !== undefined;
    case 'people':
      return name === 'a_z' || relations.person(name) !== undefined;
    case 'browse':
      return !isFacet(name) || value === 'index' || value === 'a_z' || relations.term(name, value) !== undefined;
    default:
      return true;
  }
}

/** Returns the fragment of a link: on own pages, IDs have a prefix. */
function fragmentOn({ path, fragment }: OwnLink): string {
  const isOwn = OWN_KINDS.some((kind) => path.startsWith(`${kind}/`));
  return isOwn && fragment.length > 1 ? `#${toId(decodePercent(fragment.slice(1)))}` : fragment;
}

/** Replaces the English words of notes, which the Markdown processor writes. */
function nameNotes(html: string, { locale }: Site): string {
  const { notes, backToText } = locale.t.own;
  return html
    .replace(/(<h2[^>]* id="footnote-label">)Footnotes(<\/h2>)/, `$1${notes}$2`)
    .replace(/ aria-label="Back to reference [^"]*"/g, ` aria-label="${backToText}"`);
}

function createOwnMetadata(page: OwnPage, version: OwnVersion, path: string, site: Site): Metadata {
  const url = addressOfPage(path, site);
  const jsonLd = describeAs(page.kind === 'exhibits' ? 'Article' : 'WebPage', {
    '@id': url,
    url,
    name: version.title,
    description: version.description,
    inLanguage: version.language,
    datePublished: page.date,
  });
  return { jsonLd, dublinCore: [['DC.title', version.title]], liveUrl: undefined, type: 'article' };
}

/** Returns the image of the record that represents a page, and the cultural-protocol labels on that record. */
function imageOf({ image: id }: OwnPage, site: Site) {
  const record = id === undefined ? undefined : site.relations.object(id);
  return { image: record && findPreview(record, site)?.page, labels: record && createNoticeMarks(record, site).labels };
}

/** Returns the cards of all exhibits. */
export function createExhibitCards(site: Site) {
  const { locale } = site;
  return site.own.exhibits().map((page) => {
    const version = versionIn(page, locale.language);
    const { image, labels } = imageOf(page, site);
    return {
      path: ownPath(page.kind, page.slug),
      title: version.title,
      lang: langOf(version, locale.language),
      description: version.description,
      date: page.date === undefined ? undefined : locale.formatDate(page.date),
      image: image ?? placeholder('guide', locale.rootPath),
      isPlaceholder: image === undefined,
      labels: image && labels,
    };
  });
}
