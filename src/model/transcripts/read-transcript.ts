/** All formats of transcripts: one reader for each media type. What cannot be read is offered as a file. */
import { type Cue, parseCues } from '../media/captions.ts';
import { readAlto } from './alto.ts';
import { readHocr } from './hocr.ts';
import { readOhms } from './ohms.ts';
import { readPlain } from './plain.ts';
import { readTei } from './tei.ts';
import type { TranscriptText } from './transcript-text.ts';
import { readTtml } from './ttml.ts';

/** A reader by the media type that is detected from the file's bytes (src/model/media/sniff.ts). */
const READERS: Readonly<Record<string, (text: string) => TranscriptText[]>> = {
  'text/vtt': (text) => [{ cues: parseCues(text), text: '', isHtml: false }],
  'text/html': (text) => [{ cues: [], text, isHtml: true }],
  'application/ttml+xml': (text) => [readTtml(text)],
  'application/tei+xml': (text) => [readTei(text)],
  'application/x-ohms+xml': readOhms,
  'application/x-alto+xml': (text) => [readAlto(text)],
  'application/x-hocr+xml': (text) => [readHocr(text)],
};

/** The media type of Word documents, which are not text but have one. */
export const WORD_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** Whether files of a media type are text that can be read. */
export function isTextType(mimetype: string): boolean {
  return mimetype.startsWith('text/') || Object.hasOwn(READERS, mimetype);
}

/** Whether files of a media type have the text of scanned pages. */
export function isScanType(mimetype: string): boolean {
  return mimetype === 'application/x-alto+xml' || mimetype === 'application/x-hocr+xml';
}

/** Whether files of a media type have nothing but captions. */
export function isCaptionType(mimetype: string): boolean {
  return mimetype === 'text/vtt' || mimetype === 'application/ttml+xml';
}

/** Returns the texts in a file of a type that `isTextType` accepts, or in the text of a PDF or Word document. Never throws. */
export function readTranscript(text: string, mimetype: string): TranscriptText[] {
  const texts = READERS[mimetype]?.(text) ?? [readPlain(text)];
  return texts.map((each) => ({ ...each, cues: nameTurns(each.cues) }));
}

/** Names a speaker at the beginning of each turn only: many files name the speaker of every caption. */
function nameTurns(cues: readonly Cue[]): Cue[] {
  let speaker: string | undefined;
  return cues.map((cue) => {
    const isSame = cue.voice === speaker;
    speaker = cue.voice ?? speaker;
    return isSame ? { ...cue, voice: undefined } : cue;
  });
}
