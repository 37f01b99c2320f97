/**
 * A record's page as Eleventy writes it in the benchmark: the markup of src/site/layouts/Base.astro and src/site/components/ObjectPage.astro,
 * tag for tag, as far as generated records have what they show. The texts come from the site's dictionary.
 */

import type { SiteFacts } from '../../../src/catalogue/catalogue.ts';
import {
  ABOUT_PATH,
  ACCESSIBILITY_PATH,
  BROWSE_PATH,
  COLLECTIONS_PATH,
  contentsPath,
  GUIDE_PATH,
  HOME_PATH,
  objectPath,
  PEOPLE_PATH,
  relativeUrl,
  SAVED_PATH,
  SEARCH_PATH,
} from '../../../src/catalogue/urls.ts';
import { CITATION_FILES } from '../../../src/client/citation-styles.ts';
import { NAME_KINDS } from '../../../src/client/names.ts';
import { isAboveItems } from '../../../src/model/ids.ts';
import { MAX_QUERY_LENGTH } from '../../../src/model/limits.ts';
import { escapeHtml } from '../../../src/model/markup.ts';
import { toFilterValue } from '../../../src/model/text.ts';
import { contentSecurityPolicy } from '../../../src/site/csp.ts';
import { fillsMat } from '../../../src/site/images.ts';
import { en as t } from '../../../src/site/language/en.ts';
import { escapeScriptJson } from '../../../src/site/sanitize.ts';
import { SHAPE_ICONS } from '../../../src/site/shape-icons.ts';
import type { Card } from '../../../src/site/views/card.ts';
import { cardColumns } from '../../../src/site/views/card-columns.ts';
import type { ObjectView } from '../../../src/site/views/object.ts';
import type { Crumb } from '../../../src/site/views/page-parts.ts';
import type { SaveData } from '../../../src/site/views/save-data.ts';

/** Labels and paths of the main navigation. */
const NAVIGATION = [
  { label: t.sections.collections, path: COLLECTIONS_PATH },
  { label: t.sections.browse, path: BROWSE_PATH },
  { label: t.sections.people, path: PEOPLE_PATH },
  { label: t.sections.guide, path: GUIDE_PATH },
  { label: t.sections.about, path: ABOUT_PATH },
];
const NAME_KIND_LABELS = NAME_KINDS.map((kind) => t.frame.nameKinds[kind]).join('|');
/** The Content-Security-Policy of every page. */
const POLICY = contentSecurityPolicy();
const e = escapeHtml;

