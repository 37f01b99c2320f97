/** The context of a record's page: what the page shows in addition to its own record. It is part of the page key. */
import type { ListedEntry, ObjectEntry } from '../../../catalogue/entries.ts';
import { articlePath, transcriptPath } from '../../../catalogue/urls.ts';
import type { CopiedFile } from '../../../derivatives/copied-files.ts';
import { dateSortKey } from '../../../model/dates/coverage.ts';
import { isAboveItems } from '../../../model/ids.ts';
import { readCertain } from '../../../model/record-dates.ts';
import { lastStep } from '../../../model/term-steps.ts';
import { isolate } from '../../../model/text/isolate.ts';
import { isScanType } from '../../../model/transcripts/read-transcript.ts';
import { objectFileName } from '../../../platform/portability.ts';
import { CITED_MODELS } from '../../citation/item.ts';
import { facetLabel } from '../../fields/facet-label.ts';
import type { Card } from '../../parts/cards/card.ts';
import { type Crumb, PAGE_SIZE, pageCount, pageSlice, recordCrumb, recordTrail } from '../../parts/frame/page-parts.ts';
import { iiifUrl } from '../../parts/media/iiif-canvases.ts';
import {
  createDisplayImage,
  createDownload,
  type DisplayImage,
  type Download,
  describeFileFixity,
} from '../../parts/media/media-files.ts';
import * as parts from '../../parts/media/object-parts.ts';
import { createPlayer, isEmptyRecording } from '../../parts/media/recording.ts';
import { findRecordingTexts, type RecordingText } from '../../parts/media/recording-texts.ts';
import type { Site } from '../../site.ts';
import { findLinkedPages } from '../../text/links.ts';
import { textLang } from '../../text/text-lang.ts';
import { createEntryCard } from '../collections/collections.ts';
import { hasInterviewPage } from '../transcript/transcript.ts';

/** What a page shows in addition to its own record. Equal contexts and equal bodies give equal pages. */
export type ObjectContext = ReturnType<typeof createObjectContext>;

/** Returns the context of one page of a record. */
export function createObjectContext(entry: ObjectEntry, page: number, site: Site) {
  const { relations } = site;
  const isFirst = page === 1;
  const texts = isFirst ? findRecordingTexts(entry, site) : [];
  const lists = createLists(entry, page, texts, site);
  const { previous, next } = relations.previousAndNext(entry);
  const ownFiles = isFirst ? entry.mediaUrls.flatMap((url) => site.copiedFiles.get(url) ?? []) : [];
  const [file] = entry.model === 'file' ? ownFiles : [];
  return {
    entry,
    /** From 1. */
    page,
    /** The number of pages. */
    pages: countPages(entry, site),
    trail: recordTrail(entry, site),
    ...lists,
    /** The page of the entire interview, or of that to which the segment belongs. */
    transcript: isFirst ? findInterviewPage(entry, site) : undefined,
    /** The segments of the interview, or of the interview that the segment belongs to. */
    playlist: createObjectPlaylist(entry, page, site),
    player: isFirst ? createPlayer(entry, site) : undefined,
    /** Whether the recording is an empty file upstream. */
    hasEmptyRecording: isFirst && isEmptyRecording(entry, site),
    texts,
    attached: isFirst ? describeAttachments([...ownFiles, ...texts.map((text) => text.file)], site.locale) : undefined,
    downloads: isFirst ? createDownloads(entry, lists.image, lists.documentPageCount === 0, site) : [],
    /** The name of the record in the names of files, without an extension. */
    fileName: objectFileName(entry.id),
    fixity: file && describeFileFixity(file, site),
    siblings: isFirst ? parts.siblingFileCards(entry, site) : [],
    /** Other interviews with the same narrators. */
    otherInterviews: isFirst ? toCards(relations.otherInterviews(entry, MAX_INTERVIEWS), site) : [],
    previous: previous && recordCrumb(previous, site),
    next: next && recordCrumb(next, site),
    /** Records that have something in common with this one. */
    related: isFirst && CITED_MODELS.has(entry.model) ? createRelatedCards(entry, site) : [],
    collection: findCollection(entry, site),
    /** Guide pages that mention this record. */
    guideArticles: relations
      .articlesAbout(entry.id)
      .map((article) => ({ label: article.title, path: articlePath(article.slug), lang: textLang(article.title, site) })),
    iiif: isFirst ? iiifUrl(entry, site) : undefined,
    preferredCitation: findPreferredCitation(entry, site),
    /** IDs that the record mentions and that have a page. */
    mentionedIds: entry.mentions.filter(relations.has),
    /** The pages in the site to which the record's texts and HTML transcripts link: URL as they give it → path. */
    linkedPages: findLinkedPages([...entry.linkTargets, ...texts.flatMap(({ file }) => file?.links ?? [])], site),
  };
}

