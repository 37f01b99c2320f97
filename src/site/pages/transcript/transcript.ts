/** The view model of the page of an entire interview: all its segments with their texts, to hear, to read and to print. */
import type { ListedEntry } from '../../../catalogue/entries.ts';
import { facetValuePath, objectPath, transcriptPath } from '../../../catalogue/urls.ts';
import { findPlayable } from '../../../derivatives/copied-files.ts';
import { hasFileText } from '../../../derivatives/read-text.ts';
import type { Cue } from '../../../model/media/captions.ts';
import { toPlainText } from '../../../model/text/text.ts';
import { isCaptionType } from '../../../model/transcripts/read-transcript.ts';
import type { TranscriptText } from '../../../model/transcripts/transcript-text.ts';
import { formatDuration } from '../../../platform/quantities.ts';
import { facetLabel } from '../../fields/facet-label.ts';
import { shortTitle } from '../../fields/record-title.ts';
import { recordTrail } from '../../parts/frame/page-parts.ts';
import { createPlaylist, type RibbonBlock } from '../../parts/media/object-parts.ts';
import { createPlayer, type Player } from '../../parts/media/recording.ts';
import { findRecordingTexts, type RecordingText, type RecordingTexts } from '../../parts/media/recording-texts.ts';
import { createNoticeViews } from '../../parts/notices/notices.ts';
import type { Site } from '../../site.ts';
import { createLinkResolver, findLinkedPages } from '../../text/links.ts';
import { type Paragraph, reflow } from '../../text/reflow.ts';
import { type ResolveLink, toSafeHtml } from '../../text/sanitize.ts';
import { textLang } from '../../text/text-lang.ts';

/** A paragraph; those of captions have the time at which they begin. */
interface TimedParagraph extends Paragraph {
  /** In seconds, and as a reader writes it; missing if the recording is not in the site. */
  start?: { seconds: number; label: string };
  /** Its captions; none if the recording is not in the site. */
  lines: Cue[];
}

/** One segment, with its text if it has one. */
export type TranscriptPart = ReturnType<typeof createPart>;

/** What a segment is about. */
const SUBJECT_FACETS = ['topic', 'facility', 'place', 'person'] as const;

/** The page. */
export type TranscriptView = ReturnType<typeof createTranscriptView>;

/** Characters of all texts on one page. */
const MAX_LENGTH = 2_000_000;
/** Characters after which captions of one speaker begin a new paragraph at the end of a sentence. */
const PARAGRAPH_LENGTH = 600;

/** Values of a facet below the title of a segment. */
const MAX_LINKS = 8;
const MAX_TOPICS = 6;

type Sources = Pick<Site, 'relations' | 'copiedFiles'>;

/** Whether an interview has a page with all of it: if a segment has a transcript, or if two can be played. */
export function hasInterviewPage({ id }: Pick<ListedEntry, 'id'>, site: Sources): boolean {
  let playable = 0;
  return Iterator.from(site.relations.children(id).only('segment')).some((segment) => {
    if (findPlayable(segment.media, site.copiedFiles)) playable++;
    return playable > 1 || ownTexts(segment, site).length > 0;
  });
}

/** Returns the transcripts of an interview: for each segment that has one, a text, captions or both. */
export function findTranscripts({ id }: Pick<ListedEntry, 'id'>, site: Sources) {
  return [...site.relations.children(id).only('segment')].flatMap((segment) =>
    ownTexts(segment, site).map((text) => ({ segment, text })),
  );
}

/** Returns the transcripts of a segment in the site that can be read: the first text, and the first captions after it. */
function ownTexts(segment: ListedEntry, site: Sources): RecordingText[] {
  const texts = findRecordingTexts(segment, site).filter(({ isGlossary, file }) => !isGlossary && file && hasFileText(file));
  const isCaptions = ({ file }: RecordingText) => file !== undefined && isCaptionType(file.mimetype);
  return [texts.find((text) => !isCaptions(text)), texts.find(isCaptions)].filter((text) => text !== undefined);
}

/** Returns the view model. `texts` are the texts of the transcripts. */
export function createTranscriptView(entry: ListedEntry, texts: RecordingTexts, site: Site) {
  const { t } = site.locale;
  const path = transcriptPath(entry.id);
  const transcripts = findTranscripts(entry, site);
  const links = transcripts.flatMap(({ text }) => text.file?.links ?? []);
  const linked = findLinkedPages(links, site);
  const resolve = createLinkResolver(path, (href) => linked.get(href));
  let length = 0;
  const files = Map.groupBy(transcripts, ({ segment }) => segment.id);
  const segments = [...site.relations.children(entry.id).only('segment')];
  const players = segments.map((segment) => createPlayer(segment, site));
  const kinds = players.flatMap((player) => player?.kind ?? []);
  const parts = segments.flatMap((segment, i): TranscriptPart[] => {
    const own = (files.get(segment.id) ?? [])
      .flatMap(({ text: { file } }) => (file && texts.get(file.path)) ?? [])
      .filter(({ kind }) => kind === undefined);
    length += own.reduce((total, text) => total + lengthOf(text), 0);
    const context = { anchor: `segment-${i + 1}`, interview: entry, player: players[i], expectsRecording: kinds.length > 0 };
    return length > MAX_LENGTH ? [] : [createPart(segment, own, context, resolve, site)];
  });
  const blocks = createPlaylist(entry.id, 1, undefined, site)?.ribbon ?? [];
  const ribbon = blocks.slice(0, parts.length).map((block, i) => ({ ...block, path: `${path}#${parts[i]?.anchor}` }));
  return {
    path,
    title: t.recording.transcriptOf(entry.title),
    trail: recordTrail(entry, site, t.recording.segments),
    /** Notices on the interview. */
    notices: createNoticeViews(entry, site),
    /** The title of the interview. */
    interview: entry.title,
    date: entry.date && site.locale.formatRecordDate(entry.date),
    parts,
    /** All segments, one after the other, if the length of each is known. Their paths are those of the parts on the page. */
    ribbon,
    /** The topics of most segments. */
    topics: createTopicRows(parts, ribbon),
    /** What plays the segments; undefined if none can be played. */
    player: kinds.find((kind) => kind === 'video') ?? kinds[0],
    /** Whether texts are left out at the end, because the page would be too long. */
    isTruncated: length > MAX_LENGTH,
  };
}

