/** Plain text from text that may be HTML: for titles in lists, file names, search and tags. */
import { cutHidden } from './cut-elements.ts';
import elements from './elements.json' with { type: 'json' };
import { toOneLine } from './legible.ts';
import { MAX_LABEL_LENGTH } from './limits.ts';
import { nonTextElements, parseMarkup, stripTags, tightenSpaces } from './markup.ts';

/** Elements that begin a line of their own, or are separate from the text around them. */
export const BLOCK_ELEMENTS: ReadonlySet<string> = new Set(elements.block.split(' '));

/**
 * Returns the text that a reader would see, on one line: without tags, hidden elements, scripts and styles, and with entities
 * decoded. Its result is text: given to it again, “&lt;b>” would become a tag.
 */
export function toPlainText(html: string | undefined): string {
  if (!html) return '';
  if (!/[<&]/.test(html)) return cleanTitle(tightenSpaces(html));
  const skipped = new Set(nonTextElements(html));
  const shown = cutHidden(tightenSpaces(html));
  let text = '';
  let skippedDepth = 0;
  const isComplete = parseMarkup(shown, {
    onopentag: (name) => {
      if (skipped.has(name)) skippedDepth++;
      if (BLOCK_ELEMENTS.has(name)) text += ' ';
    },
    ontext: (chunk) => {
      if (skippedDepth === 0) text += chunk;
    },
    onclosetag: (name) => {
      if (skipped.has(name)) skippedDepth--;
      if (BLOCK_ELEMENTS.has(name)) text += ' ';
    },
  });
  return cleanTitle(isComplete ? tightenSpaces(text) : stripTags(shown));
}

/** Returns legible text on one line. Direction marks are removed too, since a title has one direction. */
export const cleanTitle = (text: string): string => toOneLine(text.replace(/[\ufeff\u200e\u200f]/g, ''));

/** Invisible characters within words: a soft hyphen, a space of no width, a word joiner. */
const INVISIBLE = /[\u00ad\u200b\u2060]/g;

/**
 * Returns the form in which names, terms and places are compared: those that differ only in Unicode form (NFC, NFD), kinds of
 * spaces or their number are the same. Only to compare: pages show the words as they are.
 */
export const comparisonForm = (text: string): string => cleanTitle(tightenSpaces(text)).replace(INVISIBLE, '').normalize('NFC');

/** Returns the beginning of a text, up to `limit` characters and an ellipsis, cut between words if possible. */
export function truncateWords(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const cut = text.slice(0, maxLength);
  const space = cut.lastIndexOf(' ');
  return `${(space > maxLength * 0.6 ? cut.slice(0, space) : cut).replace(/[\s,;:.\ud800-\udbff]+$/u, '')}…`;
}

/** Like `truncateWords`, but after the last sentence that fits, if that is most of the text. */
export function truncateSentences(text: string, maxLength: number): string {
  const cut = text.slice(0, maxLength + 1);
  const end = cut.slice(0, [...cut.matchAll(SENTENCE_END)].at(-1)?.index ?? 0);
  return text.length > maxLength && end.length > maxLength / 2 ? end : truncateWords(text, maxLength);
}

/** Where a sentence ends and another one begins: not after an initial, nor within “U.S. and”. */
const SENTENCE_END = /(?<=(?<!\b\p{Lu})[.!?]["”’)]?)(?=\s+["“‘(]?[\p{Lu}\p{Lo}])/gu;

/** Returns the first sentence of a text, without its full stop. */
export function firstSentence(text: string): string {
  const end = text.search(SENTENCE_END);
  return (end < 0 ? text : text.slice(0, end)).replace(/(?<!\b\p{L})\.$/u, '');
}

/** Returns a label or title as a value of a search filter. */
export const toFilterValue = (label: string): string => cleanTitle(label.slice(0, MAX_LABEL_LENGTH));

const UNSPACED_END = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}、。」]$/u;
const UNSPACED_START = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}「]/u;
/** Whether two texts are joined without a space, because Chinese or Japanese signs are on both sides. */
export const isUnspacedBetween = (before: string, after: string) =>
  UNSPACED_END.test(before.slice(-2)) && UNSPACED_START.test(after);
