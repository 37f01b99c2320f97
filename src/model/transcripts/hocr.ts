/** Reads hOCR: HTML with text that was recognized in scans (https://kba.github.io/hocr-spec/1.2/), as Tesseract writes it. */
import { keyByWord } from '../../platform/key-by-word.ts';
import { collectPages, type ScanPart, textOfPages } from './scanned-pages.ts';
import type { TranscriptText } from './transcript-text.ts';
import { readXml } from './xml-pieces.ts';

const LEVELS = keyByWord({
  page: 'ocr_page',
  paragraph: 'ocr_carea ocr_par',
  line: 'ocr_line ocrx_line ocr_header ocr_footer ocr_caption ocr_textfloat',
  word: 'ocrx_word',
});

/** Returns the text of an hOCR document, with the places of its words. */
export function readHocr(html: string): TranscriptText {
  const pages = collectPages(readXml(html, true), (tag, { class: names = '', title = '' }): ScanPart | undefined => {
    if (tag === 'script' || tag === 'style') return { level: 'word', text: '' };
    const level = names.split(/\s+/).flatMap((name) => LEVELS.get(name) ?? [])[0];
    const [, box] = /(?:^|;)\s*bbox\s+([-\d.\s]+)/.exec(title) ?? [];
    return level && { level, edges: box?.trim().split(/\s+/).slice(0, 4).map(Number) };
  });
  return textOfPages(pages);
}
