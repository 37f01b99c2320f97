/** Turns line breaks of plain text into paragraphs, line breaks and lists. HTML that has blocks of its own is not changed. */
import { toLegible } from '../../model/text/legible.ts';
import { escapeHtml } from '../../model/text/markup.ts';

/** Elements that show that the source is HTML, in which line breaks mean nothing. */
const BLOCK_MARKUP =
  /<\/?(?:!doctype|html|head|body|p|div|ul|ol|li|dl|dt|dd|table|tr|td|th|h[1-6]|blockquote|pre|hr|section|article|main|header|footer|aside|figure|center)\b/i;
const LINE_BREAK_MARKUP = /<br\b/i;
/** A tag of safe HTML, whose attributes contain no `>`. */
const TAG = /(<[^>]*>)/;

/** Returns escaped plain text with its paragraphs, line breaks and lists as safe HTML. Text on one line is only escaped. */
export const textToHtml = (text: string): string => breakLines(escapeHtml(toLegible(text)), 'break');

/**
 * Returns safe HTML, made from `source`, with its paragraphs, line breaks and lists if `source` is plain text or has only
 * elements within lines. If it has `<br>`, only blank lines count.
 */
export function addParagraphs(safe: string, source: string): string {
  if (BLOCK_MARKUP.test(source)) return safe;
  return breakLines(safe, LINE_BREAK_MARKUP.test(source) ? 'space' : 'break');
}

/** What a single line break is. */
type SingleBreak = 'break' | 'space';

function breakLines(safe: string, single: SingleBreak): string {
  if (!/[\n\r\u2028\u2029]/.test(safe)) return safe;
  const groups = groupLines(splitLines(safe.replace(/\u2029/g, '\n\n').replace(/\r\n?|\u2028/g, '\n'), single));
  const blocks = groups.flatMap((lines) =>
    single === 'break' ? findBlocks(lines) : [{ html: joinLines(lines, '\n'), isList: false }],
  );
  if (blocks.length < 2 && blocks[0]?.isList !== true) return blocks[0]?.html ?? '';
  return blocks.map(({ html, isList }) => (isList ? html : `<p>${html}</p>`)).join('');
}

/** Splits safe HTML into lines, where no element is open. A line break inside an element becomes `<br>`. */
function splitLines(safe: string, single: SingleBreak): string[] {
  const lines: string[] = [];
  let line = '';
  let depth = 0;
  for (const token of safe.split(TAG)) {
    if (token.startsWith('<')) {
      if (token.startsWith('</')) depth--;
      else if (!/^<br\b/.test(token)) depth++;
      line += token;
    } else if (depth > 0) {
      const broken = token.replace(/[ \t]*\n(?:[ \t]*\n)+[ \t]*/g, '<br><br>');
      line += single === 'break' ? broken.replace(/[ \t]*\n[ \t]*/g, '<br>') : broken;
    } else {
      const [first = '', ...rest] = token.split('\n');
      line += first;
      for (const next of rest) {
        lines.push(line);
        line = next;
      }
    }
  }
  lines.push(line);
  return lines;
}

/** Groups lines into paragraphs, between blank lines. */
function groupLines(lines: readonly string[]): string[][] {
  const groups: string[][] = [];
  let group: string[] = [];
  for (const line of lines) {
    if (line.trim() !== '') group.push(line);
    else if (group.length > 0) {
      groups.push(group);
      group = [];
    }
  }
  return group.length > 0 ? [...groups, group] : groups;
}

interface Block {
  html: string;
  isList: boolean;
}

const BULLET = /^\s*(?:[-*–‣◦]\s+|[•·・●○■□▪※]\s*)(?=\S)/;
const NUMBER = /^\s*\(?(\d{1,3})(?:[.)]\s+|[．、）]\s*)(?=\S)/;
/** A line that continues the item above it. */
const CONTINUATION = /^(?: {2,}|\t)\s*(?=\S)/;

/** Divides the lines of a paragraph into lists and the text between them. A list has at least two items. */
function findBlocks(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let text: string[] = [];
  const endText = () => {
    if (text.length > 0) blocks.push({ html: joinLines(text, '<br>'), isList: false });
    text = [];
  };
  for (let i = 0; i < lines.length; ) {
    const list = readList(lines, i);
    if (list) {
      endText();
      blocks.push({ html: list.html, isList: true });
      i = list.end;
    } else text.push(lines[i++] as string);
  }
  endText();
  return blocks;
}

/** Returns the list that begins at a line, and the line after it; undefined if there is none. */
function readList(lines: readonly string[], begin: number): { html: string; end: number } | undefined {
  const first = NUMBER.exec(lines[begin] ?? '')?.[1];
  const start = first === undefined ? undefined : Number(first);
  const marker = start === undefined ? BULLET : NUMBER;
  const items: string[] = [];
  let end = begin;
  for (; end < lines.length; end++) {
    const line = lines[end] as string;
    const match = marker.exec(line);
    const isNext = match && (start === undefined || Number(match[1]) === start + items.length);
    if (isNext) items.push(line.slice(match[0].length).trim());
    else if (items.length > 0 && CONTINUATION.test(line) && !BULLET.test(line) && !NUMBER.test(line))
      items.push(`${items.pop()} ${line.trim()}`);
    else break;
  }
  if (items.length < 2) return undefined;
  const body = items.map((item) => `<li>${item}</li>`).join('');
  if (start === undefined) return { html: `<ul>${body}</ul>`, end };
  return { html: `<ol${start === 1 ? '' : ` start="${start}"`}>${body}</ol>`, end };
}

const joinLines = (lines: readonly string[], separator: string): string => lines.map((line) => line.trim()).join(separator);
