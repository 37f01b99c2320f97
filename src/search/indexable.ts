/** Turns a search document into what Pagefind indexes, and into the words of the vocabulary. */
import type { ResultData, SearchedField } from '../formats/result-data.ts';
import { spellEastAsian } from '../formats/search/east-asian.ts';
import { eastAsian } from '../formats/search/fold-letters.ts';
import { splitNameParts, splitWords } from '../formats/search/searchable-text.ts';
import { encodeHidden, encodeKey, encodeWord, SEPARATOR } from '../formats/search/word-codes.ts';
import { toLegible } from '../model/text/legible.ts';
import { MAX_TITLE_LENGTH } from '../model/text/limits.ts';
import { toFilterValue } from '../model/text/text.ts';
import { isSuppliedTitle, type SearchDocument, SORTS_LAST, searchedTexts } from './documents.ts';

/** Maximum characters of a document in the form that Pagefind gets. Its process fails at some megabytes. */
const MAX_CONTENT_LENGTH = 4_000_000;
/** Maximum characters of a text that a result gets. */
const MAX_SHOWN_LENGTH = 2_000_000;

// Every document is folded here; a browser does the same for queries that need it.
eastAsian.spell = spellEastAsian;

/** A document in the form of Pagefind's `addCustomRecord`. It contains codes only, no text. */
export interface IndexableDocument {
  /** Path of the page. */
  url: string;
  content: string;
  meta: Record<string, string>;
}

/** Returns a document with its texts limited and legible: without lone surrogates, which would end Pagefind's process. */
export function limitDocument(document: SearchDocument): SearchDocument {
  const { shown, hidden, filters, sort } = document;
  return {
    ...document,
    shown: limitShown(shown),
    hidden: limitText(hidden),
    filters: mapValues(filters, (values) => values.map(toFilterValue)),
    sort: mapValues(sort, (key) => (key === SORTS_LAST ? key : toLegible(key.slice(0, MAX_TITLE_LENGTH)))),
  };
}

/** Returns a limited document as Pagefind gets it, and its words. What exceeds Pagefind's limit is in neither. */
export function toIndexable(document: SearchDocument) {
  const { url, shown, hidden, keys } = document;
  const codes: string[] = [];
  let length = 0;
  const add = (code: string) => {
    length += code.length + 1;
    if (length <= MAX_CONTENT_LENGTH) codes.push(code);
    return length <= MAX_CONTENT_LENGTH;
  };
  const words = new Set<string>();
  for (const text of searchedTexts(document)) {
    for (const word of splitWords(text)) if (add(encodeWord(word))) words.add(word);
    add(SEPARATOR);
    for (const part of splitNameParts(text)) if (add(encodeWord(part)) && add(SEPARATOR)) words.add(part);
  }
  // Sorted and apart, so that the positions in the index do not give the order of the text.
  for (const word of [...new Set([...splitWords(hidden), ...splitNameParts(hidden)])].sort())
    if (!words.has(word) && add(encodeHidden(word))) add(SEPARATOR);
  const title = isSuppliedTitle(shown.title, keys) ? '' : splitWords(shown.title).map(encodeWord).join(' ');
  return {
    document: {
      url,
      content: codes.join(' '),
      meta: title === '' ? {} : { title },
    },
    /** The words of its visible texts, each once. */
    words,
    /** The codes of its keys, each once. */
    keys: [...new Set(keys.flatMap(([kind, text]) => encodeKey(kind, text.slice(0, MAX_TITLE_LENGTH)) ?? []))],
  };
}

const LIMITED_TEXTS = ['title', 'description', 'date', 'parent', 'collection', 'body', 'spoken'] as const;

function limitShown(shown: ResultData): ResultData {
  const fields = shown.fields.map(
    ([name, text, also]): SearchedField =>
      also === undefined ? [name, limitText(text)] : [name, limitText(text), limitText(also)],
  );
  const texts = LIMITED_TEXTS.map((name) => [name, shown[name]] as const).filter(([, text]) => text !== undefined);
  return { ...shown, ...Object.fromEntries(texts.map(([name, text]) => [name, limitText(text as string)])), fields };
}

const limitText = (text: string): string => toLegible(text.slice(0, MAX_SHOWN_LENGTH));

function mapValues<T, U>(values: Record<string, T>, convert: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, convert(value)]));
}
