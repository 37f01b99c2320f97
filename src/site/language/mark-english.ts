/** Marks the English sentences of a page whose language has no words for them yet, so that they are read and set as English. */
import { escapeHtml } from '../../model/text/markup.ts';

/** How a text ends that is a sentence of its own. */
export const SENTENCE = /[.!?:…)]$/;
/** Letters of a sentence by which it is known, beside the values in it. */
const MIN_LETTERS = 8;
/** An element without others in it. On pages that are read from right to left, marks of direction enclose English sentences. */
const ELEMENT = /<(?!script|style)([a-z][a-z0-9]*)(\s[^<>]*)?>([^<>]+)<\/\1>/g;

/** Returns the sentences that a file of messages lacks: before the first value in them, and after the last. */
export function missingSentences(english: object, translated: unknown): Array<[start: string, end: string]> {
  return Object.entries(english).flatMap(([key, text]: [string, unknown]) => {
    const own = (translated as Record<string, unknown> | undefined)?.[key];
    if (key.startsWith('//') || (own !== undefined && key.endsWith(')'))) return [];
    if (typeof text === 'object' && text !== null) return missingSentences(text, own);
    if (own !== undefined || typeof text !== 'string' || !SENTENCE.test(text)) return [];
    const [start = '', end = ''] = escapeHtml(text).split(/\{.*\}/);
    return start.length + end.length < MIN_LETTERS ? [] : [[start, end]];
  });
}

/** Returns a page in which the elements with one of these sentences are marked as English. */
export const markEnglish = (html: string, sentences: ReadonlyArray<readonly [start: string, end: string]>): string =>
  html.replace(ELEMENT, (element, name: string, attributes: string | undefined, inner: string) => {
    const text = inner.replaceAll('\u200e', '').trim();
    const isOne = sentences.some(([start, end]) => (end === '' ? text === start : text.startsWith(start) && text.endsWith(end)));
    if (!isOne || /\s(?:lang|dir)=/.test(attributes ?? '')) return element;
    return `<${name}${attributes ?? ''} lang="en" dir="ltr">${inner}</${name}>`;
  });
