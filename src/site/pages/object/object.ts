/** The view model of a record's page, computed from the record and its context. */
import type { ListedEntry } from '../../../catalogue/entries.ts';
import { titleOf } from '../../../catalogue/read/object-entries.ts';
import { recordAsShown } from '../../../catalogue/read/record-as-shown.ts';
import { objectPath } from '../../../catalogue/urls.ts';
import { langAttributes } from '../../../formats/direction.ts';
import { isAboveItems } from '../../../model/ids.ts';
import { type ArchivalRecord, payloadJson } from '../../../model/records.ts';
import { withoutName } from '../../../model/segment-title.ts';
import { MAX_LABEL_LENGTH, MAX_TEXT_LENGTH } from '../../../model/text/limits.ts';
import { cleanTitle, truncateWords } from '../../../model/text/text.ts';
import { primaryOf } from '../../../model/text/text-language.ts';
import { readTranslations } from '../../../model/translations.ts';
import type { ObjectContent } from '../../content.ts';
import { isUntitled, shownTitle, subjectOf } from '../../fields/record-title.ts';
import type { SiteImage } from '../../images.ts';
import { codeLabel, type Dictionary, type Locale } from '../../language/locale.ts';
import { createKnowHref } from '../../parts/actions/know-href.ts';
import { createObjectCitations } from '../../parts/actions/object-citations.ts';
import { createRecordStatement } from '../../parts/actions/record-statement.ts';
import { createSaveData } from '../../parts/actions/save-data.ts';
import { describeImage, kindLabel } from '../../parts/cards/image-text.ts';
import { narratorPortrait } from '../../parts/cards/narrator-portrait.ts';
import { createFieldRows } from '../../parts/fields/object-fields.ts';
import { createObjectMetadata } from '../../parts/frame/metadata.ts';
import { type Crumb, recordCrumb, removedNotices } from '../../parts/frame/page-parts.ts';
import { createMomentMap } from '../../parts/map/map.ts';
import { createRecordingFacts, readVideoSize } from '../../parts/media/recording.ts';
import { createRecordingTextViews } from '../../parts/media/recording-texts.ts';
import { createNoticeViews } from '../../parts/notices/notices.ts';
import type { Site } from '../../site.ts';
import { createLinkResolver } from '../../text/links.ts';
import { type ResolveLink, toSafeHtml } from '../../text/sanitize.ts';
import { textLang } from '../../text/text-lang.ts';
import type { ObjectContext } from './object-context.ts';

/** One page of a record. */
export type ObjectView = ReturnType<typeof createObjectView>;

/** The props of a part of that page. */
export interface ObjectPart {
  t: Dictionary;
  view: ObjectView;
}

/** Returns the view model of one page of a record. */
export function createObjectView(content: ObjectContent, context: ObjectContext, site: Site) {
  const { record, receivedAt, texts, land } = content;
  const { locale } = site;
  const { t } = locale;
  const { entry, page, trail } = context;
  const path = objectPath(entry.id, page);
  const { linkedPages } = context;
  const resolve = createLinkResolver(path, (href) => linkedPages.get(href));
  const metadata = createObjectMetadata(record, entry, site);
  const { warnings, labels } = createNoticeViews(entry, site);
  const rows = createFieldRows(record, entry, { path, known: new Set(context.mentionedIds), resolve, site });
  const preview = warnings.length + labels.length > 0 ? undefined : context.image?.path;
  return {
    path,
    title: shownTitle(entry, locale),
    /** The complete title; `title` may be shortened. */
    heading: createHeading(record, entry, site),
    /** Sanitized HTML, in each language that the record has, that of the page first. */
    description: createDescription(record, entry, resolve, site),
    descriptionLang: textLang(record.description, site, entry),
    trail,
    id: entry.id,
    kind: kindLabel(entry, t),
    /** Alternative text of the image, such as “Photograph: The quay”. */
    caption: describeImage(entry, site),
    notices: createNotices(record, entry, locale),
    /** A sentence instead of the recording that a reader expects. */
    withoutRecording: describeMissingRecording(record, context, locale),
    /** Content warnings: what the record shows is covered until the reader wants to see it. */
    warnings,
    labels,
    /** Path of the image that represents the page; undefined if it is covered. */
    preview,
    know: createKnowHref({ kind: 'object', id: entry.id, page: path }, recordAsShown(record), preview, site),
    /** All that a reader asks of a record is together if there is nothing to see between the first facts and the others. */
    fields: isInWords(context, rows) ? { ...rows, summary: rows.summary + rows.about, about: '' } : rows,
    recording: page === 1 ? createRecordingFacts(record, site) : undefined,
    portrait: findPortrait(context, site),
    videoSize: readVideoSize(record),
    texts: createRecordingTextViews(entry, context.texts, texts, resolve, site),
    /** The places in the index of its recording. */
    map: createMomentMap(
      context.texts.flatMap(({ file }) => file?.places ?? []),
      site,
      land,
    ),
    /** Whether a file is of a scan in which no text was recognized. */
    isBlank: context.texts.some(({ file }) => file?.isBlank),
    context,
    metadata,
    ...createObjectCitations(record, receivedAt, metadata.liveUrl, context, site),
    /** Printed below its transcripts. */
    statement: createRecordStatement(record, entry, metadata.liveUrl, site),
    /** Undefined in a kiosk. */
    save: createSaveData(entry, path, context.collection?.label, site),
    /** The record as indented JSON, without the text that is only for search. */
    json: receivedAt === undefined || site.kiosk || page > 1 ? undefined : shownJson(record),
    earlierVersions: describeVersions(content, locale),
    receivedNotice: receivedAt && t.object.harvestedOn(locale.formatDate(receivedAt)),
    liveUrl: metadata.liveUrl,
  };
}