/** Returns the page of a record. */
export function objectHtml(view: ObjectView, facts: SiteFacts): string {
  const { context, path } = view;
  const to = (target: string) => relativeUrl(path, target);
  const description = context.entry.excerpt || view.title;
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${e(POLICY)}"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${e(view.title === facts.title ? view.title : `${view.title} · ${facts.title}`)}</title><meta name="description" content="${e(description)}"><meta name="color-scheme" content="light dark"><meta name="generator" content="Microfiche"><link rel="icon" href="${to('assets/icon.svg')}" type="image/svg+xml"><link rel="stylesheet" href="${to('assets/site.css')}"><script src="${to('assets/theme.js')}"></script>${metadata(view, facts, description)}<link rel="alternate" type="application/atom+xml" title="${e(t.frame.feed)}" href="${to('feed.xml')}"><script defer src="${to('assets/suggest.js')}"></script><script defer src="${to('assets/object.js')}"></script></head><body><a class="skip" href="#main">${e(t.frame.skip)}</a><header class="masthead"><a class="masthead-title" href="${to(HOME_PATH)}"><span>${e(facts.title)}</span></a><nav aria-label="${e(t.frame.main)}"><ul>${NAVIGATION.map((section) => `<li><a href="${to(section.path)}">${e(section.label)}</a></li>`).join('')}</ul></nav><div class="masthead-tools"><form class="masthead-search" role="search" action="${to(SEARCH_PATH)}" method="get" data-suggest="${e(t.frame.suggestions)}" data-kinds="${e(NAME_KIND_LABELS)}"><label class="unseen" for="masthead-q">${e(t.frame.searchArchive)}</label><input id="masthead-q" type="search" name="q" maxlength="${MAX_QUERY_LENGTH}" placeholder="${e(t.frame.search)}" autocomplete="off"><button type="submit"><svg viewBox="0 0 16 16" width="20" height="20" aria-hidden="true"><circle cx="7" cy="7" r="4.5"></circle><path d="m10.5 10.5 4 4"></path></svg><span>${e(t.frame.search)}</span></button></form>${savedLink(path)}</div></header><main id="main" tabindex="-1"><div class="object-nav">${breadcrumbs(path, view.trail)}${recordNavigation(view, true)}</div><article class="object">${heading(view)}${view.notices.map((notice) => `<p class="notice">${e(notice)}</p>`).join('')}${top(view)}${contents(view)}${fieldSections(view)}${related(view)}${fullRecord(view)}<p class="provenance fine">${view.receivedNotice ? `${e(view.receivedNotice)} ` : ''}${view.liveUrl ? `<a href="${e(view.liveUrl)}" rel="external noreferrer">${e(t.object.livePage)}</a>` : ''}</p></article>${recordNavigation(view, false)}</main><footer class="colophon"><p>${e(t.frame.offlineCopyOf[0])}<span class="address">${e(facts.catalogUrl)}</span>${e(t.frame.offlineCopyOf[1])} <a href="${to(ABOUT_PATH)}">${e(t.frame.aboutLink)}</a><a class="footer-link" href="${to(ACCESSIBILITY_PATH)}">${e(t.accessibility.title)}</a><a class="footer-link" href="${to(SAVED_PATH)}">${e(t.saved.title)}</a></p>${appearance()}</footer></body></html>`;
}

/** Returns the `lang` attribute of a text, if it is not in the page's language. */
function lang(tag: string | undefined): string {
  return tag === undefined ? '' : ` lang="${tag}"`;
}

function appearance(): string {
  const { appearance: label, appearances } = t.frame;
  return `<p class="theme" hidden><label for="theme">${e(label)}</label><select id="theme" autocomplete="off"><option value="">${e(appearances.system)}</option><option value="light">${e(appearances.light)}</option><option value="dark">${e(appearances.dark)}</option></select></p>`;
}

function metadata(
  { title, metadata: { liveUrl, type, dublinCore, jsonLd } }: ObjectView,
  facts: SiteFacts,
  description: string,
): string {
  const canonical = liveUrl ? `<link rel="canonical" href="${e(liveUrl)}">` : '';
  const graph = { title, type, description, site_name: facts.title, locale: 'en' };
  const og = Object.entries(graph).map(([name, content]) => `<meta property="og:${name}" content="${e(content)}">`);
  const terms = dublinCore.some(([, , scheme]) => scheme) ? '<link rel="schema.DCTERMS" href="http://purl.org/dc/terms/">' : '';
  const dc = dublinCore.map(
    ([name, content, scheme]) => `<meta name="${name}" content="${e(content)}"${scheme ? ` scheme="${scheme}"` : ''}>`,
  );
  return `${canonical}${og.join('')}<link rel="schema.DC" href="http://purl.org/dc/elements/1.1/">${terms}${dc.join('')}<script type="application/ld+json">${escapeScriptJson(jsonLd)}</script>`;
}

function related({ path, context }: ObjectView): string {
  if (context.related.length === 0) return '';
  return `<section class="related"><h2>${e(t.object.related)} <span class="count">${context.related.length}</span></h2>${cards(path, context.related)}</section>`;
}

