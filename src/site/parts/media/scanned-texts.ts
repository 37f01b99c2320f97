/** The text of scanned pages beside their images: which page belongs to which image, and where on it the words are. */
import type { ListedEntry } from '../../../catalogue/entries.ts';
import { objectPath } from '../../../catalogue/urls.ts';
import { type CopiedFile, findPlayable } from '../../../derivatives/copied-files.ts';
import { isScanType } from '../../../model/transcripts/read-transcript.ts';
import { lineText, spaced } from '../../../model/transcripts/scanned-pages.ts';
import type { PlacedWord, ScannedPage, TranscriptText } from '../../../model/transcripts/transcript-text.ts';
import type { Site } from '../../site.ts';
import { PAGE_SIZE } from '../frame/page-parts.ts';
import { createDisplayImage } from './media-files.ts';
import { splitFiles } from './object-parts.ts';

/** An image that may have text. */
type Leaf = ReturnType<typeof listLeaves>[number];

/** A page of a text. `number` is that of its image, or else its own. */
export interface PlacedPage {
  leaf: Leaf | undefined;
  number: number;
  paragraphs: ScannedPage;
}

/** Returns the images of a record: those of its pages, or its own, which is not that of a recording. */
export function listLeaves(entry: ListedEntry, site: Site) {
  const { documentPages } = splitFiles(entry, site);
  const hasOwn = documentPages.length === 0 && !findPlayable(entry.media, site.copiedFiles);
  const image = hasOwn ? createDisplayImage(entry, site) : undefined;
  return (image ? [{ file: entry, at: 0 }] : documentPages).map(({ file: { id, title }, at }, i) => ({
    id,
    at,
    number: i + 1,
    /** The title without an extension: texts of one page have the names of their images. */
    name: nameOf(title),
    /** Where it is, for a page of a document. */
    path: image ? undefined : objectPath(entry.id, Math.floor(i / PAGE_SIZE) + 1),
  }));
}

const nameOf = (title: string) => title.replace(/\.[^.]*$/, '').toLowerCase();

type Scan = Omit<TranscriptText, 'kind'> & { title: string; isGlossary: boolean; file: CopiedFile | undefined };

/** Returns texts with their pages beside the images, without blank ones. Several that have a page each become one. */
export function placeScans<T extends Scan>(texts: readonly T[], leaves: readonly Leaf[]) {
  const byName = Map.groupBy(leaves, ({ name }) => name);
  const place = ({ file, title, pages = [], isGlossary, cues }: T, at: number): PlacedPage[] => {
    const isScan = isScanType(file?.mimetype ?? '');
    // The text of a PDF may be an interview's, beside its photograph, or typed again: then it has other pages.
    const isBeside = leaves.some(({ path }) => isScan || (path !== undefined && pages.length === leaves.length));
    const named = isScan && pages.length === 1 ? byName.get(nameOf(title)) : undefined;
    return (isBeside && !isGlossary && cues.length === 0 ? pages : []).map((paragraphs, i) => {
      const leaf = named?.length === 1 ? named[0] : leaves[at + i];
      return { leaf, number: leaf?.number ?? at + i + 1, paragraphs };
    });
  };
  // A blank one has an image, too.
  const scans = texts.filter(({ file }) => isScanType(file?.mimetype ?? ''));
  const singles = scans.filter((text) => place(text, 0).length === 1);
  return texts.flatMap((text) => {
    if (text.file?.isBlank) return [];
    if (singles.length < 2 || !singles.includes(text))
      return { ...text, placed: place(text, Math.max(0, scans.indexOf(text))), isJoined: false };
    if (text !== singles[0]) return [];
    const placed = singles.flatMap((single) => place(single, scans.indexOf(single))).sort((a, b) => a.number - b.number);
    return { ...text, text: singles.map((single) => single.text).join('\n\n'), placed, isJoined: true };
  });
}

/** Returns a line for a page. `boxes` has for each word its number of characters and its boxes. */
function createLine(words: readonly PlacedWord[], text: string) {
  const parts = spaced(words.map((word) => word.text));
  const boxes = words.map((word, i) => [parts[i]?.length, ...word.boxes.flat()].join(' ')).join(';');
  return { text, boxes: words.some((word) => word.boxes.length > 0) ? boxes : undefined };
}

/** Returns the pages of a text with the lines that fit into a number of characters. */
export function createTextPages(placed: readonly PlacedPage[], maxCharacters: number) {
  let left = maxCharacters;
  const pages = placed.flatMap(({ leaf, number, paragraphs }) => {
    if (left < 0) return [];
    const lines = paragraphs.map((paragraph) => {
      const texts = spaced(paragraph.map(lineText));
      return paragraph.flatMap((words, i) => {
        const text = texts[i] ?? '';
        left -= text.length;
        return left < 0 ? [] : createLine(words, text);
      });
    });
    const isShown = leaf !== undefined && number <= PAGE_SIZE;
    return { number, path: leaf?.path, isShown, paragraphs: lines.filter(({ length }) => length > 0) };
  });
  return { pages, isCut: left < 0 };
}
