/** Creates search documents from records, not from pages, so that text that is only for search appears on no page. */
import type { ArticleEntry, AuthorEntry, ObjectEntry } from '../catalogue/entries.ts';
import { filterValue } from '../catalogue/lists/facets.ts';
import { titleOf } from '../catalogue/read/object-entries.ts';
import { articlePath, objectPath, ownPath } from '../catalogue/urls.ts';
import { type CitedFacts, type ResultData, type ResultText, SEAM, type SearchedField } from '../formats/result-data.ts';
import { foldText } from '../formats/search/searchable-text.ts';
import type { KeyKind } from '../formats/search/word-codes.ts';
import { allYears, dateSortKey } from '../model/dates/coverage.ts';
import { encodeShownDate } from '../model/dates/plain.ts';
import { CODED_FACETS, FACETS } from '../model/facets.ts';
import { textOfSections } from '../model/guide/article-fields.ts';
import { readArticle, readAuthor, type Source } from '../model/guide/guide.ts';
import { roleOf } from '../model/names/roles.ts';
import { readRecordDates } from '../model/record-dates.ts';
import type { ArchivalRecord } from '../model/records.ts';
import { filedSortKey, naturalSortKey, withoutArticle } from '../model/text/sort-key.ts';
import { cleanTitle, toPlainText } from '../model/text/text.ts';
import { type ArchiveLanguages, detectLanguage } from '../model/text/text-language.ts';
import { readTranslations } from '../model/translations.ts';
import { CITED_MODELS, createCitedItem } from '../site/citation/item.ts';
import { fieldName, personalName } from '../site/citation/names.ts';
import { risTypeOf } from '../site/citation/ris.ts';
import type { SiteImage } from '../site/images.ts';
import type { Language, Locale } from '../site/language/locale.ts';
import type { Notice, RecordNotices } from '../site/notices/notices.ts';
import { type OwnKind, type OwnPage, versionIn } from '../site/own/own-content.ts';
import { labelOfField } from '../site/pages/guide/article-text.ts';
import { readSearchedFields } from './searched-fields.ts';
import type { SpokenText } from './spoken-text.ts';

/** One page as search knows it. */
export interface SearchDocument {
  /** Path of the page in the site. */
  url: string;
  /** What results show. Its title and texts, and the texts and further words of its fields, are searched. */
  shown: ResultData;
  /** Text that is searched and that nothing may show. */
  hidden: string;
  /** What the page is found by first, if it is the entire query. */
  keys: Array<readonly [kind: KeyKind, text: string]>;
  /**
   * Models, genres, formats and languages are codes; the search page has their labels. `year` are all years, and `page` is the
   * path of the record's page; of a file, that of the record that it belongs to. `interview` is the path of the interview that a
   * segment is part of.
   */
  filters: Record<string, string[]>;
  /** Sort keys: `title`, and `date` for records. */
  sort: Record<string, string>;
}

const MAX_YEARS = 100;
/** Sort key after all titles and dates. */
export const SORTS_LAST = '\uffff';
/** Fields of which only the further words are searched: they show a code. */
const FIELDS_WITH_CODES: ReadonlySet<string> = new Set([...CODED_FACETS, 'id']);

/** Returns the texts of a document that are searched and may be shown, each as one piece: no phrase extends over two of them. */
export function searchedTexts({
  shown: { title, description, body, spoken, fields },
  keys,
}: Pick<SearchDocument, 'shown' | 'keys'>): string[] {
  const ofFields = fields.flatMap(([name, text, also]) => (FIELDS_WITH_CODES.has(name) ? [also] : [text, also]));
  return [isSuppliedTitle(title, keys) ? undefined : title, description, body, ...ofFields, spoken].filter(
    (text) => text !== undefined && text !== '',
  ) as string[];
}

/** Whether a title is only the record's ID. It is found by the whole ID; its parts would come before titles in words. */
export function isSuppliedTitle(title: string, keys: SearchDocument['keys']): boolean {
  return keys.some(([kind, id]) => kind === 'id' && (title === id || title === `[${id}]`));
}

const RESULT_TEXTS: readonly ResultText[] = ['title', 'description', 'body', 'spoken'];

/** Adds the languages of a document’s texts that are not in the archive’s main one. `itemLanguages` are a record's. */
export function withLanguages(
  document: SearchDocument,
  archive: ArchiveLanguages,
  itemLanguages?: readonly string[],
): SearchDocument {
  const langs = RESULT_TEXTS.flatMap((name) => {
    const tag = detectLanguage(document.shown[name] ?? '', archive, itemLanguages);
    return tag === undefined || tag === archive.main ? [] : [[name, tag] as const];
  });
  return langs.length === 0 ? document : { ...document, shown: { ...document.shown, langs: Object.fromEntries(langs) } };
}