function citations({ citations: all, context: { fileName } }: ObjectView): string {
  if (all.length === 0) return '';
  const { cite, citationStyle, copy, copied } = t.object;
  const options = all.map(({ style, label }) => `<option value="${style}">${e(label)}</option>`);
  const rows = all.map(({ style, label, text }) => {
    const isFile = text.includes('\n');
    return `<div data-style="${style}"${isFile ? ` id="cite-${style}"` : ''}><dt>${e(label)}</dt><dd${isFile ? ' class="code"' : ''}>${e(text)}</dd></div>`;
  });
  const files = Object.keys(CITATION_FILES).map((style) => `<a href="#cite-${style}" data-file="${style}">${style}</a>`);
  return `<div class="citations" data-name="${e(fileName)}"${all.some(({ style }) => style === 'preferred') ? ' data-preferred' : ''}><p class="cite"><span>${e(cite)}</span><select class="needs-script" autocomplete="off" aria-label="${e(citationStyle)}">${options.join('')}</select><button type="button" class="copy needs-script" data-copied="${e(copied)}">${e(copy)}</button></p><dl>${rows.join('')}</dl><p class="cite-files">${e(t.saved.export)}${files.join('')}</p></div>`;
}

function json({ json: text }: ObjectView): string {
  return text ? `<details class="json"><summary>${e(t.object.json)}</summary><pre>${e(text)}</pre></details>` : '';
}

function breadcrumbs(path: string, trail: Crumb[]): string {
  const step = (crumb: Crumb, i: number) =>
    crumb.path
      ? `<a href="${relativeUrl(path, crumb.path)}">${e(crumb.label)}</a>`
      : `<span${i === trail.length - 1 ? ' aria-current="page"' : ''}>${e(crumb.label)}</span>`;
  return `<nav class="breadcrumbs" aria-label="${e(t.frame.breadcrumbs)}"><ol>${trail.map((crumb, i) => `<li>${step(crumb, i)}</li>`).join('')}</ol></nav>`;
}

function contents(view: ObjectView): string {
  const { context, path, id } = view;
  if (context.childCount === 0) return '';
  const pages = context.pages > 1 ? `<div>${pager(path, id, context.pages)}</div>` : '';
  return `<section class="contents"><div class="contents-head"><h2>${e(contentsTitle(context.entry.model))} <span class="count">${context.childCount}</span></h2>${isAboveItems(context.entry.model) ? shapes() : ''}</div>${contentsBar(view)}${cards(path, context.children)}</section>${pages}`;
}

/** Returns the heading of the contents of a record of a model. */
function contentsTitle(model: string): string {
  const titles: Readonly<Record<string, string>> = t.object.contents;
  return titles[model] ?? t.object.contents.other;
}

function shapes(): string {
  const { view, grid, smallGrid, list } = t.lists;
  const shape = (value: string, label: string, icon: string) =>
    `<label><input type="radio" name="shape" value="${value}"${value === 'gallery' ? ' checked' : ''} autocomplete="off"><span class="shape"><svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d="${icon}"></path></svg><span class="wide-only">${e(label)}</span></span></label>`;
  return `<fieldset class="shapes"><legend class="unseen">${e(view)}</legend>${shape('gallery', grid, SHAPE_ICONS.gallery)}${shape('small', smallGrid, SHAPE_ICONS.small)}${shape('list', list, SHAPE_ICONS.list)}</fieldset>`;
}

function contentsBar({ path, context }: ObjectView): string {
  return context.pages > 1 && context.entry.model === 'collection' ? contentsSearch(path, context) : '';
}

function contentsSearch(path: string, { entry, pages }: ObjectView['context']): string {
  const { searchCollection, severalPages } = t.lists;
  const orders = (['relevance', 'title', 'date'] as const).map(
    (order) => `<option value="${order === 'relevance' ? '' : order}">${e(t.search.orders[order])}</option>`,
  );
  return `<form class="contents-search" role="search" aria-label="${e(searchCollection)}" action="${relativeUrl(path, SEARCH_PATH)}" method="get"><p class="fine">${e(severalPages(pages))}</p><input type="hidden" name="collection" value="${e(toFilterValue(entry.title))}"><input type="search" name="q" aria-label="${e(searchCollection)}" placeholder="${e(searchCollection)}" maxlength="${MAX_QUERY_LENGTH}" autocomplete="off"><label>${e(t.search.sortBy)} <select name="sort" autocomplete="off">${orders.join('')}</select></label><button type="submit">${e(t.frame.search)}</button></form>`;
}

