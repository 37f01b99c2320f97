/** Transcripts and glossaries beside a recording: captions with times, texts as paragraphs. */
import type { ListedEntry } from '../../../catalogue/entries.ts';
import { objectPath } from '../../../catalogue/urls.ts';
import type { Cue } from '../../../model/media/captions.ts';
import { escapeHtml } from '../../../model/text/markup.ts';
import { toPlainText } from '../../../model/text/text.ts';
import { primaryOf } from '../../../model/text/text-language.ts';
import { isScanType } from '../../../model/transcripts/read-transcript.ts';
import type { TranscriptText } from '../../../model/transcripts/transcript-text.ts';
import type { Site } from '../../site.ts';
import { type Paragraph, reflow } from '../../text/reflow.ts';
import { type ResolveLink, toSafeHtml } from '../../text/sanitize.ts';
import { textLang } from '../../text/text-lang.ts';
import { createDownload } from './media-files.ts';
import { createTextPages, listLeaves, type PlacedPage, placeScans } from './scanned-texts.ts';

/** The texts of the transcripts and glossaries on a page, by the file's path in the site. */
export type RecordingTexts = ReadonlyMap<string, readonly TranscriptText[]>;

/** A transcript or glossary: its file record, and the media file if the site has it. */
export type RecordingText = ReturnType<typeof findRecordingTexts>[number];

/** A transcript or glossary as a page shows it: cues, sanitized HTML or paragraphs; none of them if it can only be downloaded. */
export type RecordingTextView = ReturnType<typeof createRecordingTextViews>[number];

/**
 * Characters of each kind of text on one page: of about two hours of speech, and of a long glossary. Captions are also what the
 * player shows. The files have the complete text. The kinds are in the order of a page.
 */
const MAX_TEXT_LENGTHS = {
  captions: 400_000,
  transcript: 200_000,
  scan: 200_000,
  translation: 400_000,
  summary: 100_000,
  index: 100_000,
  glossary: 30_000,
};
/** What a text beside a recording is. Captions have times. */
type RecordingTextKind = keyof typeof MAX_TEXT_LENGTHS;
const KINDS = Object.keys(MAX_TEXT_LENGTHS);
/** Returns the transcripts and glossaries among a record's files; for a segment, also the glossary of its interview. */
export function findRecordingTexts(entry: ListedEntry, site: Pick<Site, 'relations' | 'copiedFiles'>) {
  const own = entry.model === 'file' ? [entry] : [...site.relations.files(entry.id)];
  const interviewFiles = entry.model === 'segment' && entry.parent !== undefined ? [...site.relations.files(entry.parent)] : [];
  const readings = (files: ListedEntry[]) =>
    files.flatMap((file) => {
      const text = file.media.find(({ kind }) => kind === 'transcript');
      if (!text) return [];
      const isGlossary = file.role === 'gloss' || /glossary/i.test(file.title);
      return [{ id: file.id, title: file.title, isGlossary, file: site.copiedFiles.get(text.url) }];
    });
  return [...readings(own), ...readings(interviewFiles).filter(({ isGlossary }) => isGlossary)];
}