/** Returns the portrait of the narrator of an interview, or of a segment of it, if there is nothing else to see. */
function findPortrait(context: ObjectContext, site: Site): SiteImage | undefined {
  const { entry } = context;
  if (isCoverable({ context })) return undefined;
  const interview = entry.model === 'segment' ? site.relations.object(entry.parent ?? '') : entry;
  return interview && narratorPortrait(interview, site, interview !== entry);
}

/** Whether the page has something beside texts that content warnings cover: an image, a recording or the pages of a document. */
export function isCoverable({ context: { image, player, documentPages } }: Pick<ObjectView, 'context'>): boolean {
  return image !== undefined || player !== undefined || documentPages.length > 0;
}

/** More values would leave a hole beside them. */
const MAX_BESIDE = 9;

/** Whether all fields have space beside what the page shows: few of an item that has only words here, and no segments. */
function isInWords(context: ObjectContext, { about }: { about: string }): boolean {
  const isShort = about.split('<dd').length <= MAX_BESIDE + 1;
  return isShort && !isCoverable({ context }) && !isInterview({ context }) && !isAboveItems(context.entry.model);
}

/** Whether what the page shows is its first column, and the title is beside it. A transcript would be there instead. */
export function isPictureFirst(view: Pick<ObjectView, 'context' | 'texts'>): boolean {
  return isCoverable(view) && !isAboveItems(view.context.entry.model) && !hasTextBeside(view);
}

/** Whether the page has a transcript beside its player, or the text of a scan beside the image. */
export function hasTextBeside({ context, texts }: Pick<ObjectView, 'context' | 'texts'>): boolean {
  return texts.length > 0 && (context.player !== undefined || texts.some(({ pages }) => pages.length > 0));
}

/** Whether the page is that of an interview, which is played from its first segment. */
export function isInterview({ context: { playlist, entry } }: Pick<ObjectView, 'context'>): boolean {
  return playlist !== undefined && entry.model !== 'segment';
}

/** Whether the page is that of a segment of which there is nothing to hear, see or read: its interview is what helps a reader. */
export function isSegmentAlone(view: Pick<ObjectView, 'context' | 'description' | 'texts'>): boolean {
  const { entry, playlist } = view.context;
  return entry.model === 'segment' && playlist !== undefined && view.texts.length === 0 && !hasMoreThanFacts(view);
}

/** Whether the page has more than facts: something to see, to hear or to read. */
export function hasMoreThanFacts(view: Pick<ObjectView, 'context' | 'description'>): boolean {
  const { playlist, transcript } = view.context;
  return isCoverable(view) || Boolean(view.description) || (isInterview(view) && Boolean(playlist?.start ?? transcript));
}

/** Characters. */
const MAX_JSON_LENGTH = 2 * MAX_TEXT_LENGTH;

/**
 * Returns the record as JSON; undefined if it is too long for a page. Characters that could be taken for markup are written as
 * JSON escapes, so that no program that scans the page mistakes them.
 */
