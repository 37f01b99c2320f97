/** Reads the values of record fields, which may be any JSON, as lines of text or HTML. */
import { MAX_LIST_MEMBERS, MAX_TEXT_LENGTH } from '../../model/text/limits.ts';
import { hasTextMarkup, tightenSpaces } from '../../model/text/markup.ts';
import { cleanTitle, toPlainText } from '../../model/text/text.ts';
import { hasValue, inLanguage, isObject, isTextObject, text as readText, statedText } from '../../model/values.ts';

/** One line of a field. */
export interface FieldValue {
  text: string;
  /** Untrusted HTML, if it has markup. */
  html?: string;
  /** Whether it is an object, as JSON. */
  isJson?: true;
}

/** Returns any JSON value as lines of text: one per element of a list; of texts by language, the one in `language`. */
export function jsonParts(value: unknown, language?: string): FieldValue[] {
  const lines: FieldValue[] = [];
  // A loop instead of recursion: lists may be nested thousands of levels deep.
  const pending: unknown[] = [value];
  while (pending.length > 0 && lines.length < MAX_LIST_MEMBERS) {
    const next = pending.pop();
    if (Array.isArray(next)) for (const element of inLanguage(next, language).reverse()) pending.push(element);
    else if (hasValue(next)) {
      const stated = statedText(next, language);
      const isJson = isObject(next) && !isTextObject(next) && stated === undefined;
      const line = readText(isJson ? JSON.stringify(next).slice(0, MAX_TEXT_LENGTH) : stated);
      if (line !== undefined) lines.push(isJson ? { text: line, isJson } : { text: line });
    }
  }
  return lines;
}

/** Returns strings that have markup as HTML, and any other value as lines of text. */
export function noteParts(value: unknown, language?: string): FieldValue[] {
  return jsonParts(value, language).map((part) =>
    hasTextMarkup(part.text) && !part.isJson ? { ...part, html: part.text } : part,
  );
}

/** Returns a value as plain text on one line. */
export function oneLine({ text, html }: Pick<FieldValue, 'text' | 'html'>): string {
  return html === undefined ? cleanTitle(text) : toPlainText(html);
}

/** Returns text for a line with a link of its own, or with more than one value: without markup. */
export const plainValue = (text: string): string => (hasTextMarkup(text) ? toPlainText(text) : tightenSpaces(text));

/** Returns a list of names as one line. */
export function joinedNames(value: unknown): FieldValue[] {
  const names = jsonParts(value).map(({ text }) => text);
  return names.length > 0 ? [{ text: names.join(', ') }] : [];
}
