/** A record's page as Eleventy writes it in the benchmark: the markup of src/site/components/ObjectPage.astro, tag for tag. */

import type { SiteFacts } from '../../../src/catalogue/catalogue.ts';
import {
  ABOUT_PATH,
  AUTHORS_PATH,
  BROWSE_PATH,
  COLLECTIONS_PATH,
  contentsPath,
  GUIDE_PATH,
  HOME_PATH,
  objectPath,
  relativeUrl,
  SEARCH_PATH,
} from '../../../src/catalogue/urls.ts';
import { escapeHtml } from '../../../src/model/markup.ts';
import { escapeScriptJson } from '../../../src/site/sanitize.ts';
import type { Card } from '../../../src/site/views/card.ts';
import type { ObjectView } from '../../../src/site/views/object.ts';
import type { Crumb } from '../../../src/site/views/page-parts.ts';

/** Labels and paths of the main navigation. */
export const NAVIGATION = [
  ['Collections', COLLECTIONS_PATH],
  ['Browse', BROWSE_PATH],
  ['Guide', GUIDE_PATH],
  ['Authors', AUTHORS_PATH],
  ['About', ABOUT_PATH],
] as const;
/** Headings of a record's contents, by model. */
export const CONTENTS: Readonly<Record<string, string>> = {
  collection: 'In this collection',
  entity: 'Segments and parts',
  organization: 'Collections',
  repository: 'Organizations',
};
const e = escapeHtml;

