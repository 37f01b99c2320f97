/** Reads what XML of a kind that is not known says, such as that of Transcriber and ELAN. */
import type { TranscriptText } from './transcript-text.ts';
import { oneLine, readXml } from './xml-pieces.ts';

/** Elements, of ELAN and others, whose text is no part of a transcript. */
const SKIPPED: ReadonlySet<string> = new Set(['HEADER', 'CONTROLLED_VOCABULARY', 'metadata', 'script', 'style']);

/**
 * Returns the text of an XML file: a paragraph for each element that has text of its own, with that of those in it. In between,
 * spaces are only where the file has them. An empty element, such as a time or a line break, counts as one.
 */
export function readAnyXml(xml: string): TranscriptText {
  const paragraphs: string[] = [];
  const open = [{ name: '', text: '', first: 0, hasOwn: false }];
  for (const piece of readXml(xml)) {
    const element = open.at(-1) as (typeof open)[number];
    if (piece.type === 'start') open.push({ name: piece.name, text: '', first: paragraphs.length, hasOwn: false });
    else if (piece.type === 'text') {
      element.text += piece.text;
      element.hasOwn ||= piece.text.trim() !== '';
    } else {
      open.pop();
      const { name, text, first, hasOwn } = element;
      const isSkipped = SKIPPED.has(name);
      if (isSkipped || hasOwn) paragraphs.length = first;
      if (hasOwn && !isSkipped) paragraphs.push(text);
      const parent = open.at(-1);
      if (parent && !isSkipped) parent.text += text || ' ';
    }
  }
  return { cues: [], text: paragraphs.map(oneLine).join('\n\n'), isHtml: false };
}
