/** The text of scanned pages, with the place of each word: the same for ALTO, hOCR and the text layer of a PDF. */
import { isUnspacedBetween } from '../text/text.ts';
import type { PlacedWord, ScannedPage, TranscriptText } from './transcript-text.ts';
import { oneLine, type XmlPiece } from './xml-pieces.ts';

/** Left, top, right and bottom, in the unit of the file. */
export type Edges = readonly number[];

/** What an element is. A word has its text in `text`, or else within the element. */
export interface ScanPart {
  level: 'page' | 'paragraph' | 'line' | 'word' | 'hyphen';
  edges?: Edges | undefined;
  text?: string | undefined;
  /** Of a part of a divided word: the entire word if it is the first one. */
  divided?: { whole: string | undefined } | undefined;
}

/** Characters of a word that is divided. */
const MAX_DIVIDED = 200;

/** Whether a word continues in the next line. The parts of a compound, such as “Jean-Paul”, have capital letters. */
const isDivided = (end: string, next: string) =>
  /[\u00ac\u00ad]$/.test(end) || (/^\p{L}[-\u2010]$/u.test(end) && /^\p{Ll}/u.test(next));

/** Returns the pages that elements describe. Text outside of words has the place of its line or paragraph. */
export function collectPages(
  pieces: readonly XmlPiece[],
  partOf: (name: string, attributes: Readonly<Record<string, string>>) => ScanPart | undefined,
): ScannedPage[] {
  const pages: ScannedPage[] = [];
  const open: Array<{ part: ScanPart | undefined; isOwn: boolean }> = [];
  let size: Edges | undefined;
  let begun: ScanPart['level'] = 'page';
  let last: PlacedWord | undefined;
  let half: PlacedWord | undefined;
  let isHyphenated = false;
  let spelled = '';
  const add = (text: string, { level, edges, divided }: ScanPart) => {
    const page = pages.at(-1);
    if (text === '' || !page) return;
    const boxes = level === 'page' ? [] : toBoxes(edges, size);
    const isRest = half !== undefined && divided !== undefined && divided.whole === undefined;
    const isJoined = isHyphenated || (begun === 'line' && last && isDivided(last.text.slice(-2), text));
    if (!isRest && last && isJoined && last.text.length < MAX_DIVIDED)
      last.text = last.text.replace(/[-\u00ac\u00ad\u2010]$/, '') + text;
    else if (!isRest) {
      if (begun === 'page' || begun === 'paragraph') page.push([[]]);
      else if (begun === 'line') page.at(-1)?.push([]);
      begun = 'word';
      last = { text: divided?.whole || text, boxes: [] };
      half = divided?.whole ? last : undefined;
      page.at(-1)?.at(-1)?.push(last);
    }
    (isRest ? half : last)?.boxes.push(...boxes);
    if (isRest) half = undefined;
    isHyphenated = false;
  };
  /** Notes that the next word begins a line or more. */
  const begin = ({ level }: ScanPart) => {
    if (level === 'page' || level === 'paragraph' || (level === 'line' && begun === 'word')) begun = level;
    spelled = '';
  };
  for (const piece of pieces) {
    const { part, isOwn } = (piece.type === 'end' ? open.pop() : open.at(-1)) ?? {};
    if (piece.type === 'start') {
      const own = partOf(piece.name, piece.attributes);
      open.push({ part: own ?? part, isOwn: own !== undefined });
      if (own) begin(own);
      if (own?.level === 'page') {
        pages.push([]);
        [size, last, half, isHyphenated] = [own.edges, undefined, undefined, false];
      } else if (own?.level === 'hyphen') isHyphenated = last !== undefined && half === undefined;
      else if (own?.level === 'word' && own.text !== undefined) add(oneLine(own.text), own);
    } else if (piece.type === 'end') {
      if (!part || !isOwn) continue;
      if (part.level === 'word' && part.text === undefined) add(oneLine(spelled), part);
      begin(part);
    } else if (part?.level === 'word') spelled += piece.text;
    else if (part) for (const word of piece.text.split(/\s+/)) add(word, part);
  }
  return pages;
}

/** Returns a box within the page, in thousandths; none if the edges are none, or those of the page are not known. */
function toBoxes(edges: Edges = [], page: Edges = []): PlacedWord['boxes'] {
  const [left = 0, top = 0, right = 0, bottom = 0] = edges.map((edge, i) => {
    const [from = 0, to = 0] = [page[i % 2], page[(i % 2) + 2]];
    return Math.round(1000 * Math.min(1, Math.max(0, (edge - from) / (to - from))));
  });
  // Also if one of them is not a number.
  return right > left && bottom > top ? [[left, top, right - left, bottom - top]] : [];
}

/** Returns the words of a line, or the lines of a paragraph, each with the space that follows it. */
export function spaced(parts: readonly string[]): string[] {
  return parts.map((part, i) => `${part}${i + 1 === parts.length || isUnspacedBetween(part, parts[i + 1] ?? '') ? '' : ' '}`);
}

/** Returns a line as text. */
export const lineText = (words: readonly PlacedWord[]) => spaced(words.map(({ text }) => text)).join('');

/** Returns pages as the text of a transcript. */
export function textOfPages(pages: ScannedPage[]): TranscriptText {
  const text = pages.flatMap((page) => page.map((lines) => spaced(lines.map(lineText)).join(''))).join('\n\n');
  return { cues: [], text, isHtml: false, pages };
}