function shownJson(record: ArchivalRecord): string | undefined {
  const json = payloadJson(record);
  if (json.length > MAX_JSON_LENGTH) return undefined;
  return json.replace(/[<>&=]|(?<=script):/gi, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
}

function createNotices(record: ArchivalRecord, entry: ObjectContext['entry'], locale: Locale): string[] {
  const { object } = locale.t;
  return [
    ...removedNotices(entry.removedAt, locale),
    ...(entry.origin === 'breadcrumbs' ? [object.fromBreadcrumbs] : []),
    ...(entry.origin === 'summary' ? [object.fromList] : []),
    ...(record.truncatedFields.length > 0 ? [object.truncated(fieldNames(record.truncatedFields, locale))] : []),
    ...(record.status === 'inprocess' ? [object.inProcess] : []),
  ];
}

/** Returns why a page has no player; undefined if it has one, or if no one expects it. */
function describeMissingRecording(
  record: ArchivalRecord,
  { player, downloads, hasEmptyRecording }: ObjectContext,
  { t: { object, recording } }: Locale,
): string | undefined {
  if (record.ia_meta?.streamOnly) return object.streamOnly;
  const isExpected = record.ia_meta || (record.model === 'segment' && (record.format === 'vh' || record.format === 'av'));
  if (player || !isExpected) return undefined;
  const sizes = record.ia_meta?.files.map(({ size }) => size) ?? [];
  if (hasEmptyRecording || (sizes.length > 0 && sizes.every((size) => size === 0))) return recording.empty;
  if (downloads.some(({ isRecording }) => isRecording)) return recording.unplayable;
  return record.ia_meta ? recording.absent : recording.none;
}

/** Says of each earlier version when it was received, and which fields changed then. The snapshot has their former texts. */
function describeVersions({ earlierVersions }: ObjectContent, locale: Locale): string[] {
  return earlierVersions.map(({ receivedAt, changedLater }) => {
    const shown = changedLater.filter((name) => !HIDDEN_FIELDS.has(name));
    const date = locale.formatDate(receivedAt);
    return shown.length === 0 ? locale.t.object.version(date) : locale.t.object.changedVersion(date, fieldNames(shown, locale));
  });
}

/** Fields that a page does not show. */
const HIDDEN_FIELDS: ReadonlySet<string> = new Set(['search_hidden', 'index']);

/** Returns the labels of fields in one line. */
function fieldNames(fields: string[], { t }: Locale): string {
  return truncateWords(cleanTitle(fields.map((name) => codeLabel(t.fields, name)).join(', ')), MAX_LABEL_LENGTH);
}

/** A heading. Its parts in their order are the complete title, and what the record is about. */
export interface Heading {
  /** The interview whose name the title of a segment begins with. */
  interview: Crumb | undefined;
  /** Words that stay on one line, such as “Segment 3”. */
  number: string;
  rest: string;
  /** What a segment is about whose own title is a number. */
  subject?: string | undefined;
  /** The language of the title, if it is not the page's: a BCP 47 tag. */
  lang: string | undefined;
  /** The title in other languages. */
  others: Array<{ text: string; lang: string | undefined }>;
  /** Whether the title is so long that a heading of the usual size would fill the screen. */
  isLong: boolean;
}

/** Characters. */
const LONG_TITLE = 80;

/** Returns the heading: a record's title, that in the page's language first; its ID if nothing else of it is known. */
function createHeading(record: ArchivalRecord, entry: ListedEntry, site: Site): Heading {
  if (isUntitled(entry)) return { interview: undefined, number: '', rest: entry.id, lang: undefined, isLong: false, others: [] };
  const [{ text: title, lang }, ...others] = inOrder(titleOf(record), 'title', record, entry, site);
  const parent = entry.model === 'segment' && entry.parent !== undefined ? site.relations.object(entry.parent) : undefined;
  const shortTitle = withoutName(title, parent && shownTitle(parent, site.locale));
  const hasName = shortTitle !== title;
  const [number = ''] = (hasName && /^\p{L}+ \d+/u.exec(shortTitle)) || [];
  return {
    interview: parent && hasName ? recordCrumb(parent, site) : undefined,
    number,
    rest: shortTitle.slice(number.length),
    subject: subjectOf(entry, site),
    lang,
    others,
    isLong: shortTitle.length > LONG_TITLE,
  };
}

/** Returns a text of a record and the same in other languages, that in the page's language first, with `lang` attributes. */
function inOrder(text: string, field: 'title' | 'description', { raw }: ArchivalRecord, entry: ListedEntry, site: Site) {
  const { language: own } = site.locale;
  const others = readTranslations(raw).flatMap(({ language, [field]: other }) =>
    other === undefined || other === text ? [] : [{ text: other, lang: language === own ? undefined : language }],
  );
  const stated = { text, lang: textLang(text, site, entry) };
  const isOwn = ({ lang }: { lang: string | undefined }) => lang === undefined || primaryOf(lang) === primaryOf(own);
  const first = others.find(({ lang }) => lang === undefined) ?? [stated, ...others].find(isOwn) ?? stated;
  return [first, ...[stated, ...others].filter((each) => each !== first)] as const;
}

function createDescription(record: ArchivalRecord, entry: ListedEntry, resolve: ResolveLink, site: Site): string | undefined {
  const own = textLang(record.description, site, entry);
  const texts = inOrder(record.description ?? '', 'description', record, entry, site).filter(({ text }) => text !== '');
  const block = (lang: string | undefined, tag: string, html: string) =>
    `<${tag} ${langAttributes(lang ?? site.locale.language)}>${html}</${tag}>`;
  // It is the heading of many a segment.
  const heading = (subjectOf(entry, site) ?? entry.title).replace(/\.$/, '');
  if (texts.every(({ text }) => text.replace(/\.$/, '') === heading)) return undefined;
  const described = texts.map(({ text, lang }) => {
    // Paragraphs may alternate between two languages.
    const html = toSafeHtml(text, resolve).replace(/<p>(.*?)<\/p>/gs, (all, words: string) => {
      const ofParagraph = textLang(words, site, entry);
      return ofParagraph === lang ? all : block(ofParagraph, 'p', words);
    });
    return lang === own ? html : block(lang, 'div', html);
  });
  return described.join('') || undefined;
}
