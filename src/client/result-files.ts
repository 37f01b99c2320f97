/** The files of a record in which a search has found words: links to them, in the result of the record. */
import { markText } from './excerpt.ts';
import type { Fragment } from './index-parts.ts';
import { findReasons, type MatchReason } from './match-reasons.ts';
import { pageAddress, toNodes } from './result-text.ts';
import { createElement, formatNumber, pageData, valueLabel } from './search-elements.ts';
import type { FoundPage, SearchResult } from './search-engine.ts';
import type { Matcher } from './text-matches.ts';

/** A document that was found, with what its result shows. */
export interface LoadedPage extends Pick<FoundPage, 'matched'> {
  fragment: Fragment;
}

/** A result with what it shows. */
export interface LoadedResult extends LoadedPage, Pick<SearchResult, 'isFound'> {
  /** The first of the files that are worth a link. */
  files: LoadedPage[];
  /** The number of all of them. */
  fileCount: number;
}

/** Files of a result that are loaded; of more, only the number is known. */
const MAX_LOADED = 4;
const MAX_LINKS = 3;

/** Loads what a result shows, with its first files. */
export async function loadResult(result: SearchResult): Promise<LoadedResult> {
  const load = async ({ matched, data }: FoundPage): Promise<LoadedPage> => ({ matched, fragment: await data() });
  const [own, files] = await Promise.all([load(result), Promise.all(result.files.slice(0, MAX_LOADED).map(load))]);
  // A file with the title of its record is found by the same words, and says nothing more.
  const isNew = ({ fragment }: LoadedPage) => !result.isFound || fragment.meta.title !== own.fragment.meta.title;
  const others = files.filter(isNew);
  return result.files.length <= MAX_LOADED
    ? { ...own, isFound: result.isFound, files: others, fileCount: others.length }
    : { ...own, isFound: result.isFound, files: others.length > 0 ? others : files, fileCount: result.files.length };
}

/** Returns a line with the number of files and links to the first of them; nothing without files. */
export function renderFiles({ files, fileCount }: LoadedResult, matcher: Matcher): HTMLElement[] {
  if (fileCount === 0) return [];
  const { words } = pageData;
  const label = fileCount === 1 ? words.inFile : words.inFiles.replace('#', formatNumber(fileCount));
  const links = files
    .slice(0, MAX_LINKS)
    .map(({ fragment: { url, meta } }) =>
      createElement('a', { href: pageAddress(url) }, ...toNodes(markText(meta.title || url, matcher))),
    );
  const parts = links.flatMap((link, i) => (i === 0 ? [link] : [', ', link]));
  return [createElement('p', { className: 'fine reason' }, `${label} `, ...parts, ...(fileCount > links.length ? [' …'] : []))];
}

/** Returns why the first file was found, beside its title. */
export function findFileReasons({ files: [first] }: LoadedResult, matcher: Matcher): MatchReason[] {
  if (!first) return [];
  const missing = matcher.termsOf(first.matched);
  for (const term of markText(first.fragment.meta.title, matcher).terms) missing.delete(term);
  return findReasons(first.fragment.meta, matcher, missing, valueLabel);
}
