/** Creates the elements of results, and of the notices about words that were not found. */
import { directionOf } from '../../formats/direction.ts';
import { CREATOR_WITH_ROLE, type ResultData, type ResultText } from '../../formats/result-data.ts';
import { formatShownDate } from '../../model/dates/format.ts';
import { capitalize } from '../../model/text/capitalize.ts';
import { toLegible } from '../../model/text/legible.ts';
import { inLanguage, type LocalText, languageOf } from '../../model/text/local-text.ts';
import { toWellFormed } from '../../model/text/well-formed.ts';
import { createElement } from '../browser/create-element.ts';
import { setThumbnail } from '../browser/site-files.ts';
import type { Correction } from './corrections.ts';
import { createExcerpt, type MarkedText, markText } from './excerpt.ts';
import { findReasons, type MatchReason } from './match-reasons.ts';
import { addressOfQuote, findFileReasons, type LoadedResult, linkToMoment, renderFiles, renderSegments } from './result-files.ts';
import { formatCounted, pageAddress, pageData, toNodes, valueLabel } from './search-elements.ts';
import type { SearchResponse } from './search-engine.ts';
import { asTyped, type Matcher, replaceWords } from './text-matches.ts';

/**
 * Returns a list item for a result, with the words of the query marked, and the fields and texts with those that title and
 * excerpt do not show; of a record that was found only by its files, those of the first file.
 */
