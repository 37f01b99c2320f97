/** Reads PAGE XML, as Transkribus and eScriptorium write it (https://github.com/PRImA-Research-Lab/PAGE-XML). */
import { keyByWord } from '../../platform/key-by-word.ts';
import { collectPages, type ScanPart, textOfPages } from './scanned-pages.ts';
import type { TranscriptText } from './transcript-text.ts';
import { readXml, type XmlPiece } from './xml-pieces.ts';

const LEVELS = keyByWord({ page: 'Page', paragraph: 'TextRegion', line: 'TextLine', word: 'Word' });

/** Returns the text of a PAGE document in its order of reading, with the places of its words, or else of their lines. */
export function readPageXml(xml: string): TranscriptText {
  let part: ScanPart | undefined;
  const pages = collectPages(inReadingOrder(readXml(xml)), (name, { imageWidth, imageHeight, points = '' }) => {
    const level = LEVELS.get(name);
    // An outline follows the start of what it is of.
    if (name === 'Coords' && part) part.edges = edgesOf(points);
    if (level) part = { level, edges: [0, 0, Number(imageWidth), Number(imageHeight)] };
    return level && part;
  });
  return textOfPages(pages);
}

function edgesOf(points: string) {
  const sorted = (side: RegExp) => Array.from(points.matchAll(side), ([, at]) => Number(at)).sort((a, b) => a - b);
  const [xs, ys] = [sorted(/(-?\d+),/g), sorted(/,(-?\d+)/g)];
  return [xs[0] ?? 0, ys[0] ?? 0, xs.at(-1) ?? 0, ys.at(-1) ?? 0];
}

/** Returns pieces with the regions of each page in its order, and each text once: not again for a whole, nor another reading. */
function inReadingOrder(all: readonly XmlPiece[]): XmlPiece[] {
  const order = new Map<string, number>();
  const regions: Array<{ page: number; id: string; pieces: XmlPiece[] }> = [];
  const open: Array<{ hasText: boolean }> = [];
  let [page, isText] = [0, false];
  for (const piece of all) {
    const level = piece.type === 'text' ? undefined : LEVELS.get(piece.name);
    const attributes = piece.type === 'start' ? piece.attributes : {};
    if (piece.type === 'text') {
      if (!isText || piece.text.trim() === '') continue;
      for (const each of open) each.hasText = true;
    } else if (piece.name === 'Unicode') isText = piece.type === 'start' && open.at(-1)?.hasText === false;
    const { regionRef, id = '' } = attributes;
    if (regionRef !== undefined && !order.has(regionRef)) order.set(regionRef, order.size);
    if (level && piece.type === 'end') open.pop();
    if (level === 'page') page++;
    // Each start and end of a page is alone, so that the regions between them can be sorted.
    if (level === 'page' || (level === 'paragraph' && piece.type === 'start' && open.length === 1))
      regions.push({ page, id, pieces: [] });
    if (level && piece.type === 'start') open.push({ hasText: false });
    regions.at(-1)?.pieces.push(piece);
  }
  const rank = (id: string) => (id === '' ? -1 : (order.get(id) ?? order.size));
  return regions.sort((a, b) => a.page - b.page || rank(a.id) - rank(b.id)).flatMap(({ pieces }) => pieces);
}