/** What the document of a record has in addition to the record. */
export interface DocumentContext {
  image: SiteImage;
  notices: RecordNotices;
  /** The title of its collection. */
  collection: string | undefined;
  /** The title of the record that a segment or file belongs to. */
  parent: string | undefined;
  /** Transcripts and glossaries, as plain text. */
  spokenTexts: readonly SpokenText[];
  /** The name of the archive. A field that has nothing else, such as the contributor, is not searched: most records have it. */
  archive: string;
  /** When the record was harvested: ISO 8601; undefined if only a list has it. */
  harvestedAt: string | undefined;
  /** Those of the site. */
  locales: readonly Locale[];
}

/** Returns all transcripts as one text, with the moments of its captions. */
function joinSpoken(texts: readonly SpokenText[]): Pick<ResultData, 'spoken' | 'moments'> {
  if (texts.length === 0) return {};
  const moments: string[] = [];
  let offset = 0;
  for (const { text, moments: own } of texts) {
    moments.push(...(own.length === 0 ? [`${offset}:`] : own.map(([at, seconds]) => `${offset + at}:${Math.floor(seconds)}`)));
    offset += text.length + SEAM.length;
  }
  const hasMoments = texts.some(({ moments: own }) => own.length > 0);
  return { spoken: texts.map(({ text }) => text).join(SEAM), ...(hasMoments ? { moments: moments.join(' ') } : {}) };
}

/** An image that represents a page, and the cultural-protocol labels on the record that it shows. */
export interface LabeledImage {
  image: SiteImage;
  labels: readonly Notice[];
}

function shownLabels(labels: readonly Notice[]): Pick<SearchDocument['shown'], 'labels'> {
  return labels.length > 0 ? { labels: labels.map(({ title, image }) => ({ title, image: image?.path })) } : {};
}

/** Returns the search document of a record. */
export function objectDocument(
  entry: ObjectEntry,
  record: ArchivalRecord,
  { image, notices, collection, parent, spokenTexts, archive, locales, harvestedAt }: DocumentContext,
): SearchDocument {
  const foldedArchive = foldText(archive);
  const page = entry.model === 'file' ? entry.parent : entry.id;
  const filters: Record<string, string[]> = { model: [entry.model], ...(page === undefined ? {} : { page: [objectPath(page)] }) };
  if (collection) filters['collection'] = [collection];
  if (entry.model === 'segment' && entry.parent !== undefined) filters['interview'] = [objectPath(entry.parent)];
  for (const facet of FACETS) {
    const values = (entry.facets[facet] ?? []).map(filterValue);
    if (values.length > 0) filters[facet] = values;
  }
  const { reading } = readRecordDates(record);
  if (reading) filters['year'] = allYears(reading, MAX_YEARS).map(String);
  const alternateId = record.alternate_id;
  const cited = citedFactsOf(record, harvestedAt);
  const translations = readTranslations(record.raw);
  const isInterview = entry.model === 'entity' && entry.narrators.length > 0;
  const narrators = isInterview ? record.creators.filter(({ role }) => roleOf(role).citation === 'interviewee') : [];
  return {
    url: objectPath(entry.id),
    shown: {
      title: entry.title,
      ...(entry.titles === undefined ? {} : { titles: entry.titles }),
      kind: entry.model,
      description: toPlainText(record.description),
      image: image.path,
      ...(entry.date ? { date: encodeShownDate(entry.date) } : {}),
      ...(parent === undefined ? {} : { parent }),
      ...(collection === undefined || entry.model === 'collection' ? {} : { collection }),
      ...joinSpoken(spokenTexts),
      ...(notices.warnings.length > 0 ? { warnings: notices.warnings.map(({ title }) => title) } : {}),
      ...shownLabels(notices.labels),
      fields: [
        ...(titleOf(record) === entry.title ? [] : [['title', titleOf(record)] as const]),
        ...translations.flatMap(({ title, description }) => [
          ...(title === undefined ? [] : [['title', title] as const]),
          ...(description === undefined ? [] : [['description', toPlainText(description)] as const]),
        ]),
        ...readSearchedFields(entry, record, locales).filter(([, text]) => foldText(text) !== foldedArchive),
      ],
      ...(cited === undefined ? {} : { cited }),
    },
    hidden: toPlainText(record.search_hidden),
    keys: [
      ['id', entry.id],
      ...(alternateId === undefined ? [] : [['id', alternateId] as const]),
      // The title of a file is often that of its item, which is what readers look for.
      ...(entry.model === 'file' ? [] : [['title', titleOf(record)] as const]),
      ...translations.flatMap(({ title }) => (title === undefined ? [] : [['title', title] as const])),
      ...narrators.map(({ namepart }) => ['name', namepart] as const),
    ],
    filters,
    sort: { title: sortKey(withoutArticle(entry.title)), date: reading ? dateSortKey(reading) : SORTS_LAST },
  };
}

