/**
 * Writes the words of an index (docs/search-format.md): merges those of its parts, each of which Pagefind has indexed, and
 * divides them into blocks by word, so that a browser reads only the blocks of the words of a query.
 */
import { encodeBlock, encodePlaces, joinPlaces, WEIGHT_STEP, type WordToWrite } from '../../formats/search/word-block.ts';
import { decodeNumber, isWordCode, NUMBER } from '../../formats/search/word-codes.ts';
import { writePack } from '../../publish/packs/pack-writer.ts';
import { DamagedWordsError, openPagefindIndex, type PagefindPosting, type PagefindWord } from '../../search/pagefind-words.ts';

/** A part of an index. */
export interface WordsOfPart {
  /** Directory of Pagefind's files. */
  directory: string;
  /** The number in the index of its first document. */
  first: number;
  /** Number of its documents. */
  documents: number;
}

/** Bytes of a block, about, before compression. A word with more has a block of its own. */
const BLOCK_BYTES = 40_000;
/** Bytes of a document of a word, about: the gap to the one before, and the weight. */
const POSTING_BYTES = 1.6;

/** The parameters of the ranking, which are Pagefind's, except that all archives have the same average length of a document. */
const RANKING = { saturation: 1.4, lengthShare: 0.3, averageLength: 150, title: 5, sameAccents: 1.8 };

/** Writes the blocks of words into a directory. `total` is the number of documents. Returns the first word of each block. */
export function writeWords(parts: readonly WordsOfPart[], total: number, out: string): string[] {
  const firsts: string[] = [];
  let block: WordToWrite[] = [];
  let bytes = 0;
  const close = () => {
    if (block.length === 0) return;
    writePack(out, `w${firsts.length}`, encodeBlock(block, total));
    writePack(out, `p${firsts.length}`, joinPlaces(block));
    firsts.push((block[0] as WordToWrite).word);
    block = [];
    bytes = 0;
  };
  for (const word of mergeWords(parts)) {
    const own = Buffer.byteLength(word.word) + word.documents.length * POSTING_BYTES;
    if (bytes + own > BLOCK_BYTES) close();
    block.push(word);
    bytes += own;
  }
  close();
  return firsts;
}

/** Returns the words of all parts, sorted, each once. */
function* mergeWords(parts: readonly WordsOfPart[]): Generator<WordToWrite> {
  const open = parts.map((part) => {
    const index = openPagefindIndex(part.directory);
    const numbers = numberPages(index.words(NUMBER), part);
    const words = index.words();
    return { words, next: words.next(), numbers, lengths: index.lengths };
  });
  for (;;) {
    let word: string | undefined;
    for (const { next } of open) if (!next.done && (word === undefined || next.value.word < word)) word = next.value.word;
    if (word === undefined) return;
    const found: Array<{ document: number; weight: number; places: number[] }> = [];
    for (const part of open) {
      if (part.next.done || part.next.value.word !== word) continue;
      for (const posting of part.next.value.pages) {
        const document = part.numbers.get(posting.page);
        if (document === undefined) continue;
        found.push({ document, weight: weigh(posting, part.lengths[posting.page] as number), places: posting.places });
      }
      part.next = part.words.next();
    }
    if (found.length === 0 || !isWordCode(word)) continue;
    found.sort((a, b) => a.document - b.document);
    yield {
      word,
      documents: found.map(({ document }) => document),
      weights: found.map(({ weight }) => weight),
      places: encodePlaces(found.map(({ places }) => places)),
    };
  }
}

/** Returns the number in the index of each of Pagefind's pages, which have a word for it. */
function numberPages(words: Iterable<PagefindWord>, { directory, first, documents }: WordsOfPart): Map<number, number> {
  const numbers = new Map<number, number>();
  for (const { word, pages } of words) {
    const number = decodeNumber(word);
    if (number !== undefined && !(number >= 0 && number < documents))
      throw new DamagedWordsError(directory, `it has no document ${number}`);
    if (number !== undefined) for (const { page } of pages) numbers.set(page, first + number);
  }
  return numbers;
}

/** Returns how much a word counts in a page of some length, in steps of `WEIGHT_STEP`. */
function weigh({ weight, isInTitle }: PagefindPosting, length: number): number {
  const { saturation, lengthShare, averageLength, title, sameAccents } = RANKING;
  const norm = saturation * (1 - lengthShare + (lengthShare * length) / averageLength);
  const score = (sameAccents * ((saturation + 1) * weight)) / (norm + weight) + (isInTitle ? title : 0);
  return Math.min(255, Math.max(1, Math.round(score / WEIGHT_STEP)));
}
