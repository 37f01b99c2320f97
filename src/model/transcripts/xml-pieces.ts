/** Reads XML as a flat list of tags and texts, and what XML of a kind that is not known says, such as that of Transcriber. */
import { Parser } from 'htmlparser2';
import { MAX_MARKUP_DEPTH } from '../text/limits.ts';
import type { TranscriptText } from './transcript-text.ts';

/** The start or the end of an element, or text. Names have no namespace prefix. */
export type XmlPiece =
  | { type: 'start'; name: string; attributes: Readonly<Record<string, string>> }
  | { type: 'end'; name: string }
  | { type: 'text'; text: string };

/**
 * Returns the pieces of an XML text in its order, up to where it is nested more than `MAX_MARKUP_DEPTH` deep, which the parser
 * would be slow for. Entities that the text declares itself are not expanded. `isHtml`: it is HTML. Never throws.
 */
export function readXml(xml: string, isHtml = false): XmlPiece[] {
  const pieces: XmlPiece[] = [];
  let depth = 0;
  const local = (name: string) => name.slice(name.indexOf(':') + 1);
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (++depth > MAX_MARKUP_DEPTH) parser.pause();
        const own = Object.entries(attributes).map(([key, value]) => [local(key), value]);
        pieces.push({ type: 'start', name: local(name), attributes: Object.fromEntries(own) as Record<string, string> });
      },
      onclosetag(name) {
        depth--;
        pieces.push({ type: 'end', name: local(name) });
      },
      ontext: (text) => void pieces.push({ type: 'text', text }),
    },
    { xmlMode: !isHtml },
  );
  parser.write(xml);
  if (depth <= MAX_MARKUP_DEPTH) parser.end();
  return pieces;
}

/** Returns a text on one line. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

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
