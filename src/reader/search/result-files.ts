/** The files of a record, and segments of an interview, in which a search found words: as links in the record's result. */
import { findMoment } from '../../formats/moments.ts';
import type { ResultData } from '../../formats/result-data.ts';
import type { IndexedResult } from '../../formats/search/result-blocks.ts';
import { withoutName } from '../../model/segment-title.ts';
import { toWellFormed } from '../../model/text/well-formed.ts';
import { formatDuration } from '../../platform/quantities.ts';
import { createElement } from '../browser/create-element.ts';
import { createExcerpter, type MarkedText, markText } from './excerpt.ts';
import { findReasons, type MatchReason } from './match-reasons.ts';
import { formatCounted, formatNumber, pageAddress, pageData, toNodes, valueLabel } from './search-elements.ts';
import type { FoundPage, SearchResult } from './search-engine.ts';
import type { Matcher } from './text-matches.ts';

/** A document that was found, with what its result shows. */
export type LoadedPage = Pick<FoundPage, 'matched'> & { fragment: IndexedResult };

/** A result with what it shows. */
export type LoadedResult = Awaited<ReturnType<typeof loadResult>>;

/** Files of a result that are loaded; of more, only the number is known. */
const MAX_LOADED = 4;
const MAX_LINKS = 3;
const MAX_SEGMENTS = 6;

/** Loads what a result shows, its first segments and the first files that are worth a link, and how many there are of both. */
export async function loadResult(result: SearchResult) {
  const load = async ({ matched, data }: FoundPage): Promise<LoadedPage> => ({ matched, fragment: await data() });
  const [own, files, segments] = await Promise.all([
    load(result),
    Promise.all(result.files.slice(0, MAX_LOADED).map(load)),
    Promise.all(result.segments.slice(0, MAX_SEGMENTS).map(load)),
  ]);
  const loaded = { ...own, isFound: result.isFound, segments, segmentCount: result.segments.length };
  // A file with the title of its record is found by the same words, and says nothing more.
  const isNew = ({ fragment }: LoadedPage) => !result.isFound || fragment.meta.title !== own.fragment.meta.title;
  const others = files.filter(isNew);
  return result.files.length <= MAX_LOADED
    ? { ...loaded, files: others, fileCount: others.length }
    : { ...loaded, files: others.length > 0 ? others : files, fileCount: result.files.length };
}

/** Returns a line with the number of files and links to the first of them; nothing without files. */
export function renderFiles({ files, fileCount }: LoadedResult, matcher: Matcher): HTMLElement[] {
  if (fileCount === 0) return [];
  const label = formatCounted(pageData.words.inFiles, fileCount);
  const links = files
    .slice(0, MAX_LINKS)
    .map(({ fragment: { url, meta } }) =>
      createElement('a', { href: pageAddress(url) }, ...toNodes(markText(meta.title || url, matcher))),
    );
  const parts = links.flatMap((link, i) => (i === 0 ? [link] : [', ', link]));
  return [createElement('p', { className: 'fine reason' }, `${label} `, ...parts, ...(fileCount > links.length ? [' …'] : []))];
}

/**
 * Returns a line with the number of segments and links to the first of them, each at its first word of the query, and to a search
 * that lists all; nothing without segments.
 */
export function renderSegments(result: LoadedResult, matcher: Matcher): HTMLElement[] {
  const { fragment, segmentCount } = result;
  if (segmentCount === 0) return [];
  // In the order of the interview.
  const segments = [...result.segments].sort((a, b) => a.fragment.url.localeCompare(b.fragment.url, 'en', { numeric: true }));
  const spoken = segments.map(({ fragment: { meta } }) => (meta.warnings ? undefined : findSpoken(meta, matcher)));
  const label = spoken.every((text) => text !== undefined) ? pageData.words.heardIn : pageData.words.inSegments;
  const links = segments.map(({ fragment: { url, meta } }, i) => {
    const title = toNodes(markText(withoutName(meta.title, fragment.meta.title) || url, matcher));
    return linkToMoment(url, meta, spoken[i], title);
  });
  const parts = links.flatMap((link, i) => (i === 0 ? [link] : [' · ', link]));
  const more = segmentCount > links.length ? [' · ', linkToSegments(segmentCount)] : [];
  const count = label.replace('#', formatNumber(segmentCount));
  return [createElement('p', { className: 'fine reason heard' }, `${count} `, ...parts, ...more)];
}