function savedLink(path: string): string {
  const { link, saveItem, full } = t.saved;
  return `<a class="saved-link needs-script" href="${relativeUrl(path, SAVED_PATH)}" data-save-item="${e(saveItem)}" data-full="${e(full)}"><svg viewBox="0 0 16 16" width="20" height="20" aria-hidden="true"><path d="M3.5 1.5h9v13L8 11l-4.5 3.5z"></path></svg><span class="saved-label">${e(link)}</span><span class="count"></span></a>`;
}

/** Returns the numbers of the pages to which the first page of a list links, and its own. */
function pageNumbers(count: number): number[] {
  return [...new Set([1, 2, count - 1, count])].filter((n) => n >= 1 && n <= count).sort((a, b) => a - b);
}

function pager(path: string, id: string, count: number): string {
  const numbers = pageNumbers(count);
  const gap = (n: number, i: number) => (i > 0 && n - (numbers[i - 1] ?? n) > 1 ? '<span aria-hidden="true">… </span>' : '');
  const items = numbers.map(
    (n, i) =>
      `<li>${gap(n, i)}${n === 1 ? '<span aria-current="page">1</span>' : `<a href="${relativeUrl(path, objectPath(id, n))}" aria-label="${e(t.frame.page(n))}">${n}</a>`}</li>`,
  );
  return `<nav class="pager" aria-label="${e(t.frame.pagination)}"><ol>${items.join('')}</ol><a rel="next" href="${relativeUrl(path, objectPath(id, 2))}">${e(t.frame.next)}</a></nav>`;
}

function cardItem(path: string, card: Card, hasImages: boolean): string {
  const image = `<span class="card-picture${card.isPlaceholder ? ' placeholder' : ''}${fillsMat(card.image) ? ' filled' : ''}"><img src="${relativeUrl(path, card.image.path)}" width="${card.image.width}" height="${card.image.height}" alt="" loading="lazy" decoding="async"></span>`;
  const date = card.dateKey === undefined ? '' : ` data-date${card.dateKey && `="${card.dateKey}"`}`;
  const saved = card.saved && ` data-kind="${e(card.saved.kind)}" data-when${card.saved.date ? `="${e(card.saved.date)}"` : ''}`;
  const notes = card.notes?.map((note) => `<p class="card-note">${e(note)}</p>`).join('') ?? '';
  return `<li class="card"${date}${saved ?? ''}><a href="${relativeUrl(path, card.path)}">${hasImages ? image : ''}<span class="card-title"${lang(card.lang)}>${e(card.title)}</span></a><p class="card-facts">${card.date ? `<span>${e(card.date)}</span>` : ''}<span>${e(card.kind)}</span></p>${notes}</li>`;
}

function cards(path: string, all: readonly Card[]): string {
  const hasImages = all.some(({ isPlaceholder }) => !isPlaceholder);
  const columns = Object.entries(cardColumns(all.length)).map(([name, value]) =>
    value === undefined ? '' : ` ${name}="${value}"`,
  );
  return `<ul class="cards${hasImages ? '' : ' without-images'}"${columns.join('')}>${all.map((card) => cardItem(path, card, hasImages)).join('')}</ul>`;
}

function heading({ kind, heading: { lang: tag, isLong, number, rest } }: ObjectView): string {
  const together = number === '' ? '' : `<span class="together">${e(number)}</span>`;
  return `<header><p class="kind">${e(kind)}</p><h1${lang(tag)}${isLong ? ' class="long"' : ''}>${together}${e(rest)}</h1></header>`;
}

/** Generated records have no images, recordings or files. */
function top(view: ObjectView): string {
  const { context, description, descriptionLang } = view;
  const isAbove = isAboveItems(context.entry.model);
  const empty = isAbove ? '' : `<p class="no-image">${e(t.object.noImage)}</p>`;
  const prose = description ? `<div class="prose description"${lang(descriptionLang)}>${description}</div>` : '';
  const media = empty || prose ? `<div class="object-media">${empty}${prose}</div>` : '';
  const actions = `<div class="object-actions">${isAbove ? foldedCitation(view) : ''}${shareButtons(view)}</div>`;
  return `<div class="object-top${isAbove ? ' above-items' : ''}">${actions}${media}<div class="object-facts">${summary(view)}${isAbove ? '' : citations(view)}</div></div>`;
}

