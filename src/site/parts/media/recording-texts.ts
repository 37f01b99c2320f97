/** Transcripts and glossaries beside a recording: captions with times, texts as paragraphs. */
import type { ListedEntry } from '../../../catalogue/entries.ts';
import { objectPath } from '../../../catalogue/urls.ts';
import type { CopiedFile } from '../../../derivatives/copied-files.ts';
import { type Cue, readCues } from '../../../model/media/captions.ts';
import { escapeHtml } from '../../../model/text/markup.ts';
import { toPlainText } from '../../../model/text/text.ts';
import type { Site } from '../../site.ts';
import { type Paragraph, reflow } from '../../text/reflow.ts';
import { type ResolveLink, toSafeHtml } from '../../text/sanitize.ts';
import { textLang } from '../../text/text-lang.ts';
import { createDownload, type Download, findCopiedFile } from './media-files.ts';

/** The text of the transcripts and glossaries on a page, by the file's path in the site. */
export type RecordingTexts = ReadonlyMap<string, string>;

/** A transcript or glossary: its file record, and the media file if the site has it. */
export interface RecordingText {
  id: string;
  title: string;
  /** Whether it is a glossary and not a transcript. */
  isGlossary: boolean;
  file: CopiedFile | undefined;
}

/** What a text beside a recording is. Captions have times. */
export type RecordingTextKind = 'captions' | 'transcript' | 'glossary';

/** A transcript or glossary as a page shows it: cues, sanitized HTML or paragraphs; none of them if it can only be downloaded. */
export interface RecordingTextView {
  /** ID of its element on the page. */
  id: string;
  kind: RecordingTextKind;
  /** The kind, with the title if the page has several texts of that kind. */
  label: string;
  title: string;
  /** The page of the file's own record. */
  path: string;
  cues: Cue[];
  html: string | undefined;
  paragraphs: Paragraph[];
  /** The language of the text, if it is not the page's: a BCP 47 tag. */
  lang: string | undefined;
  /** Whether the page shows only the beginning. */
  isTruncated: boolean;
  download: Download | undefined;
}

/**
 * Characters of each kind of text on one page: of about two hours of speech, and of a long glossary. Captions are also what the
 * player shows. The files have the complete text.
 */
const MAX_TEXT_LENGTHS: Readonly<Record<RecordingTextKind, number>> = {
  captions: 400_000,
  transcript: 200_000,
  glossary: 30_000,
};
/** Returns the transcripts and glossaries among a record's files; for a segment, also the glossary of its interview. */
export function findRecordingTexts(entry: ListedEntry, site: Pick<Site, 'relations' | 'copiedFiles'>): RecordingText[] {
  const own = entry.model === 'file' ? [entry] : [...site.relations.files(entry.id)];
  const interviewFiles = entry.model === 'segment' && entry.parent !== undefined ? [...site.relations.files(entry.parent)] : [];
  const readings = (files: ListedEntry[]) =>
    files.flatMap((file): RecordingText[] => {
      const text = file.media.find(({ kind }) => kind === 'transcript');
      if (!text) return [];
      const isGlossary = file.role === 'gloss' || /glossary/i.test(file.title);
      return [{ id: file.id, title: file.title, isGlossary, file: findCopiedFile(text.url, site) }];
    });
  return [...readings(own), ...readings(interviewFiles).filter(({ isGlossary }) => isGlossary)];
}

/** Returns transcripts and glossaries in page order: transcripts with cues, other ones, glossaries. `texts` are by path. */
export function createRecordingTextViews(
  entry: ListedEntry,
  readings: RecordingText[],
  texts: RecordingTexts,
  resolve: ResolveLink,
  site: Site,
): RecordingTextView[] {
  const t = site.locale.t.recording;
  const remaining = { ...MAX_TEXT_LENGTHS };
  const rank = ({ isGlossary, timed }: RecordingText & { timed: Cue[] }) => (isGlossary ? 2 : timed.length > 0 ? 0 : 1);
  return readings
    .map((reading) => {
      const { file } = reading;
      const text = file && texts.get(file.path)?.replace(/^\ufeff/, '');
      return { ...reading, text, timed: file && text !== undefined ? readCues(text, file.mimetype) : [] };
    })
    .sort((a, b) => rank(a) - rank(b))
    .map(({ id, title, isGlossary, file, text, timed }, i, all): RecordingTextView => {
      const kindAt = (at: number) => RANKS[rank(all[at] as (typeof all)[number])] as RecordingTextKind;
      const kind = kindAt(i);
      const isOnly = all.every((_, other) => other === i || kindAt(other) !== kind);
      const cues = timed.slice(0, countFitting(timed, remaining[kind]));
      const isTruncated = cues.length < timed.length || (timed.length === 0 && (text?.length ?? 0) > remaining[kind]);
      const shown = timed.length > 0 ? undefined : text?.slice(0, remaining[kind]);
      remaining[kind] -= sizeOf(cues) + (shown?.length ?? 0);
      const isHtml = file?.mimetype === 'text/html';
      return {
        id: `text-${i + 1}`,
        kind,
        label: isOnly ? t.texts[kind] : `${t.texts[kind]}: ${title}`,
        title,
        path: objectPath(id),
        cues,
        html: isHtml && shown !== undefined ? withoutTitle(toSafeHtml(shown, resolve), [title, t.texts[kind]]) : undefined,
        paragraphs: isHtml || shown === undefined ? [] : isGlossary ? linesOf(shown) : reflow(shown),
        lang: textLang(cues.length > 0 ? firstWords(cues) : shown, site, entry),
        isTruncated,
        download: file && createDownload(file, site),
      };
    });
}

/** Returns the HTML of a text without a heading at its beginning that repeats one of its titles: the page has a heading too. */
function withoutTitle(html: string, titles: readonly string[]): string {
  const [all = '', , heading] = /^\s*<h([1-6])\b[^>]*>(.*?)<\/h\1>/s.exec(html) ?? [];
  const words = comparable(toPlainText(heading));
  return titles.some((title) => comparable(title) === words) ? html.slice(all.length) : html;
}

const comparable = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** The kinds in the order of a page. */
const RANKS: readonly RecordingTextKind[] = ['captions', 'transcript', 'glossary'];

/** Characters of a term in a glossary. */
const MAX_TERM_LENGTH = 80;

/** Returns the lines of a glossary: each has a term, a colon and its meaning. */
function linesOf(text: string): Paragraph[] {
  return text.split(/\r\n?|\n/).flatMap((untrimmed): Paragraph[] => {
    const line = untrimmed.trim();
    const end = line.slice(0, MAX_TERM_LENGTH).search(/[:：]/);
    const meaning = line.slice(end + 1).trim();
    if (end > 0 && meaning !== '') return [{ speaker: line.slice(0, end).trim(), text: meaning }];
    return line === '' ? [] : [{ speaker: undefined, text: line }];
  });
}

/** Returns what the first cues say. */
function firstWords(cues: Cue[]): string {
  return escapeHtml(
    cues
      .slice(0, 20)
      .map(({ text }) => text)
      .join(' '),
  );
}

/** Characters of markup per cue. */
const CUE_MARKUP = 120;

function sizeOf(cues: Cue[]): number {
  return cues.reduce((total, { text }) => total + text.length + CUE_MARKUP, 0);
}

/** Returns how many of the cues fit into a number of characters. */
function countFitting(cues: Cue[], maxCharacters: number): number {
  let left = maxCharacters;
  for (const [i, { text }] of cues.entries()) {
    left -= text.length + CUE_MARKUP;
    if (left < 0) return i;
  }
  return cues.length;
}
