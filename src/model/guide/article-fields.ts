/** Reads texts, facts and position of a guide page (docs/upstream-api.md, “Articles”), also of fields that are not known. */
import { type Position, readPosition } from '../coordinates.ts';
import { cutElements, cutHidden } from '../text/cut-elements.ts';
import { tightenSpaces } from '../text/markup.ts';
import { toPlainText } from '../text/text.ts';
import { hasValue, isObject, isTextObject, list, text } from '../values.ts';

/** One text of a guide page. */
export interface ArticleSection {
  /** The name of its field: `body`, `footnotes` and so on. */
  field: string;
  /** Untrusted HTML, without what is hidden in it. */
  html: string;
}

/** A fact about a guide page, or about what it describes. */
export interface ArticleFact {
  /** The name of its field. */
  name: string;
  /** As plain text. */
  values: string[];
}

/** Fields with texts. Texts of other fields come before the notes, which are last. */
const SECTION_FIELDS = ['body', 'findatia', 'reviews', 'related', 'moreinfo'];
const NOTES = 'footnotes';
/** Fields that are read by name, or say only how upstream stores the page. All others are read by what they have. */
const KNOWN_FIELDS: ReadonlySet<string> = new Set(
  `${SECTION_FIELDS.join(' ')} ${NOTES} id doctype model index links title url_title title_sort description modified lastmod categories topics authors authors_data sources source_ids
  databoxes coordinates public published published_encyc published_rg mw_api_url prev_page next_page`.split(/\s+/),
);

const texts = list(text);
/** Returns the text of a field; the texts of a list are one below the other. */
const htmlOf = (value: unknown): string => texts(value).join('\n');

/** Whether a value is HTML with elements. Text with “<” is none. */
const isMarkup = (value: unknown): boolean => /<\/?[a-z][a-z\d]*(?:\s[^<>]*)?\/?>/i.test(htmlOf(value));

/** Returns the texts of a guide page: those of the known fields, and of every other field with HTML. */
export function readSections(payload: Record<string, unknown>): ArticleSection[] {
  const others = Object.keys(payload).filter((name) => !KNOWN_FIELDS.has(name) && isMarkup(payload[name]));
  return [...SECTION_FIELDS, ...others, NOTES].flatMap((field) => {
    const html = cutHidden(cutDataboxes(tightenSpaces(htmlOf(payload[field]))).rest);
    return toPlainText(html) === '' ? [] : [{ field, html }];
  });
}

/** Databoxes have the data of a guide page for programs. They are hidden, with `display: none` or `aria-hidden`. */
const cutDataboxes = (html: string) =>
  cutElements(html, ({ attributes }) => /(?:^|[\s_-]|rg)databox/i.test(`${attributes['id'] ?? ''} ${attributes['class'] ?? ''}`));

const values = list((value) => inWords(value) || undefined);

/** What names a thing, the best first. */
const NAMES = ['title', 'term', 'name', 'id'];
/** Fields of an object that do not describe it. */
const ADDRESSES: ReadonlySet<string> = new Set(['id', 'json', 'links']);
/** Levels of lists and objects in each other. */
const MAX_LEVELS = 20;

/** Returns a value as plain text: of an object, what names it, then its other fields with their names. */
function inWords(value: unknown, level = 0): string {
  if (typeof value !== 'object' || value === null || isTextObject(value)) return toPlainText(text(value));
  if (level === MAX_LEVELS) return '';
  const members = new Map(Object.entries(value));
  const named = Array.isArray(value) ? undefined : NAMES.find((name) => hasValue(members.get(name)));
  const keys = [...(named === undefined ? [] : [named]), ...members.keys().filter((key) => key !== named && !ADDRESSES.has(key))];
  return keys
    .flatMap((key) => {
      const words = inWords(members.get(key), level + 1);
      return words === '' ? [] : [key === named || Array.isArray(value) ? words : `${key.replaceAll('_', ' ')}: ${words}`];
    })
    .join('; ');
}

