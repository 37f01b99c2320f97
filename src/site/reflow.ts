/** Joins the lines of a typed or printed transcript into paragraphs, and finds who speaks. */

/** One paragraph of a transcript. */
export interface Paragraph {
  /** Who speaks, as written before the colon; undefined if the speaker is that of the paragraph before, or not named. */
  speaker: string | undefined;
  text: string;
}

/** Lines of texts that are broken at the edge of a page are about this long, in characters. */
const MIN_PAGE_WIDTH = 35;
const MAX_PAGE_WIDTH = 130;
/** A line that is shorter than this share of the page's width ends a paragraph. */
const FULL_LINE = 0.72;
/** A word of a name. */
const NAME = String.raw`\p{Lu}[\p{L}\p{M}\d.'’-]{0,30}`;
/** Small words within names. */
const PARTICLE = 'da|de|del|den|der|di|du|e|la|le|of|van|von|y';
/** A name or initials of at most four words, and a colon. */
const SPEAKER = new RegExp(String.raw`^\s*((?:${NAME}|\p{Lo}{1,12})(?: (?:${NAME}|${PARTICLE})){0,3}) ?[:：]\s*(.*)$`, 'u');
const CJK_EDGES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}、。」]$/u;
const CJK_START = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}「]/u;

/** Returns the paragraphs of a plain text. Lines that end before the edge of the page, blank lines and new speakers end a paragraph. */
export function reflow(text: string): Paragraph[] {
  const lines = withoutPageNumbers(text).map((line) => line.trim());
  const width = pageWidth(lines);
  const paragraphs: Paragraph[] = [];
  let isOpen = false;
  for (const line of lines) {
    if (line === '') {
      isOpen = false;
      continue;
    }
    const [, speaker, words = ''] = SPEAKER.exec(line) ?? [];
    const last = paragraphs.at(-1);
    if (speaker !== undefined) paragraphs.push({ speaker, text: words });
    else if (isOpen && last) last.text = joinLines(last.text, line);
    else paragraphs.push({ speaker: undefined, text: line });
    isOpen = width !== undefined && line.length >= width * FULL_LINE;
  }
  return paragraphs.filter((paragraph) => paragraph.text !== '' || paragraph.speaker !== undefined);
}

/** Returns the lines of a text. A page break is not a line, and neither is a number alone beside it. */
function withoutPageNumbers(text: string): string[] {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/\n\s*\d{1,4}\s*\f\s*/g, '\n')
    .replace(/\n?\f(?:\s*\d{1,4}\s*\n)?/g, '\n')
    .split('\n');
}

/** Returns how long the lines of a text are that is broken at the edge of a page; undefined if each of its lines is a paragraph. */
function pageWidth(lines: readonly string[]): number | undefined {
  const lengths = lines.map(({ length }) => length).filter((length) => length > 0);
  const width = lengths.sort((a, b) => a - b)[Math.floor(lengths.length * 0.9)];
  return width !== undefined && width >= MIN_PAGE_WIDTH && width <= MAX_PAGE_WIDTH ? width : undefined;
}

function joinLines(first: string, second: string): string {
  const isJoined = first.endsWith('-') || (CJK_EDGES.test(first) && CJK_START.test(second));
  return `${first}${isJoined ? '' : ' '}${second}`;
}