/** Returns the page of a record. */
export function objectHtml(view: ObjectView, facts: SiteFacts): string {
  const { context, path } = view;
  const to = (target: string) => relativeUrl(path, target);
  const description = context.entry.excerpt || view.title;
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${e(view.title === facts.title ? view.title : `${view.title} · ${facts.title}`)}</title><meta name="description" content="${e(description)}"><meta name="color-scheme" content="light dark"><meta name="generator" content="Microfiche"><link rel="icon" href="${to('assets/icon.svg')}" type="image/svg+xml"><link rel="stylesheet" href="${to('assets/site.css')}"><script src="${to('assets/theme.js')}"></script>${metadata(view, facts, description)}<link rel="alternate" type="application/atom+xml" title="Recently changed records" href="${to('feed.xml')}"><script defer src="${to('assets/object.js')}"></script></head><body><a class="skip" href="#main">Skip to content</a><header class="masthead"><a class="masthead-title" href="${to(HOME_PATH)}">${e(facts.title)}</a><nav aria-label="Main"><ul>${NAVIGATION.map(([label, target]) => `<li><a href="${to(target)}">${label}</a></li>`).join('')}</ul></nav><form class="masthead-search" role="search" action="${to(SEARCH_PATH)}" method="get"><label class="unseen" for="masthead-q">Search the archive</label><input id="masthead-q" type="search" name="q" placeholder="Search" autocomplete="off"><button type="submit">Search</button></form></header><main id="main" tabindex="-1">${breadcrumbs(path, view.trail)}<article class="object"><header><p class="kind">${e(view.kind)}</p><h1>${e(view.title)}</h1></header>${view.notices.map((notice) => `<p class="notice">${e(notice)}</p>`).join('')}${view.description ? `<div class="prose description">${view.description}</div>` : ''}${lead(view)}${contents(view)}<div>${sections(rest(view))}${related(view)}${citations(view)}${json(view)}<p class="provenance fine">${view.receivedNotice ? `${view.receivedNotice} ` : ''}${view.liveUrl ? `<a href="${e(view.liveUrl)}" rel="external noreferrer">View in the live archive</a>` : ''}</p></div></article>${recordNavigation(path, context.previous, context.next)}</main><footer class="colophon"><p>An offline copy of <span class="address">${e(facts.catalogUrl)}</span>. <a href="${to(ABOUT_PATH)}">About this copy: date and gaps</a></p>${THEME}</footer></body></html>`;
}

/** Markup of the choice of appearance. */
export const THEME =
  '<p class="theme" hidden><label for="theme">Appearance</label><select id="theme" autocomplete="off"><option value="">System</option><option value="light">Light</option><option value="dark">Dark</option></select></p>';

function metadata(
  { title, metadata: { liveUrl, type, dublinCore, jsonLd } }: ObjectView,
  facts: SiteFacts,
  description: string,
): string {
  const canonical = liveUrl ? `<link rel="canonical" href="${e(liveUrl)}">` : '';
  const graph = { title, type, description, site_name: facts.title, locale: 'en' };
  const og = Object.entries(graph).map(([name, content]) => `<meta property="og:${name}" content="${e(content)}">`);
  const dc = dublinCore.map(([name, content]) => `<meta name="${name}" content="${e(content)}">`);
  return `${canonical}${og.join('')}<link rel="schema.DC" href="http://purl.org/dc/elements/1.1/">${dc.join('')}<script type="application/ld+json">${escapeScriptJson(jsonLd)}</script>`;
}

function related({ path, context }: ObjectView): string {
  if (context.related.length === 0) return '';
  return `<section><h2>Related records <span class="count">${context.related.length}</span></h2><ul class="cards">${context.related.map((card) => cardItem(path, card)).join('')}</ul></section>`;
}

function citations({ citations: all }: ObjectView): string {
  if (all.length === 0) return '';
  const items = all.map(
    ({ style, text }) =>
      `<div><dt>${style}</dt><dd${text.includes('\n') ? ' class="code"' : ''}>${e(text)}</dd><dd><button type="button" class="copy" hidden data-copied="Copied" aria-label="Copy: ${style}">Copy</button></dd></div>`,
  );
  return `<details class="citations"><summary>Cite this</summary><dl>${items.join('')}</dl></details>`;
}

function json({ json: text }: ObjectView): string {
  return text === undefined ? '' : `<details class="json"><summary>Record as JSON</summary><pre>${e(text)}</pre></details>`;
}

function breadcrumbs(path: string, trail: Crumb[]): string {
  const step = (crumb: Crumb, i: number) =>
    crumb.path
      ? `<a href="${relativeUrl(path, crumb.path)}">${e(crumb.label)}</a>`
      : `<span${i === trail.length - 1 ? ' aria-current="page"' : ''}>${e(crumb.label)}</span>`;
  return `<nav class="breadcrumbs" aria-label="Breadcrumbs"><ol>${trail.map((crumb, i) => `<li>${step(crumb, i)}</li>`).join('')}</ol></nav>`;
}

function contents({ context, path, id }: ObjectView): string {
  if (context.childCount === 0) return '';
  const pages = context.pages > 1 ? `<div>${pager(path, id, context.pages)}</div>` : '';
  const bar = isAbove(context) ? BAR.replace('#', relativeUrl(path, contentsPath(id))) : '';
  return `<section class="contents"><h2>${CONTENTS[context.entry.model] ?? 'Parts'} <span class="count">${context.childCount}</span></h2>${bar}<ul class="cards">${context.children.map((card) => cardItem(path, card)).join('')}</ul></section>${pages}`;
}

/** Returns the links to the pages of a list. */
export function pager(path: string, id: string, count: number): string {
  const numbers = [...new Set([1, 2, count - 1, count])].filter((n) => n >= 1 && n <= count).sort((a, b) => a - b);
  const gap = (n: number, i: number) => (i > 0 && n - (numbers[i - 1] ?? n) > 1 ? '<span aria-hidden="true">… </span>' : '');
  const items = numbers.map(
    (n, i) =>
      `<li>${gap(n, i)}${n === 1 ? '<span aria-current="page">1</span>' : `<a href="${relativeUrl(path, objectPath(id, n))}" aria-label="Page ${n}">${n}</a>`}</li>`,
  );
  return `<nav class="pager" aria-label="Pagination"><ol>${items.join('')}</ol><a rel="next" href="${relativeUrl(path, objectPath(id, 2))}">Next</a></nav>`;
}

function cardItem(path: string, card: Card): string {
  return `<li class="card"><a href="${relativeUrl(path, card.path)}"><span class="card-picture${card.isPlaceholder ? ' placeholder' : ''}"><img src="${relativeUrl(path, card.image.path)}" width="${card.image.width}" height="${card.image.height}" alt="" loading="lazy" decoding="async"></span><span class="card-title">${e(card.title)}</span></a><p class="card-facts">${card.date ? `<span>${e(card.date)}</span>` : ''}<span>${e(card.kind)}</span><span class="id">${e(card.id)}</span></p></li>`;
}

type Sections = ObjectView['sections'];

/** Whether a record is above the items. */
export const isAbove = ({ entry }: Pick<ObjectView['context'], 'entry'>) => !['entity', 'segment', 'file'].includes(entry.model);
/** Returns the sections that come before the contents. */
export const leading = ({ sections: all, context }: ObjectView): Sections =>
  isAbove(context) ? all.filter(({ name }) => name === 'history') : [];
/** Returns the sections that come after the contents. */
export const rest = (view: ObjectView): Sections => view.sections.filter((section) => !leading(view).includes(section));
/** Markup above the contents. `#` is replaced by the path of the finding aid. */
export const BAR =
  '<div class="contents-bar"><fieldset class="shapes"><legend>View</legend><label><input type="radio" name="shape" value="gallery" checked autocomplete="off"> Grid</label><label><input type="radio" name="shape" value="list" autocomplete="off"> List</label></fieldset><a href="#">Finding aid</a></div>';

function lead(view: ObjectView): string {
  const own = leading(view);
  return own.length > 0 ? `<div>${sections(own)}</div>` : '';
}

function sections(all: Sections): string {
  const one = ({ name, title, html }: Sections[number]) =>
    name === 'record'
      ? `<details class="fields"><summary>${e(title)}</summary><dl>${html}</dl></details>`
      : `<section class="fields"><h2>${e(title)}</h2><dl>${html}</dl></section>`;
  return all.map(one).join('');
}

function recordNavigation(path: string, previous: Crumb | undefined, next: Crumb | undefined): string {
  if (!previous && !next) return '';
  const link = (rel: string, word: string, crumb: Crumb | undefined) =>
    crumb?.path ? `<a rel="${rel}" href="${relativeUrl(path, crumb.path)}"><span>${word}</span> ${e(crumb.label)}</a>` : '';
  return `<nav class="neighbours" aria-label="Previous and next records">${link('prev', 'Previous', previous)}${link('next', 'Next', next)}</nav>`;
}