/** Returns the topics of most segments, and where in the interview each is; none if all segments have the same. */
function createTopicRows(parts: readonly TranscriptPart[], ribbon: readonly RibbonBlock[]) {
  const topicsOf = (part: TranscriptPart | undefined) => part?.subjects.find(({ facet }) => facet === 'topic')?.links ?? [];
  const links = new Map(parts.flatMap((part) => topicsOf(part).map((link) => [link.path, link])));
  const rows = Array.from(ribbon.length > 0 ? links.values() : [], (link) => {
    const has = (part: TranscriptPart | undefined) => topicsOf(part).some(({ path }) => path === link.path);
    /** All segments: those with the topic are current. */
    const blocks = ribbon.map((block, i) => ({ ...block, isCurrent: has(parts[i]) }));
    return { ...link, blocks, count: blocks.filter(({ isCurrent }) => isCurrent).length };
  });
  const most = rows.sort((a, b) => b.count - a.count).slice(0, MAX_TOPICS);
  return most.some(({ count }) => count < ribbon.length) ? most : [];
}

/** What a part of the page needs beside its segment and texts. */
interface PartContext {
  anchor: string;
  player: Player | undefined;
  interview: ListedEntry;
  /** Whether other segments can be played. */
  expectsRecording: boolean;
}

function createPart(
  segment: ListedEntry,
  texts: readonly TranscriptText[],
  { anchor, interview, player, expectsRecording }: PartContext,
  resolve: ResolveLink,
  site: Site,
) {
  const words = site.locale.t.recording;
  const { text, isHtml, cues } = chooseText(texts, player !== undefined);
  const spoken = isHtml ? [] : cues.length > 0 ? joinCues(cues, player !== undefined) : untimed(text);
  return {
    /** The ID of its element on the page. */
    anchor,
    title: shortTitle(segment, site),
    path: objectPath(segment.id),
    /** Such as `4:12`. */
    duration: segment.durationSeconds === undefined ? undefined : formatDuration(segment.durationSeconds),
    html: isHtml ? toSafeHtml(text, resolve) : undefined,
    paragraphs: spoken,
    /** Notices on the segment and not on the interview. */
    notices: createNoticeViews(segment, site, site.notices.of(interview)),
    lang: textLang(isHtml ? text : spoken.map((paragraph) => paragraph.text).join(' '), site, segment),
    player,
    /** What it lacks that others have: a recording, a transcript. */
    lacks: [
      ...(player || !expectsRecording ? [] : [words.noRecording]),
      ...(isHtml || spoken.length > 0 ? [] : [words.noTranscript]),
    ],
    /** What it is about, and who is mentioned. */
    subjects: createSubjects(segment, site),
  };
}

/** Returns the text of a segment: the captions, if it plays and they have at least half of what the text has. */
function chooseText(texts: readonly TranscriptText[], isPlayable: boolean): TranscriptText {
  const timed = texts.find(({ cues }) => cues.length > 0);
  const other = texts.find(({ cues }) => cues.length === 0);
  const chosen = timed && other && isPlayable && lengthOf(timed) * 2 > toPlainText(other.text).length ? timed : (other ?? timed);
  return chosen ?? { text: '', isHtml: false, cues: [] };
}

/** Returns the number of characters that are said. */
const lengthOf = ({ cues, text }: TranscriptText): number => cues.reduce((total, cue) => total + cue.text.length, text.length);

function untimed(text: string): TimedParagraph[] {
  return reflow(text.replace(/^\ufeff/, '')).map((paragraph) => ({ ...paragraph, lines: [] }));
}

function createSubjects({ id }: ListedEntry, { relations, locale }: Site) {
  const facets = relations.entry(id)?.facets ?? {};
  return SUBJECT_FACETS.flatMap((facet) => {
    const links = (facets[facet] ?? []).slice(0, MAX_LINKS).map((value) => {
      return { label: facetLabel(locale, facet, value), path: facetValuePath(facet, value.slug) };
    });
    return links.length === 0 ? [] : [{ facet, label: locale.t.facets[facet].plural, links }];
  });
}

/** Joins captions into paragraphs: one for each speaker, and a new one after the end of a sentence if a paragraph is long. */
function joinCues(cues: readonly Cue[], hasTimes: boolean): TimedParagraph[] {
  const paragraphs: TimedParagraph[] = [];
  for (const cue of cues) {
    const { start, voice, text } = cue;
    const last = paragraphs.at(-1);
    const isNew = !last || voice !== undefined || (last.text.length > PARAGRAPH_LENGTH && /[.?!。？！]["”’]?$/u.test(last.text));
    const time = hasTimes ? { start: { seconds: start, label: formatDuration(start) } } : {};
    const lines = hasTimes ? [cue] : [];
    if (isNew) paragraphs.push({ speaker: voice && `${voice}:`, text, ...time, lines });
    else {
      last.text += ` ${text}`;
      last.lines.push(...lines);
    }
  }
  return paragraphs;
}
