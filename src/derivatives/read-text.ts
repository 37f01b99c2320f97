/** Reads the text of transcripts and glossaries. Pages and the search index both use it, so that they have the same text. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mapStrings } from '../catalogue/read/redaction.ts';
import { decodeText } from '../model/encoding/charset.ts';
import type { Cue } from '../model/media/captions.ts';
import { MAX_FILE_TEXT_LENGTH } from '../model/text/limits.ts';
import { readDocx } from '../model/transcripts/docx.ts';
import type { RecordingIndex } from '../model/transcripts/index-points.ts';
import { readPdfWords } from '../model/transcripts/pdf-words.ts';
import { isScanType, isTextType, readTranscript, WORD_TYPE } from '../model/transcripts/read-transcript.ts';
import { textOfPages } from '../model/transcripts/scanned-pages.ts';
import type { TranscriptText } from '../model/transcripts/transcript-text.ts';
import { readStart } from '../platform/read-start.ts';
import type { Store } from '../snapshot/store.ts';
import type { CopiedFile } from './copied-files.ts';

/** Whether the text of a file can be read. */
export function hasFileText({ mimetype, textFile, isBlank }: Pick<CopiedFile, 'mimetype' | 'textFile' | 'isBlank'>): boolean {
  return !isBlank && (textFile !== undefined || isTextType(mimetype) || mimetype === WORD_TYPE);
}

/** Maximum bytes of a Word document. Its images are not read. */
const MAX_WORD_BYTES = 100_000_000;
/** Maximum bytes of a file with the words of scanned pages, whose markup is many times as long as they are. */
const MAX_SCAN_BYTES = 16_000_000;

/**
 * Returns the texts of a file in any charset, from its first `MAX_FILE_TEXT_LENGTH` bytes, without withheld names; a text that
 * had some has no places of words. None if it is neither text nor a document whose text is known, or damaged.
 * @throws {Error} if the file cannot be read
 */
export function readFileTexts(
  source: Pick<CopiedFile, 'snapshotPath' | 'mimetype' | 'textFile' | 'wordsFile' | 'charset' | 'isBlank'>,
  { dir, filter }: Pick<Store, 'dir' | 'filter'>,
): TranscriptText[] {
  const { snapshotPath, mimetype, textFile, wordsFile, charset } = source;
  if (!hasFileText(source)) return [];
  const file = textFile ?? join(dir, snapshotPath);
  const isWord = mimetype === WORD_TYPE;
  const maxBytes = isWord ? MAX_WORD_BYTES : isScanType(mimetype) ? MAX_SCAN_BYTES : MAX_FILE_TEXT_LENGTH;
  const bytes = readStart(file, maxBytes);
  const text = isWord ? readDocx(bytes) : decodeText(bytes, textFile === undefined ? (charset ?? 'utf-8') : 'utf-8');
  const redact = (words: string) => filter?.redactText?.(words) ?? words;
  const isUnchanged = (words: string) => redact(words) === words;
  // Names may be divided by the markup of a file, so that its text is looked at, too.
  const texts = readTranscript(redact(text), textFile === undefined && !isWord ? mimetype : 'text/plain');
  const pagesOfPdf = wordsFile === undefined ? undefined : readPdfWords(readFileSync(wordsFile, 'utf8'));
  return texts.map(({ pages = pagesOfPdf, ...each }) => ({
    ...each,
    ...(bytes.length === maxBytes && { isCut: true }),
    text: redact(each.text),
    cues: mapStrings(each.cues, redact) as Cue[],
    ...(each.index && { index: mapStrings(each.index, redact) as RecordingIndex }),
    ...(pages && isUnchanged(textOfPages(pages).text) && { pages }),
  }));
}