/** Returns a link to the same search among segments, which are results of their own there. */
function linkToSegments(count: number): HTMLAnchorElement {
  const parameters = new URLSearchParams(location.search);
  parameters.append('model', 'segment');
  return createElement('a', { href: `?${parameters}` }, pageData.words.allSegments.replace('#', formatNumber(count)));
}

function findSpoken({ spoken }: ResultData, matcher: Matcher): MarkedText | undefined {
  const text = spoken === undefined ? undefined : createExcerpter(spoken, matcher)(SPOKEN_LENGTH);
  return text && text.terms.size > 0 ? text : undefined;
}

/** Characters of the text around the first words that were found. */
const SPOKEN_LENGTH = 200;

/** Characters of a transcript that identify a place in it. */
const QUOTE_LENGTH = 60;

/** Returns the part of an address that opens a page at its transcript's first match, with its words marked, or empty. */
export function addressOfQuote(spoken: MarkedText | undefined): string {
  const quote = quoteOf(spoken);
  if (quote === '') return '';
  const words = spoken?.segments.find(({ isMatch }) => isMatch)?.text.trim() ?? '';
  const parameter = (name: string, text: string) => `${name}=${encodeURIComponent(toWellFormed(text))}`;
  return `#${parameter('find', quote)}${words === '' ? '' : `&${parameter('words', words)}`}`;
}

/** Returns a link to the first match in a transcript: with its time, if it has one, and with what it is called. */
export function linkToMoment(
  url: string,
  meta: ResultData,
  spoken: MarkedText | undefined,
  title: Array<Node | string>,
): HTMLAnchorElement {
  const seconds = findMoment(meta, quoteOf(spoken));
  const time = seconds === undefined ? [] : [createElement('b', { className: 'moment' }, `▸ ${formatDuration(seconds)}`)];
  const space = time.length > 0 && title.length > 0 ? [' '] : [];
  // What begins with a time is played there.
  const address = addressOfQuote(spoken);
  const play = address !== '' && seconds !== undefined ? '&play' : '';
  return createElement('a', { href: `${pageAddress(url)}${address}${play}` }, ...time, ...space, ...title);
}

/** Returns the words from the first match on that identify its place; empty without one. */
export function quoteOf(spoken: MarkedText | undefined): string {
  const first = spoken?.segments.findIndex(({ isMatch }) => isMatch) ?? -1;
  if (!spoken || first === -1) return '';
  const text = spoken.segments
    .slice(first)
    .map((segment) => segment.text)
    .join('')
    .replace(/ ?….*|”$/s, '');
  return text.length > QUOTE_LENGTH ? text.slice(0, QUOTE_LENGTH).replace(/\s+\S*$/, '') : text;
}

/** Returns whether a record's result may quote a part: one without a content warning or a label that the record lacks. */
function mayBeQuoted({ warnings, labels = [] }: ResultData, { labels: shown = [] }: ResultData): boolean {
  const known = new Set(shown.map((label) => JSON.stringify(label)));
  return !warnings && labels.every((label) => known.has(JSON.stringify(label)));
}

/** Returns why the first segment or file was found, beside its title: the first one that may be quoted. */
export function findFileReasons({ fragment, segments, files }: LoadedResult, matcher: Matcher): MatchReason[] {
  const first = [...segments, ...files].find((part) => mayBeQuoted(part.fragment.meta, fragment.meta));
  if (!first) return [];
  const missing = matcher.termsOf(first.matched);
  for (const term of markText(first.fragment.meta.title, matcher).terms) missing.delete(term);
  return findReasons(first.fragment.meta, matcher, missing, valueLabel);
}
