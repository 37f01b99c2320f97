/** Reads XML of a kind that is not known, such as that of Transcriber or ELAN: what its elements say, without their names. */
import type { TranscriptText } from './transcript-text.ts';
import { oneLine, readXml } from './xml-pieces.ts';

/** Returns the text of an XML file: a paragraph for each element that has text besides that of the elements within it. */
export function readAnyXml(xml: string): TranscriptText {
  const paragraphs: string[] = [];
  let [text, depth, openDepth] = ['', 0, 0];
  for (const piece of readXml(xml)) {
    if (piece.type === 'start') depth++;
    else if (piece.type === 'text') {
      if (openDepth === 0 && piece.text.trim() !== '') openDepth = depth;
      if (openDepth > 0) text += piece.text;
    } else if (depth-- === openDepth) {
      paragraphs.push(oneLine(text));
      [text, openDepth] = ['', 0];
    }
    if (piece.type !== 'text' && text !== '') text += ' ';
  }
  return { cues: [], text: paragraphs.join('\n\n'), isHtml: false };
}