function summary({ path, fields, context: { collection } }: ObjectView): string {
  if (fields.summary === '' && !collection) return '';
  const row = collection
    ? `<div><dt>${e(t.fields.collection_id)}</dt><dd><a href="${relativeUrl(path, collection.path ?? '')}"${lang(collection.lang)}>${e(collection.label)}</a></dd></div>`
    : '';
  return `<dl class="summary-rows">${fields.summary}${row}</dl>`;
}

function saveButton({ id, path: page, kind, date, collection, image, root }: SaveData): string {
  const attribute = (name: string, value: string | undefined) => (value === undefined ? '' : ` data-${name}="${e(value)}"`);
  const data = [
    attribute('save', id),
    attribute('path', page),
    attribute('kind', kind),
    attribute('date', date),
    attribute('collection', collection),
    attribute('image', image),
    attribute('root', root),
    attribute('saved', t.saved.saved),
    attribute('full', t.saved.full),
  ];
  return `<button type="button" class="quiet" hidden${data.join('')}>${e(t.saved.save)}</button>`;
}

function shareButtons({ save }: ObjectView): string {
  const { share, copyLink, copied } = t.object;
  return `<p class="share">${save ? saveButton(save) : ''}<button type="button" class="quiet" data-share="share" hidden>${e(share)}</button><button type="button" class="quiet" data-share="copy" data-copied="${e(copied)}" hidden>${e(copyLink)}</button><button type="button" class="quiet" data-share="print" hidden>${e(t.saved.print)}</button></p>`;
}

/** Returns the citation of what is above items, folded, and the link to its finding aid. */
function foldedCitation(view: ObjectView): string {
  const { path, id, context, citations: all } = view;
  const cite =
    all.length > 0
      ? `<details class="cite-fold" name="citation"><summary>${e(t.object.cite)}</summary>${citations(view)}</details>`
      : '';
  const aid =
    context.childCount > 0
      ? `<a class="finding-aid-link" href="${relativeUrl(path, contentsPath(id))}">${e(t.object.findingAid)}</a>`
      : '';
  return `${cite}${aid}`;
}

function fieldSections({ fields }: ObjectView): string {
  const section = (name: 'about' | 'history' | 'rights') =>
    fields[name] === ''
      ? ''
      : `<section class="fields"><h2>${e(t.fieldSections[name])}</h2><dl${name === 'about' ? ' class="two-columns"' : ''}>${fields[name]}</dl></section>`;
  return `${section('about')}${section('history')}${section('rights')}`;
}

function fullRecord(view: ObjectView): string {
  return `<details class="full-record"><summary>${e(t.fieldSections.technical)}</summary><div class="fields"><dl>${view.fields.technical}</dl></div>${json(view)}</details>`;
}

function recordNavigation({ path, context: { previous, next } }: ObjectView, isShort: boolean): string {
  if (!previous && !next) return '';
  const link = (rel: string, word: string, crumb: Crumb | undefined) => {
    if (!crumb?.path) return '';
    const href = `<a rel="${rel}" href="${relativeUrl(path, crumb.path)}"`;
    return isShort
      ? `${href} title="${e(crumb.label)}" aria-label="${e(`${word}: ${crumb.label}`)}">${e(word)}</a>`
      : `${href}><span>${e(word)}</span> <bdi${lang(crumb.lang)}>${e(crumb.label)}</bdi></a>`;
  };
  const { recordNavigation: above, recordNavigationBelow: below } = t.frame;
  return `<nav class="record-navigation${isShort ? ' short' : ''}" aria-label="${e(isShort ? above : below)}">${link('prev', t.frame.previous, previous)}${link('next', t.frame.next, next)}</nav>`;
}
