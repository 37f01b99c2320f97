/** Joins a typed or printed transcript's lines into paragraphs, and finds who speaks, in linear time. */
import { isUnspacedBetween } from '../../model/text/text.ts';

/** One paragraph of a transcript. */
export interface Paragraph {
  /** Who speaks, as written, with the colon; undefined if the speaker is that of the paragraph before, or not named. */
  speaker: string | undefined;
  text: string;
}

/** Lines of texts that are broken at the edge of a page are about this long, in characters. */
const MIN_PAGE_WIDTH = 35;
const MAX_PAGE_WIDTH = 130;
/** A line that is shorter than this share of the page's width ends a paragraph. */
const FULL_LINE = 0.72;
/** Characters at the beginning of a line in which a speaker is looked for. */
const MAX_SPEAKER_LENGTH = 130;
/** A word of a name. */
const NAME = String.raw`\p{Lu}[\p{L}\p{M}\d.'’-]{0,30}`;
/** Small words within names. */
const PARTICLE = 'da|de|del|den|der|di|du|e|la|le|of|van|von|y';
/** A name or initials of at most four words, and a colon. */
const SPEAKER = new RegExp(String.raw`^((?:${NAME}|\p{Lo}[\p{Lo}\p{Lm}]{0,11})(?: (?:${NAME}|${PARTICLE})){0,3} ?[:：])`, 'u');
const PAGE_NUMBER = /^\d{1,4}$/;

/** Returns a plain text's paragraphs, which end at lines shorter than the page, blank lines and new speakers. */
export function reflow(text: string): Paragraph[] {
  const lines = linesOf(text);
  const width = pageWidth(lines);
  const paragraphs: Array<{ speaker: string | undefined; lines: string[] }> = [];
  let isOpen = false;
  for (const line of lines) {
    if (line === '') {
      isOpen = false;
      continue;
    }
    const [speaker] = SPEAKER.exec(line.slice(0, MAX_SPEAKER_LENGTH)) ?? [];
    const last = paragraphs.at(-1);
    if (speaker !== undefined) paragraphs.push({ speaker, lines: [line.slice(speaker.length).trim()] });
    else if (isOpen && last) last.lines.push(line);
    else paragraphs.push({ speaker: undefined, lines: [line] });
    isOpen = width !== undefined && line.length >= width * FULL_LINE;
  }
  return paragraphs.map(({ speaker, lines: own }) => ({ speaker, text: joinLines(own) }));
}

/** Returns the lines of a text, trimmed. A page break is not a line, and neither is a number alone beside it. */
function linesOf(text: string): string[] {
  const pages = text
    .replace(/\r\n?/g, '\n')
    .split('\f')
    .map((page) => page.split('\n').map((line) => line.trim()));
  return pages.flatMap((page, i) => {
    const first = i > 0 ? skipNumber(page, 1) : 0;
    const end = i < pages.length - 1 ? page.length - skipNumber(page, -1) : page.length;
    return page.slice(first, Math.max(first, end));
  });
}

/** Returns how many lines at the beginning of a page, or at its end (`step` is −1), are blank or the page's number. */
function skipNumber(page: readonly string[], step: 1 | -1): number {
  let skipped = 0;
  let hasNumber = false;
  for (let at = step === 1 ? 0 : page.length - 1; at >= 0 && at < page.length; at += step) {
    const line = page[at] as string;
    if (line !== '' && (hasNumber || !PAGE_NUMBER.test(line))) break;
    hasNumber ||= line !== '';
    skipped++;
  }
  return skipped;
}

/** Returns the length of the lines of a text that is broken at the page's edge; undefined if each line is a paragraph. */
function pageWidth(lines: readonly string[]): number | undefined {
  const lengths = lines.map(({ length }) => length).filter((length) => length > 0);
  const width = lengths.sort((a, b) => a - b)[Math.floor(lengths.length * 0.9)];
  return width !== undefined && width >= MIN_PAGE_WIDTH && width <= MAX_PAGE_WIDTH ? width : undefined;
}

/** Joins lines with spaces, except after a hyphen, and between signs of Chinese and Japanese. */
function joinLines(lines: readonly string[]): string {
  return lines
    .map((line, i) => {
      const next = lines[i + 1];
      const isJoined = next === undefined || line.endsWith('-') || isUnspacedBetween(line, next);
      return isJoined ? line : `${line} `;
    })
    .join('');
}
