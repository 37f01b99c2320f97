/** Reads what `pdftotext -bbox-layout` writes: the text layer of a PDF, with the places of its words. */
import { keyByWord } from '../../platform/key-by-word.ts';
import { collectPages, type ScanPart } from './scanned-pages.ts';
import type { ScannedPage } from './transcript-text.ts';
import { readXml } from './xml-pieces.ts';

const LEVELS = keyByWord({ page: 'page', paragraph: 'block', line: 'line', word: 'word' });

/** Returns the pages of a PDF. */
export function readPdfWords(xml: string): ScannedPage[] {
  return collectPages(readXml(xml), (name, { width, height, xMin, yMin, xMax, yMax }): ScanPart | undefined => {
    const level = LEVELS.get(name);
    const edges = level === 'page' ? ['0', '0', width, height] : [xMin, yMin, xMax, yMax];
    return level && { level, edges: edges.map(Number) };
  });
}
