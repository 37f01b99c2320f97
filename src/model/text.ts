/** Plain text out of text that may hold HTML: for titles in lists, file names, search and tags. */
import { oneLine } from './legible.ts';
import { parseMarkup, withoutTags } from './markup.ts';

const SILENT = new Set(['script', 'style', 'template', 'noscript', 'iframe']);
const BLOCK = new Set([
  'p',
  'br',
  'div',
  'li',
  'ul',
  'ol',
  'tr',
  'td',
  'th',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'blockquote',
  'hr',
  'section',
]);

/** The words that a reader would see: tags gone, entities decoded, scripts and styles silent, on one line. */
export function plainText(html: string | undefined): string {
  if (!html) return '';
  if (!/[<&]/.test(html)) return clean(html);
  let out = '';
  let silent = 0;
  const isWhole = parseMarkup(html, {
    onopentag: (name) => {
      if (SILENT.has(name)) silent++;
      if (BLOCK.has(name)) out += ' ';
    },
    ontext: (chunk) => {
      if (silent === 0) out += chunk;
    },
    onclosetag: (name) => {
      if (SILENT.has(name)) silent--;
      if (BLOCK.has(name)) out += ' ';
    },
  });
  return clean(isWhole ? out : withoutTags(html));
}

/** Text on one line, of legible characters; marks of direction are dropped too, since a title has one direction. */
export function clean(text: string): string {
  return oneLine(text.replace(/[\ufeff\u200e\u200f]/g, ''));
}

/** The first words, at most `limit` characters, cut between words. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit);
  const space = cut.lastIndexOf(' ');
  return `${(space > limit * 0.6 ? cut.slice(0, space) : cut).replace(/[\s,;:.\ud800-\udbff]+$/u, '')}…`;
}