/** Returns the image or the pages of a record, and what is below it, as far as they are on one of its pages. */
function createLists(entry: ObjectEntry, page: number, texts: readonly RecordingText[], site: Site) {
  const children = site.relations.children(entry.id).except('segment');
  const { documentPages, others } = parts.splitFiles(entry, site);
  const image = documentPages.length > 0 ? undefined : createDisplayImage(entry, site);
  const [only] = others;
  // The text of several scans is shown without links to their files.
  const scans = texts.filter(({ file }) => isScanType(file?.mimetype ?? ''));
  const shown = texts.filter((text) => text.file && !text.file.isBlank && (scans.length < 2 || !scans.includes(text)));
  const shownTexts = new Set(shown.map(({ id }) => id));
  const files = others.length > PAGE_SIZE ? others : others.filter(({ id }) => !shownTexts.has(id));
  const isShownAbove = image !== undefined && others.length === 1 && only?.mediaUrls.includes(image.url) === true;
  return {
    image,
    documentPages: parts.createDocumentPages(page, documentPages, site),
    documentPageCount: documentPages.length,
    /** The children that are not segments. */
    children: pageSlice(children, page).map((child) => ({ ...createEntryCard(child, site), ...sortKey(entry, child) })),
    childCount: children.length,
    files: isShownAbove ? [] : toCards(pageSlice(files, page), site),
    fileCount: files.length,
    /** The page of the only file, if that is the image of the page. */
    onlyFile: isShownAbove ? recordCrumb(only as ListedEntry, site) : undefined,
  };
}

const toCards = (entries: readonly ListedEntry[], site: Site): Card[] => entries.map((entry) => createEntryCard(entry, site));

/** Returns by which the contents of a collection are sorted. */
function sortKey({ model }: ListedEntry, { date }: ListedEntry): Pick<Card, 'dateKey'> {
  if (!isAboveItems(model)) return {};
  const reading = readCertain(date);
  return { dateKey: typeof reading === 'object' ? dateSortKey(reading) : '' };
}

/** Returns the citation that the archive prefers for a record, or for its nearest ancestor that states one. */
export function findPreferredCitation(entry: ListedEntry, { relations }: Site): string | undefined {
  if (!CITED_MODELS.has(entry.model)) return undefined;
  const above = entry.ancestors.toReversed().map((id) => relations.object(id));
  return [entry, ...above].find((each) => each?.preferredCitation !== undefined)?.preferredCitation;
}

/** Returns related records' cards: what they share with the record, any other collection, and how many have the title. */
function createRelatedCards(entry: ObjectEntry, site: Site): Card[] {
  const { locale, relations } = site;
  // The page of a segment lists the others of its interview.
  const related = relations
    .related(entry)
    .filter(({ entry: { model, parent } }) => model !== 'segment' || parent !== entry.parent);
  return chooseRelated(entry, related).map(({ related: { entry: other, shared: common }, count }) => {
    const { facet, value } = common;
    const label = locale.t.facets[facet].singular;
    const collection = other.ancestors[0] === entry.ancestors[0] ? undefined : findCollection(other, site);
    const name = lastStep(facetLabel(locale, facet, value));
    // Someone may be the photographer of the one and the narrator of the other.
    const shared = facet === 'creator' ? locale.t.object.sharedCreator(name) : locale.t.object.shared(label, name);
    const same = count > 1 ? [locale.t.object.sameTitle(count)] : [];
    return { ...createEntryCard(other, site), notes: [...same, shared, ...(collection ? [collection.label] : [])] };
  });
}