/** Returns the facts of a guide page: its databoxes, then all fields with a value that are read in no other way. */
export function readArticleFacts(payload: Record<string, unknown>): ArticleFact[] {
  const boxes = Object.values(payload).flatMap((value) => (isMarkup(value) ? cutDataboxes(htmlOf(value)).cut : []));
  const found = [
    ...readDatabox(payload['databoxes']),
    ...boxes.flatMap(({ html }) => parseDatabox(textOfDatabox(html.replace(/^<[^>]*>/, '')))),
    ...Object.entries(payload)
      .filter(([name, value]) => !KNOWN_FIELDS.has(name) && !isMarkup(value))
      .map(([name, value]): ArticleFact => ({ name, values: values(value) })),
  ];
  const stated = new Map(found.map((fact) => [JSON.stringify(fact), fact]));
  return [...stated.values()].filter(({ values: own }) => own.length > 0);
}

/** Returns the facts of databoxes: by name or in a list, each with its fields, or as text. */
function readDatabox(box: unknown): ArticleFact[] {
  if (typeof box === 'string') return parseDatabox(textOfDatabox(text(box) ?? ''));
  if (Array.isArray(box)) return box.slice(0, MAX_BOXES).flatMap(readDatabox);
  if (!isObject(box)) return [];
  return Object.entries(box).flatMap(([name, value]): ArticleFact[] => {
    if (isObject(value)) return Object.values(value).every((own) => !hasValue(own)) ? [] : readDatabox(value);
    return typeof value === 'string' && KEY.test(value) ? readDatabox(value) : [{ name, values: values(value) }];
  });
}

const MAX_BOXES = 100;
/** The name of a fact in the text of a databox: a word, or several with capitals. */
const NAME = '[\\p{L}_][\\p{L}\\p{N}_]*(?: \\p{Lu}[\\p{L}\\p{N}_]*){0,3}';
const KEY = new RegExp(`^\\s*(${NAME})\\s*:(?!//)[\\s:]*`, 'u');
const NEXT_FACT = new RegExp(`;[\\s;]*(?=${NAME}\\s*:(?!//))|;[\\s;]*$`, 'u');

/** Returns the text of a databox with a semicolon after each row, and a colon after the first cell. */
function textOfDatabox(html: string): string {
  return toPlainText(html.replace(/<\/dt>|<\/t[dh]>(?=\s*<t[dh])/gi, ':').replace(/<br\b[^>]*>|<\/(?:dd|div|li|p|tr)>/gi, ';'));
}

/** Parses a databox's text, such as `Name:Quay Street; DateOpened:May 3, 1921;`. A value may contain other semicolons. */
function parseDatabox(box: string): ArticleFact[] {
  return box.split(NEXT_FACT).flatMap((line) => {
    const name = KEY.exec(line)?.[1] ?? 'databox';
    const value = line.replace(KEY, '').trim();
    return value === '' ? [] : [{ name, values: [value] }];
  });
}

/** Returns the position that a guide page describes: longitude and latitude as a list or by name, else from its databox. */
export function positionOfArticle(
  { coordinates: stated }: Record<string, unknown>,
  facts: readonly ArticleFact[],
): Position | undefined {
  const boxed = (name: string) => facts.find((fact) => fact.name === name)?.values[0];
  const [lat, lng] = Array.isArray(stated)
    ? [stated[1], stated[0]]
    : isObject(stated)
      ? [stated['lat'] ?? stated['latitude'], stated['lng'] ?? stated['lon'] ?? stated['longitude']]
      : [stated, undefined];
  return readPosition(lat, lng).position ?? readPosition(boxed('GISLat'), boxed('GISLng')).position;
}

/** Returns all texts of a guide page as one text. */
export function textOfSections(sections: readonly ArticleSection[]): string {
  return sections
    .map(({ html }) => toPlainText(html))
    .filter((part) => part !== '')
    .join(' ');
}
