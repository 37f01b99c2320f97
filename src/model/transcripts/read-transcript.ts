/** All formats of transcripts: one reader for each media type. What cannot be read is offered as a file. */
import { type Cue, parseCues } from '../media/captions.ts';
import { type Format, formatOf } from '../media/formats.ts';
import { readAlto } from './alto.ts';
import { readAnyXml } from './any-xml.ts';
import { readHocr } from './hocr.ts';
import { indexOfChapters } from './index-points.ts';
import { readOhms } from './ohms.ts';
import { readHtml, readPlain } from './plain.ts';
import { readTei } from './tei.ts';
import { type TranscriptText, textOfUtterances } from './transcript-text.ts';
import { readTtml } from './ttml.ts';

/** The readers that formats have by the media type that is detected from the file's bytes (src/model/media/sniff.ts). */
const READERS: Readonly<Record<NonNullable<Format['reader']>, (text: string) => TranscriptText[]>> = {
  vtt: (text) => [readVtt(text)],
  html: readHtml,
  ttml: readTtml,
  tei: (text) => [readTei(text)],
  xml: (text) => [readAnyXml(text)],
  ohms: readOhms,
  alto: (text) => [readAlto(text)],
  hocr: (text) => [readHocr(text)],
  plain: readPlain,
};

/** The media type of Word documents, which are not text but have one. */
export const WORD_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** Whether files of a media type are text that can be read. */
export const isTextType = (mimetype: string): boolean => mimetype.startsWith('text/') || formatOf(mimetype)?.reader !== undefined;

/** Whether files of a media type have the text of scanned pages. */
export const isScanType = (mimetype: string): boolean => /^(?:alto|hocr)$/.test(formatOf(mimetype)?.reader ?? '');

/** Whether files of a media type have nothing but captions. */
export const isCaptionType = (mimetype: string): boolean => /^(?:vtt|ttml)$/.test(formatOf(mimetype)?.reader ?? '');

/** Returns the texts in a file of a type that `isTextType` accepts, or in the text of a PDF or Word document. Never throws. */
export function readTranscript(text: string, mimetype: string): TranscriptText[] {
  const texts = READERS[formatOf(mimetype)?.reader ?? 'plain'](text);
  return texts.map((each) => (each.kind === 'index' ? each : { ...each, cues: nameTurns(each.cues) }));
}

/** Returns the captions of a WebVTT file, or the index of one whose header says that they are chapters. */
function readVtt(text: string): TranscriptText {
  const [header = ''] = text.slice(0, MAX_HEADER_LENGTH).split(/\r\n\r\n|\r\r|\n\n/, 1);
  const isIndex = /^kind:\s*chapters\s*$/im.test(header);
  const read = textOfUtterances(parseCues(text, { canRoll: !isIndex }));
  if (!isIndex) return read;
  const index = indexOfChapters(read.cues, /^language:\s*([\w-]+)\s*$/im.exec(header)?.[1]);
  return { ...read, kind: 'index', ...(index && { index }) };
}
/** Characters of what is before the first empty line. */
const MAX_HEADER_LENGTH = 1_000;

/** Names a speaker at the beginning of each turn only: many files name the speaker of every caption. */
function nameTurns(cues: readonly Cue[]): Cue[] {
  let speaker: string | undefined;
  return cues.map((cue) => {
    const isSame = cue.voice === speaker;
    speaker = cue.voice ?? speaker;
    return isSame && speaker !== undefined ? { ...cue, voice: undefined, speaker } : cue;
  });
}
