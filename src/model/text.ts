/** Plain text out of text that may hold HTML: for titles in lists, file names, search and tags. */
import { Parser } from 'htmlparser2';

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

/** The words that a reader would see: tags gone, entities decoded, scripts and styles silent, white space folded, control characters dropped. */
export function plainText(html: string | undefined): string {
  if (!html) return '';
  let out = '';
  if (/[<&]/.test(html)) {
    let silent = 0;
    const parser = new Parser({
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
    parser.end(html);
  } else {
    out = html;
  }
  return clean(out);
}

/** Text on one line: white space folded, control characters and marks of direction dropped. */
export function clean(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\ufeff\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim();
}

/** The first words, at most `limit` characters, cut between words. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit);
  const space = cut.lastIndexOf(' ');
  return `${(space > limit * 0.6 ? cut.slice(0, space) : cut).replace(/[\s,;:.\ud800-\udbff]+$/u, '')}…`;
}
