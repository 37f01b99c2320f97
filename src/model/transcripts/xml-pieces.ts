/** Reads XML as a flat list of tags and texts. */
import { Parser } from 'htmlparser2';
import { MAX_MARKUP_DEPTH } from '../text/limits.ts';

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