export function renderResult(result: LoadedResult, matcher: Matcher): HTMLLIElement {
  const { fragment, matched, isFound, segmentCount } = result;
  const { url, meta } = fragment;
  const image = createElement('img', { alt: '', width: 96, height: 72, loading: 'lazy' });
  setThumbnail(image, meta.image, pageData);
  // A collection of which only the ID is known has a label.
  const ownTitle = meta.titles?.[pageData.language];
  const shownTitle = ownTitle ?? (meta.kind === 'collection' ? valueLabel('collection', meta.title) : meta.title);
  const title = markText(shownTitle || url.replace(/^\//, ''), matcher);
  const date = markText(dateOf(meta), matcher);
  const excerpt = createExcerpt(meta, matcher);
  const missing = matcher.termsOf(matched);
  // A grid has no excerpts, unless nothing else has the words.
  const isOnlyExcerpt = [...excerpt.terms].some((term) => !title.terms.has(term) && !date.terms.has(term));
  for (const term of [...title.terms, ...date.terms, ...excerpt.terms]) missing.delete(term);
  const kind = kindOf(meta);
  const facts = [
    kind ? [kind] : [],
    toNodes(date),
    meta.parent === undefined ? [] : [meta.parent],
    meta.collection === undefined ? [] : [valueLabel('collection', meta.collection)],
  ].filter((nodes) => nodes.length > 0);
  const found = isFound ? findReasons(meta, matcher, missing, valueLabel) : findFileReasons(result, matcher);
  const spokenText = excerpt.source === 'spoken' ? excerpt : found.find(({ name }) => name === 'spoken')?.text;
  // The page of an interview has no transcripts of its segments. The address does not quote what a content warning covers.
  const isQuoted = !meta.warnings && (isFound || segmentCount === 0);
  const href = `${pageAddress(url)}${isQuoted ? addressOfQuote(spokenText) : ''}`;
  const renderTexts = () => [
    createElement(
      'p',
      { className: isOnlyExcerpt ? 'excerpt why' : 'excerpt', ...langOf(meta, excerpt.source) },
      ...(excerpt.source === 'spoken' ? linkToTime(url, meta, excerpt) : []),
      ...toNodes(excerpt),
    ),
    ...(isFound
      ? found.map((reason) => renderReason(reason, reason.name === 'spoken' ? linkToTime(url, meta, reason.text) : []))
      : []),
    ...renderFiles(result, matcher),
    ...renderSegments(result, matcher),
    ...(isFound ? [] : found.map((reason) => renderReason(reason))),
  ];
  const item = createElement(
    'li',
    {},
    ...renderLabels(meta),
    createElement('span', { className: `card-picture${meta.image.startsWith('assets/') ? ' placeholder' : ''}` }, image),
    createElement(
      'div',
      {},
      createElement(
        'h2',
        {},
        createElement('a', { href, ...(ownTitle === undefined ? langOf(meta, 'title') : {}) }, ...toNodes(title)),
      ),
      createElement('p', { className: 'fine facts' }, ...facts.flatMap((nodes, i) => (i === 0 ? nodes : [' · ', ...nodes]))),
      ...renderWarnings(meta),
      ...(meta.warnings ? [] : renderTexts()),
    ),
  );
  // For the script that saves records.
  const id = meta.fields.find(([name]) => name === 'id')?.[1];
  Object.assign(item.dataset, { ...(id === undefined ? {} : { id }), kind, when: dateOf(meta) });
  if (meta.collection !== undefined) item.dataset['collection'] = valueLabel('collection', meta.collection);
  return item;
}

/** Returns a link to the moment of a quotation, by its time; nothing without one. */
function linkToTime(url: string, meta: ResultData, quotation: MarkedText): Array<Node | string> {
  const link = linkToMoment(url, meta, quotation, []);
  return link.textContent === '' ? [] : [link, ' '];
}

/** Returns the content warnings on a record, of which nothing is shown. */
function renderWarnings({ warnings = [] }: ResultData): HTMLElement[] {
  return warnings.map((title) => {
    const kind = createElement('b', {}, pageData.words.contentWarning);
    return createElement('p', { className: 'card-note card-warning' }, kind, ' ', textOfNotice(title));
  });
}

/** Returns the cultural-protocol labels on a record, which are before its image. */
function renderLabels({ labels = [] }: ResultData): HTMLElement[] {
  return labels.map(({ title, image }) => {
    const mark = image === undefined ? [] : [createElement('img', { alt: '', loading: 'lazy', src: `${pageData.root}${image}` })];
    return createElement('p', { className: 'card-note card-label' }, ...mark, textOfNotice(title));
  });
}

function textOfNotice(text: LocalText): HTMLElement {
  const lang = languageOf(text, pageData.language);
  return createElement('span', lang === undefined ? {} : inLang(lang), inLanguage(text, pageData.language));
}

/** Returns why a result was found. A time is before the words that are spoken then. */
function renderReason({ name, text }: MatchReason, time: Array<Node | string> = []): HTMLElement {
  if (name === undefined) return createElement('p', { className: 'fine reason' }, pageData.words.foundInHidden);
  const label = pageData.words.foundIn.replace('#', () => fieldLabel(name));
  return createElement('p', { className: 'fine reason' }, `${label} `, ...time, ...toNodes(text));
}

/** Returns the label of a field; that of a creator is the role. */
function fieldLabel(name: string): string {
  if (!name.startsWith(CREATOR_WITH_ROLE)) return pageData.fields[name] ?? name;
  return capitalize(valueLabel('creatorRole', name.slice(CREATOR_WITH_ROLE.length)));
}

/** Returns the date of a result in words. */
export const dateOf = ({ date = '' }: ResultData): string => formatShownDate(date, pageData.language, pageData.dates);

/** Returns what a result is, such as “Photograph”: an item by its genre, if the archive gives one. */
export function kindOf({ kind, fields }: ResultData): string {
  const [, genre] = (kind === 'entity' && fields.find(([name]) => name === 'genre')) || [];
  return genre === undefined ? valueLabel('model', kind) : capitalize(valueLabel('item', genre));
}

/** Returns the `lang` and `dir` attributes of a text of a result, unless the text is in the language of the page. */
function langOf({ langs }: ResultData, name: ResultText): { lang?: string; dir?: string } {
  const lang = langs?.[name] ?? pageData.archiveLanguage;
  return lang.split('-')[0] === pageData.language ? {} : inLang(lang);
}

function inLang(lang: string): { lang: string; dir?: string } {
  const dir = directionOf(lang);
  return { lang, ...(dir && { dir }) };
}

/** Returns sentences that say which words were not found, left out or corrected, with a link that undoes corrections. */
export function renderNotices(
  typed: string,
  words: SearchResponse['words'],
  hasResults: boolean,
  onUndo: () => void,
): HTMLElement[] {
  if (!words) return [];
  const { words: texts, language } = pageData;
  const quote = (word: string) => texts.quoted.replace('#', () => toLegible(asTyped(word, typed)));
  const list = (items: readonly string[]) => new Intl.ListFormat([language, 'en']).format(items.map(quote));
  const sentences = hasResults
    ? [
        ...(words.unknown.length > 0 ? [texts.withoutUnknown.replace('#', () => list(words.unknown))] : []),
        ...(words.isPartial ? [texts.someWords] : []),
        ...(words.leftOut.length > 0 && !words.isPartial ? [texts.withoutLeftOut.replace('#', () => list(words.leftOut))] : []),
      ]
    : [];
  const notices: HTMLElement[] = sentences.map((sentence) => createElement('p', {}, sentence));
  if (words.corrections.length === 0) return notices;
  const [own, others] = [list(words.corrections.map(({ from }) => from)), list(words.corrections.map(({ to }) => to))];
  const sentence = texts.corrected.replace(/##?/g, (sign) => (sign === '#' ? own : others));
  const undo = texts.undoCorrection.replace('#', () => own);
  return [...notices, createElement('p', { className: 'suggestion' }, sentence, ' ', linkToQuery(typed, undo, onUndo))];
}

/** Returns a link to the query with words that exist in place of unknown ones; nothing without any. `onSelect` gets it. */
export function renderSuggestions(
  typed: string,
  suggestions: readonly Correction[],
  onSelect: (query: string) => void,
): HTMLElement[] {
  if (suggestions.length === 0) return [];
  const query = replaceWords(typed, suggestions);
  const [before = '', after = ''] = pageData.words.didYouMean.split('#');
  const link = linkToQuery(query, toLegible(query), () => onSelect(query));
  return [createElement('p', { className: 'suggestion' }, before, link, after)];
}

function linkToQuery(query: string, text: string, onClick: () => void): HTMLAnchorElement {
  const link = createElement('a', { href: `?q=${encodeURIComponent(toWellFormed(query))}` }, text);
  link.addEventListener('click', (event) => {
    event.preventDefault();
    onClick();
  });
  return link;
}

/** Returns the number of results in words, and that they are grouped in fewer entries. */
export function formatCount(length: number, entries: number, typed: string): string {
  if (length === 0) return typed === '' ? pageData.words.none : pageData.words.noneFor.replace('#', () => toLegible(typed));
  const count = formatCounted(pageData.words.results, length);
  return entries === length ? count : pageData.words.grouped.replace('#', count);
}
