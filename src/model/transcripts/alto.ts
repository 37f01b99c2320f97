/** Reads ALTO XML, versions 2 to 4: text that was recognized in scans (https://www.loc.gov/standards/alto/). */
import { keyByWord } from '../../platform/key-by-word.ts';
import { collectPages, type Edges, type ScanPart, textOfPages } from './scanned-pages.ts';
import type { TranscriptText } from './transcript-text.ts';
import { readXml } from './xml-pieces.ts';

const LEVELS = keyByWord({ page: 'Page', paragraph: 'TextBlock', line: 'TextLine', word: 'String', hyphen: 'HYP' });

/** Returns the text of an ALTO document, with the places of its words. */
export function readAlto(xml: string): TranscriptText {
  const pieces = readXml(xml);
  const sizes: Edges[] = [];
  for (const piece of pieces) {
    if (piece.type !== 'start' || !/^(?:Page|PrintSpace)$/.test(piece.name)) continue;
    const [, , right = 0, bottom = 0] = edgesOf(piece.attributes);
    // A page without a size has that of its print space.
    const isPage = piece.name === 'Page';
    if (!isPage && Number.isFinite(sizes.at(-1)?.[2])) continue;
    sizes.splice(isPage ? sizes.length : -1, isPage ? 0 : 1, [0, 0, right, bottom]);
  }
  let page = 0;
  const pages = collectPages(pieces, (name, attributes): ScanPart | undefined => {
    const level = LEVELS.get(name);
    if (level === 'page') return { level, edges: sizes[page++] };
    if (level !== 'word') return level && { level };
    const { CONTENT: text = '', SUBS_TYPE: type = '', SUBS_CONTENT: whole } = attributes;
    const divided = /^HypPart[12]$/.test(type) ? { whole: type === 'HypPart1' ? whole : undefined } : undefined;
    return { level, text, edges: edgesOf(attributes), divided };
  });
  return textOfPages(pages);
}

/** Returns the edges of an element: all are in the document's unit (pixels, 1/10 mm or 1/1200 inch), and so is the page. */
function edgesOf({ HPOS = '0', VPOS = '0', WIDTH = 'none', HEIGHT = 'none' }: Readonly<Record<string, string>>): Edges {
  return [Number(HPOS), Number(VPOS), Number(HPOS) + Number(WIDTH), Number(VPOS) + Number(HEIGHT)];
}