function findCollection({ ancestors }: Pick<ListedEntry, 'ancestors'>, site: Site): Crumb | undefined {
  const [id] = ancestors;
  const collection = id === undefined ? undefined : site.relations.object(id);
  return collection && recordCrumb(collection, site);
}

const MAX_INTERVIEWS = 24;

/** Returns the number of pages of a record: that of its longest list. */
export function countPages(entry: ListedEntry, site: Pick<Site, 'relations' | 'images' | 'notices'>): number {
  const children = site.relations.children(entry.id);
  const segments = children.only('segment').length;
  const { documentPages, others } = parts.splitFiles(entry, site);
  return Math.max(...[segments, children.length - segments, documentPages.length, others.length].map(pageCount));
}

function createObjectPlaylist(entry: ListedEntry, page: number, site: Site): parts.Playlist | undefined {
  if (entry.model !== 'segment') return parts.createPlaylist(entry.id, page, undefined, site);
  const playlist = entry.parent === undefined || page > 1 ? undefined : parts.createPlaylist(entry.parent, 1, entry.id, site);
  return playlist && playlist.count > 1 ? playlist : undefined; // a list of this segment alone says nothing
}

function findInterviewPage({ id, model, parent }: ListedEntry, site: Site): string | undefined {
  const interview = model === 'segment' ? parent : id;
  return interview !== undefined && hasInterviewPage({ id: interview }, site) ? transcriptPath(interview) : undefined;
}

/** Returns the media files of a record that can be downloaded: image, shown or not, recordings, transcript, original. */
function createDownloads(entry: ListedEntry, image: DisplayImage | undefined, hasOwnImage: boolean, site: Site): Download[] {
  const copiesOf = (urls: readonly string[]) => urls.flatMap((url) => site.copiedFiles.get(url) ?? []);
  const files = copiesOf(entry.media.map(({ url }) => url)).flatMap((file) => createDownload(file, site) ?? []);
  const images = copiesOf(site.notices.mediaUrls(entry)).flatMap((file) =>
    file.mimetype.startsWith('image/') ? (createDownload(file, site) ?? []) : [],
  );
  const [first] = image?.download ? [image.download] : hasOwnImage ? images : [];
  return first ? [first, ...files.filter(({ path }) => path !== first.path)] : files;
}

/** Returns a sentence that names the files that are attached to PDF files; undefined without any. */
function describeAttachments(files: ReadonlyArray<CopiedFile | undefined>, { t, language }: Site['locale']): string | undefined {
  const names = [...new Set(files.flatMap((file) => file?.attachments ?? []))].map(isolate);
  return names.length === 0 ? undefined : t.recording.attached(new Intl.ListFormat([language, 'en']).format(names));
}

const MAX_RELATED = 6;

/** What is compared. */
type Compared = Pick<ListedEntry, 'title' | 'genre' | 'date'>;

/**
 * Returns the related records that a page shows, each with the number of related records of its title. `all` are in their order:
 * those that share most with `entry` come first.
 */
export function chooseRelated<T extends { entry: Compared }>(entry: Compared, all: readonly T[]) {
  const decade = decadeKey(entry);
  const rankOf = ({ entry: other }: T) =>
    (other.title === entry.title ? 4 : 0) -
    (other.genre === entry.genre ? 1 : 0) -
    (decade !== undefined && decadeKey(other) === decade ? 1 : 0);
  const ranked = all.map((related) => ({ related, rank: rankOf(related) })).sort((a, b) => a.rank - b.rank);
  const ofTitle = Map.groupBy(ranked, ({ related }) => related.entry.title);
  return [...ofTitle.values()].slice(0, MAX_RELATED).flatMap((same) => {
    const [first] = same;
    return first ? [{ related: first.related, count: same.length }] : [];
  });
}

/** Returns the first three digits of the year; undefined without a date. */
function decadeKey({ date }: Compared): string | undefined {
  const reading = readCertain(date);
  return typeof reading === 'object' ? dateSortKey(reading).slice(0, 3) : undefined;
}