/** Returns the texts of transcripts and glossaries in page order: by kind. `texts` are by path. */
export function createRecordingTextViews(
  entry: ListedEntry,
  readings: RecordingText[],
  texts: RecordingTexts,
  resolve: ResolveLink,
  site: Site,
) {
  const t = site.locale.t.recording;
  const remaining = { ...MAX_TEXT_LENGTHS };
  const all = placeTexts(entry, readings, texts, site);
  return all.map(
    ({ id, title, kind, file, text, cues: timed, isHtml, placed, isJoined, exports, untimed, isCut: isFileCut = false }, i) => {
      const others = all.filter((other, at) => at !== i && other.kind === kind);
      const cues = timed.slice(0, countFitting(timed, remaining[kind]));
      const shown = timed.length > 0 ? '' : text.slice(0, remaining[kind]);
      const { pages, isCut } = createTextPages(placed, remaining[kind]);
      remaining[kind] -= cues.reduce((total, cue) => total + cue.text.length + CUE_MARKUP, shown.length);
      const firstWords = cues.slice(0, 20).map((cue) => cue.text);
      const lang = textLang(cues.length > 0 ? escapeHtml(firstWords.join(' ')) : shown, site, entry);
      // Texts of one file are in different languages.
      const name = others.some((other) => other.id === id)
        ? site.locale.languageName(primaryOf(lang ?? site.locale.language))
        : title;
      return {
        /** ID of its element on the page. */
        id: `text-${i + 1}`,
        kind,
        /** The kind, with the title, or the language within one file, if the page has several texts of that kind. */
        label: others.length === 0 ? t.texts[kind] : `${t.texts[kind]}: ${name}`,
        title,
        /** The page of the file's own record. */
        path: objectPath(id),
        isJoined,
        cues,
        html: isHtml && shown !== '' ? withoutTitle(toSafeHtml(shown, resolve), [title, t.texts[kind]]) : undefined,
        /** Of a scan whose images the record has: its pages. */
        pages,
        paragraphs: isHtml || placed.length > 0 ? [] : kind === 'glossary' ? linesOf(shown) : reflow(shown),
        lang,
        /** Whether the page shows only the beginning. */
        isTruncated: isCut || isFileCut || cues.length < timed.length || shown.length < text.length,
        isMissing: file === undefined,
        /** The number of points of an index that are left out. */
        untimed,
        /** The file, and what it says in other formats. */
        downloads: [
          ...(file ? [createDownload(file, site)] : []),
          ...exports.map((each) => createDownload({ ...each, mimetype: 'text/plain', isDownloadable: true }, site, each.format)),
        ].flatMap((download) => download ?? []),
      };
    },
  );
}

/** Returns the texts in page order, those of scans beside their images. */
function placeTexts(entry: ListedEntry, readings: readonly RecordingText[], texts: RecordingTexts, site: Site) {
  const read = readings
    .flatMap((reading) => {
      const found = reading.file ? (texts.get(reading.file.path) ?? []) : [];
      return (found.length > 0 ? found : [UNREAD]).map((text, position) => ({
        ...reading,
        ...text,
        kind: kindOf(reading, text),
        exports: reading.file?.exports?.filter((each) => each.text === position) ?? [],
      }));
    })
    .sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
  const leaves = read.some(({ pages }) => pages) ? listLeaves(entry, site) : [];
  return placeScans(read, leaves);
}

/** Returns the scanned pages of a record. */
export function findScannedPages(entry: ListedEntry, texts: RecordingTexts, site: Site): PlacedPage[] {
  return placeTexts(entry, findRecordingTexts(entry, site), texts, site).flatMap(({ placed }) => placed);
}

/** A text of a file that cannot be read. */
const UNREAD: TranscriptText = { cues: [], text: '', isHtml: false };

/** Words in the title of a file by which its text is of another kind. */
const TITLED = {
  translation: /^(?!.*transcri).*(?:\btranslation\b|\btraducci[oó]n\b|\btraduction\b|翻訳|ترجمة)/i,
  summary: /^(?!.*transcri).*(?:\b(?:summary|synopsis|abstract(?! of)|resumen)\b|\brésumé|要約|ملخص)/i,
};

function kindOf({ isGlossary, title, file }: RecordingText, { kind, cues }: TranscriptText): RecordingTextKind {
  if (isGlossary) return 'glossary';
  const titled = (['translation', 'summary'] as const).find((one) => TITLED[one].test(title));
  return kind ?? titled ?? (cues.length > 0 ? 'captions' : isScanType(file?.mimetype ?? '') ? 'scan' : 'transcript');
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

/** Characters of markup per cue. */
const CUE_MARKUP = 120;

/** Returns how many of the cues fit into a number of characters. */
function countFitting(cues: Cue[], maxCharacters: number): number {
  let left = maxCharacters;
  for (const [i, { text }] of cues.entries()) {
    left -= text.length + CUE_MARKUP;
    if (left < 0) return i;
  }
  return cues.length;
}
