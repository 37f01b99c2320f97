/** The view model of the page with the transcript of an entire interview: the texts of all its segments, to read and to print. */
import type { ListedEntry } from '../../../catalogue/entries.ts';
import { COLLECTIONS_PATH, objectPath, transcriptPath } from '../../../catalogue/urls.ts';
import { hasFileText } from '../../../derivatives/read-text.ts';
import { type Cue, readCues } from '../../../model/media/captions.ts';
import { withoutName } from '../../../model/segment-title.ts';
import { formatDuration } from '../../../platform/quantities.ts';
import { ancestorCrumbs, type PageHead, recordCrumb } from '../../parts/frame/page-parts.ts';
import { createPlayer } from '../../parts/media/recording.ts';
import { findRecordingTexts, type RecordingText, type RecordingTexts } from '../../parts/media/recording-texts.ts';
import { createNoticeViews, type NoticeViews } from '../../parts/notices/notices.ts';
import type { Site } from '../../site.ts';
import { createLinkResolver, findLinkedPages } from '../../text/links.ts';
import { type Paragraph, reflow } from '../../text/reflow.ts';
import { type ResolveLink, toSafeHtml } from '../../text/sanitize.ts';
import { textLang } from '../../text/text-lang.ts';

/** A paragraph; those of captions have the time at which they begin. */
export interface TimedParagraph extends Paragraph {
  /** In seconds, and as a reader writes it; missing if the recording is not in the site. */
  start?: { seconds: number; label: string };
}

/** One segment, with its text if it has one. */
export interface TranscriptPart {
  /** Without the name of the interview. */
  title: string;
  /** The page of the segment. */
  path: string;
  /** Such as `4:12`. */
  duration: string | undefined;
  /** Sanitized HTML, if the transcript is HTML. */
  html: string | undefined;
  paragraphs: TimedParagraph[];
  /** The language of the text, if it is not the page's: a BCP 47 tag. */
  lang: string | undefined;
  /** Notices on the segment and not on the interview. */
  notices: NoticeViews;
}

/** The page. */
export interface TranscriptView extends PageHead {
  /** Notices on the interview. */
  notices: NoticeViews;
  interview: string;
  date: string | undefined;
  parts: TranscriptPart[];
  /** Whether texts are left out at the end, because the page would be too long. */
  isTruncated: boolean;
}

/** Characters of all texts on one page. */
const MAX_LENGTH = 2_000_000;
/** Characters after which captions of one speaker begin a new paragraph at the end of a sentence. */
const PARAGRAPH_LENGTH = 600;

/** Whether an interview has a page with its transcript: whether a segment has one. */
export function hasTranscript({ id }: Pick<ListedEntry, 'id'>, site: Pick<Site, 'relations' | 'copiedFiles'>): boolean {
  return Iterator.from(site.relations.children(id).only('segment')).some((segment) => ownText(segment, site) !== undefined);
}

/** Returns the transcripts of an interview: one for each segment that has one. */
export function findTranscripts({ id }: Pick<ListedEntry, 'id'>, site: Pick<Site, 'relations' | 'copiedFiles'>) {
  return [...site.relations.children(id).only('segment')].flatMap((segment) => {
    const text = ownText(segment, site);
    return text ? [{ segment, text }] : [];
  });
}

/** Returns the transcript of a segment in the site, if it can be read: rather a text than captions. */
function ownText(segment: ListedEntry, site: Pick<Site, 'relations' | 'copiedFiles'>): RecordingText | undefined {
  const texts = findRecordingTexts(segment, site).filter(({ isGlossary, file }) => !isGlossary && file && hasFileText(file));
  return texts.find(({ file }) => file?.mimetype !== 'text/vtt') ?? texts[0];
}

/** Returns the view model. `texts` are the texts of the transcripts. */
export function createTranscriptView(entry: ListedEntry, texts: RecordingTexts, site: Site): TranscriptView {
  const { t } = site.locale;
  const path = transcriptPath(entry.id);
  const title = t.recording.transcriptOf(entry.title);
  const transcripts = findTranscripts(entry, site);
  const linked = findLinkedPages(
    transcripts.flatMap(({ text }) => text.file?.links ?? []),
    site,
  );
  const resolve = createLinkResolver(path, (href) => linked.get(href));
  let length = 0;
  const files = new Map(transcripts.map(({ segment, text: { file } }) => [segment.id, file]));
  const segments = [...site.relations.children(entry.id).only('segment')];
  const parts = segments.flatMap((segment): TranscriptPart[] => {
    const file = files.get(segment.id);
    const text = (file && texts.get(file.path)) ?? '';
    length += text.length;
    return length > MAX_LENGTH ? [] : [createPart(entry, segment, text, file?.mimetype ?? '', resolve, site)];
  });
  return {
    path,
    title,
    description: title,
    trail: [
      { label: t.sections.collections, path: COLLECTIONS_PATH },
      ...ancestorCrumbs(entry, site),
      recordCrumb(entry, site),
      { label: t.recording.texts.transcript, path: undefined },
    ],
    notices: createNoticeViews(entry, site),
    interview: objectPath(entry.id),
    date: entry.date && site.locale.formatRecordDate(entry.date),
    parts,
    isTruncated: length > MAX_LENGTH,
  };
}

function createPart(
  interview: ListedEntry,
  segment: ListedEntry,
  text: string,
  mimetype: string,
  resolve: ResolveLink,
  site: Site,
): TranscriptPart {
  const isHtml = mimetype === 'text/html';
  const cues = isHtml ? [] : readCues(text, mimetype);
  const isPlayable = createPlayer(segment, site) !== undefined;
  const spoken = isHtml ? [] : cues.length > 0 ? joinCues(cues, isPlayable) : reflow(text.replace(/^\ufeff/, ''));
  return {
    title: withoutName(segment.title, interview.title),
    path: objectPath(segment.id),
    duration: segment.durationSeconds === undefined ? undefined : formatDuration(segment.durationSeconds),
    html: isHtml ? toSafeHtml(text, resolve) : undefined,
    paragraphs: spoken,
    notices: createNoticeViews(segment, site, site.notices.of(interview)),
    lang: textLang(isHtml ? text : spoken.map((paragraph) => paragraph.text).join(' '), site, segment),
  };
}

/** Joins captions into paragraphs: one for each speaker, and a new one after the end of a sentence if a paragraph is long. */
function joinCues(cues: readonly Cue[], hasTimes: boolean): TimedParagraph[] {
  const paragraphs: TimedParagraph[] = [];
  for (const { start, voice, text } of cues) {
    const last = paragraphs.at(-1);
    const isNew = !last || voice !== undefined || (last.text.length > PARAGRAPH_LENGTH && /[.?!。？！]["”’]?$/u.test(last.text));
    const time = hasTimes ? { start: { seconds: start, label: formatDuration(start) } } : {};
    if (isNew) paragraphs.push({ speaker: voice && `${voice}:`, text, ...time });
    else last.text += ` ${text}`;
  }
  return paragraphs;
}
