/** Creates the excerpt of a search result, and marks the matching words. */
import { type ResultData, type ResultText, SEAM } from '../../formats/result-data.ts';
import type { Matcher, TextMatch } from './text-matches.ts';

/** A piece of text; `isMatch` if it matches a word or phrase of the query. */
export interface TextSegment {
  text: string;
  isMatch: boolean;
}

/** A text with marks, and the numbers of the words and phrases that are marked in it. */
export interface MarkedText {
  segments: TextSegment[];
  terms: ReadonlySet<number>;
}

/** Maximum length of an excerpt, in characters. */
const EXCERPT_LENGTH = 240;

/** Returns a text with its matching words marked. */
export function markText(text: string, matcher: Matcher): MarkedText {
  const composed = text.normalize('NFC');
  return markMatches(composed, matcher.find(composed));
}

/** Returns the part of a text with the most words of the query, marked; its beginning if it has none. */
export const markExcerpt = (text: string, matcher: Matcher): MarkedText => createExcerpter(text, matcher)(EXCERPT_LENGTH);

/** Returns a part of a text of at most `length` characters, with the most of the words and phrases with the numbers `terms`. */
export type Excerpter = (length: number, terms?: ReadonlySet<number>) => MarkedText;

/** Prepares a text for several excerpts. An excerpt is from one of the texts that seams divide. */
export function createExcerpter(text: string, matcher: Matcher): Excerpter {
  const parts = text
    .normalize('NFC')
    .split(SEAM)
    .map((part) => ({ part, matches: matcher.find(part) }));
  return (length, terms) => {
    const excerpts = parts.map(({ part, matches }) => {
      const wanted = terms ? matches.filter(({ term }) => terms.has(term)) : matches;
      const excerpt = cutExcerpt(part, wanted, length, matcher);
      return { excerpt, count: [...excerpt.terms].filter((term) => terms?.has(term) ?? true).length };
    });
    return excerpts.reduce((a, b) => (b.count > a.count ? b : a)).excerpt;
  };
}

function cutExcerpt(composed: string, matches: readonly TextMatch[], length: number, matcher: Matcher): MarkedText {
  const at = findBestStart(matches, length / 2);
  const first = at === undefined ? 0 : (matches[at] as TextMatch).start;
  const lead = Math.floor(length / 3);
  const begin = first < length / 2 ? 0 : Math.max(0, composed.lastIndexOf(' ', first - lead) + 1 || first - lead);
  const cut = composed.slice(begin, begin + length);
  const isTruncated = begin + length < composed.length;
  const shown = `${begin > 0 ? '… ' : ''}${isTruncated ? cut.replace(/\s+\S*$/, '') : cut}${isTruncated ? ' …' : ''}`;
  return markMatches(shown, matcher.find(shown));
}

/** An excerpt, and which text it is from. */
export type Excerpt = MarkedText & { source: ResultText };

/** Returns a result's excerpt: from description or body, or quoted from the transcript if that has more of the words. */
export function createExcerpt(result: ResultData, matcher: Matcher): Excerpt {
  const excerpts = (['description', 'body', 'spoken'] as const).flatMap((source): Excerpt[] => {
    const text = result[source];
    return text === undefined ? [] : [{ ...markExcerpt(text, matcher), source }];
  });
  const best = excerpts.reduce((a, b) => (b.terms.size > a.terms.size ? b : a));
  if (best.source !== 'spoken') return best;
  const quote = (text: string) => ({ text, isMatch: false });
  return { ...best, segments: [quote('“'), ...best.segments, quote('”')] };
}

/** Returns the match from which most different words are within `length`; of equal ones, the one with the nearest words. */
function findBestStart(matches: readonly TextMatch[], length: number): number | undefined {
  let best: { at: number; terms: number; span: number } | undefined;
  for (const [at, { start }] of matches.entries()) {
    const terms = new Set<number>();
    let end = start;
    for (let i = at; i < matches.length && (matches[i] as TextMatch).end - start <= length; i++) {
      const match = matches[i] as TextMatch;
      if (!terms.has(match.term)) end = match.end;
      terms.add(match.term);
    }
    if (!best || terms.size > best.terms || (terms.size === best.terms && end - start < best.span))
      best = { at, terms: terms.size, span: end - start };
  }
  return best?.at;
}

function markMatches(text: string, matches: readonly TextMatch[]): MarkedText {
  const segments: TextSegment[] = [];
  const push = (piece: string, isMatch: boolean) => {
    const last = segments[segments.length - 1];
    if (last?.isMatch === isMatch) last.text += piece;
    else if (piece !== '') segments.push({ text: piece, isMatch });
  };
  let end = 0;
  for (const match of matches) {
    if (match.end <= end) continue;
    const start = Math.max(match.start, end);
    push(text.slice(end, start), false);
    push(text.slice(start, match.end), true);
    end = match.end;
  }
  push(text.slice(end), false);
  return { segments, terms: new Set(matches.map(({ term }) => term)) };
}
