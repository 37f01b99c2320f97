/** Reads the paragraphs of a Word document (Office Open XML, ECMA-376, part 1, chapter 17). */
import { strFromU8, unzipSync } from 'fflate';
import { MAX_FILE_TEXT_LENGTH } from '../text/limits.ts';
import { readXml } from './xml-pieces.ts';

const DOCUMENT = 'word/document.xml';
/** Markup is many times as long as the text. */
const MAX_XML_BYTES = 10 * MAX_FILE_TEXT_LENGTH;
/** What elements between the words stand for. */
const SPACES: Readonly<Record<string, string>> = { tab: ' ', br: '\n', cr: '\n', noBreakHyphen: '-' };

/**
 * Returns the text of a document, its paragraphs separated by empty lines; empty if the file is damaged. What was deleted with
 * “Track Changes” is left out.
 */
export function readDocx(bytes: Uint8Array): string {
  let text = '';
  let isWords = false;
  // The text of deletions is in elements of another name (`delText`).
  for (const piece of readXml(unpack(bytes))) {
    if (piece.type === 'text') text += isWords ? piece.text : '';
    else if (piece.type === 'start') text += SPACES[piece.name] ?? '';
    else if (piece.name === 'p') text += '\n\n';
    isWords = piece.type === 'start' ? piece.name === 't' : piece.type === 'text' && isWords;
  }
  return text.trim();
}

function unpack(bytes: Uint8Array): string {
  try {
    const files = unzipSync(bytes, { filter: ({ name, originalSize }) => name === DOCUMENT && originalSize <= MAX_XML_BYTES });
    return strFromU8(files[DOCUMENT] ?? new Uint8Array());
  } catch {
    return ''; // pages say that the text cannot be read
  }
}
