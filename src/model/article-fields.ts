/** Reads the texts, facts and position of a guide page (docs/upstream-api.md, “Articles”). Fields that are not known are read too. */
import { type Position, readPosition } from './coordinates.ts';
import { cutHidden } from './cut-elements.ts';
import { tightenSpaces } from './markup.ts';
import { toPlainText } from './text.ts';
import { hasValue, isObject, list, text } from './values.ts';

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
/** Fields that are not facts about the page: they are read by name, or say only how upstream stores the page. */
const OTHER_FIELDS: ReadonlySet<string> = new Set(
  `id doctype model index links title url_title title_sort description modified lastmod categories topics authors authors_data sources source_ids
  databoxes coordinates public published published_encyc published_rg mw_api_url prev_page next_page`.split(/\s+/),
);

/** Whether a value is HTML with elements. Text with “<” is none. */
function isMarkup(value: unknown): value is string {
  return typeof value === 'string' && /<\/?[a-z][a-z\d]*(?:\s[^<>]*)?\/?>/i.test(value);
}

/** Returns the texts of a guide page: those of the known fields, and of every other field with HTML. */
export function readSections(payload: Record<string, unknown>): ArticleSection[] {
  const known = new Set([...SECTION_FIELDS, NOTES]);
  const others = Object.keys(payload).filter((name) => !known.has(name) && !OTHER_FIELDS.has(name) && isMarkup(payload[name]));
  return [...SECTION_FIELDS, ...others, NOTES].flatMap((field) => {
    const html = cutHidden(tightenSpaces(text(payload[field]) ?? '')).rest;
    return toPlainText(html) === '' ? [] : [{ field, html }];
  });
}

const values = list((value) => {
  const named = isObject(value) ? (value['title'] ?? value['term'] ?? value['name'] ?? value['id']) : value;
  return toPlainText(text(named)) || undefined;
});

/** Returns the facts of a guide page: its databoxes, then all fields with a value that are read in no other way. */
export function readArticleFacts(payload: Record<string, unknown>): ArticleFact[] {
  const hidden = [...SECTION_FIELDS, NOTES].flatMap((field) => cutHidden(text(payload[field]) ?? '').cut);
  const boxes = hidden.filter(({ attributes: { id = '' } }) => /^databox/i.test(id));
  const found = [
    ...readDatabox(payload['databoxes']),
    ...boxes.flatMap(({ html }) => parseDatabox(toPlainText(html.replace(/^<[^>]*>/, '')))),
    ...Object.entries(payload)
      .filter(([name, value]) => !OTHER_FIELDS.has(name) && name !== NOTES && !SECTION_FIELDS.includes(name) && !isMarkup(value))
      .map(([name, value]): ArticleFact => ({ name, values: values(value) })),
  ];
  const stated = new Map(found.map((fact) => [JSON.stringify(fact), fact]));
  return [...stated.values()].filter(({ values: own }) => own.length > 0);
}

/** Returns the facts of databoxes: by name or in a list, each with its fields, or as text. */
function readDatabox(box: unknown): ArticleFact[] {
  if (typeof box === 'string') return parseDatabox(toPlainText(text(box)));
  if (Array.isArray(box)) return box.slice(0, MAX_BOXES).flatMap(readDatabox);
  if (!isObject(box)) return [];
  return Object.entries(box).flatMap(([name, value]): ArticleFact[] => {
    if (isObject(value)) return Object.values(value).every((own) => !hasValue(own)) ? [] : readDatabox(value);
    return typeof value === 'string' && KEY.test(value) ? readDatabox(value) : [{ name, values: values(value) }];
  });
}

const MAX_BOXES = 100;
/** The name of a fact in the text of a databox. */
const KEY = /^\s*([\p{L}_][\p{L}\p{N}_]*)\s*:(?!\/\/)/u;

/** Parses the text of a databox, such as `Name:Quay Street; DateOpened:May 3, 1921;`. A semicolon that no name follows is part of a value. */
function parseDatabox(box: string): ArticleFact[] {
  return box.split(/;\s*(?=[\p{L}_][\p{L}\p{N}_]*\s*:(?!\/\/))|;\s*$/u).flatMap((line) => {
    const name = KEY.exec(line)?.[1] ?? 'databox';
    const value = line.replace(KEY, '').trim();
    return value === '' ? [] : [{ name, values: [value] }];
  });
}

/** Returns the position of what a guide page describes: longitude and latitude in a list, or both by name; else that in its databox. */
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