/** Returns the search document of an author, at the path of a page. `payload` is the author's parsed body. */
export function authorDocument(entry: AuthorEntry, payload: unknown, image: SiteImage, url: string): SearchDocument {
  const name = cleanTitle(entry.name);
  return {
    url,
    shown: {
      title: entry.title,
      kind: 'author',
      description: toPlainText(readAuthor(payload)?.body),
      image: image.path,
      fields: name === entry.title ? [] : [['author', name]],
    },
    hidden: '',
    keys: [
      ['title', entry.title],
      ['title', name],
    ],
    filters: { model: ['author'] },
    sort: { title: sortKey(entry.titleSort), date: SORTS_LAST },
  };
}

/** Returns the search document of a guide page. `payload` is its parsed body; `sources` are in its order. */
export function articleDocument(
  entry: ArticleEntry,
  payload: unknown,
  { authorNames, sources }: { authorNames: readonly string[]; sources: readonly Source[] },
  { image, labels }: LabeledImage,
  locale: Locale,
): SearchDocument {
  const article = readArticle(payload);
  const description = toPlainText(article?.description);
  const body = textOfSections(article?.sections ?? []);
  const fields: SearchedField[] = [
    ...authorNames.map((author): SearchedField => ['author', author]),
    ...(article?.topics ?? []).map((topic): SearchedField => ['topics', toPlainText(topic)]),
    ...(article?.facts ?? []).map(({ name, values }): SearchedField => [labelOfField(name, locale), values.join('; ')]),
    ...sources
      .flatMap(({ caption, transcript }) => [toPlainText(caption), toPlainText(transcript)])
      .flatMap((text): SearchedField[] => (text === '' ? [] : [['sources', text]])),
  ];
  return {
    url: articlePath(entry.slug),
    shown: {
      title: entry.title,
      kind: 'article',
      description: description || body,
      ...(description && body ? { body } : {}),
      image: image.path,
      ...shownLabels(labels),
      fields,
    },
    hidden: '',
    keys: [['title', entry.title]],
    filters: { model: ['article'] },
    sort: { title: sortKey(filedSortKey(entry.title, entry.titleSort)), date: SORTS_LAST },
  };
}

/** The kinds of own pages among those of records. */
export const OWN_MODELS = { pages: 'page', exhibits: 'exhibit' } as const satisfies Record<OwnKind, string>;

/**
 * Returns the search document of an own page. Its text in the site's main language, the first of `languages`, is shown; it is
 * found by the words of the others too.
 */
export function ownDocument(
  page: OwnPage,
  { image, labels }: LabeledImage,
  languages: readonly Language[],
  archive: ArchiveLanguages,
): SearchDocument {
  const shown = versionIn(page, languages[0] ?? '');
  const others = page.versions.filter((version) => version !== shown && languages.includes(version.language));
  const kind = OWN_MODELS[page.kind];
  const names = ['title', 'description', 'body'] as const;
  return {
    url: ownPath(page.kind, page.slug),
    shown: {
      title: shown.title,
      kind,
      description: shown.description ?? shown.text,
      ...(shown.description === undefined ? {} : { body: shown.text }),
      image: image.path,
      ...shownLabels(labels),
      ...(page.date === undefined ? {} : { date: page.date }),
      fields: [],
      ...(shown.language === archive.main ? {} : { langs: Object.fromEntries(names.map((name) => [name, shown.language])) }),
    },
    hidden: others.flatMap(({ title, description = '', text }) => [title, description, text]).join('\n'),
    keys: page.versions.map(({ title }) => ['title', title] as const),
    filters: { model: [kind] },
    sort: { title: sortKey(withoutArticle(shown.title)), date: page.date ?? SORTS_LAST },
  };
}

const sortKey = (title: string): string => naturalSortKey(title) || SORTS_LAST;

/** Returns the facts to cite a record, or undefined if its model is not cited. `accessed`: when it was harvested (ISO 8601). */
function citedFactsOf(record: ArchivalRecord, accessed: string | undefined): CitedFacts | undefined {
  if (!CITED_MODELS.has(record.model)) return undefined;
  const item = createCitedItem({ record, accessed, title: '', archive: '', collection: undefined, url: undefined });
  const { authors, date } = item;
  return {
    type: risTypeOf(item),
    authors: authors.map((name) => ({ name: fieldName(name), ...(personalName(name) ? {} : { isWhole: true }) })),
    ...(date.year === undefined ? {} : { year: date.year }),
    ...(accessed === undefined ? {} : { accessed: accessed.slice(0, 10) }),
  };
}
