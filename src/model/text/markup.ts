/** Parses and escapes HTML. All untrusted HTML is parsed here: deeply nested markup is rejected before it costs time. */
import { type Handler, Parser } from 'htmlparser2';
import elements from './elements.json' with { type: 'json' };
import { MAX_MARKUP_DEPTH } from './limits.ts';

const TOO_DEEP = Symbol('too deep');

/** Elements whose content is not text for readers. */
export const NON_TEXT_ELEMENTS = ['script', 'style', 'textarea', 'option', 'noscript', 'template', 'iframe'] as const;

/**
 * Returns the elements in some HTML whose content is not text for readers. The title of a document is one of them; a title that
 * does not end is shown, since nothing else would be.
 */
export function nonTextElements(html: string): string[] {
  return /<\/title\s*>/i.test(html) ? [...NON_TEXT_ELEMENTS, 'title'] : [...NON_TEXT_ELEMENTS];
}

/** The elements of HTML, also obsolete ones, and those of which icons in SVG consist. */
const HTML_ELEMENTS: ReadonlySet<string> = new Set(elements.html.split(' '));
/** Elements of text that records contain, alone or with others. */
const TEXT_ELEMENTS =
  'a|abbr|b|blockquote|br|center|cite|code|dd|div|dl|dt|em|font|h[1-6]|hr|i|li|ol|p|pre|q|s|small|span|strong|sub|sup|table|tbody|td|th|thead|tr|tt|u|ul|wbr';
/** Elements that may lack attributes and an end. Others that do, such as `<map>` and `<object>`, are a cataloger's words. */
const BARE_ELEMENT = new RegExp(`^(?:${TEXT_ELEMENTS}|body|col|colgroup|head|html|img|input|nobr|script|style)$`);
/** Attributes without a value. Another word after the name of an element is not one: `<title unknown>`. */
const BARE_ATTRIBUTES =
  /^(?:\s+(?:align|alt|async|autoplay|border|checked|class|clear|compact|controls|defer|dir|disabled|hidden|href|id|lang|loop|multiple|muted|name|noshade|nowrap|open|readonly|rel|reversed|selected|src|style|target|title))+\s*\/?$/i;
/** What may begin a tag, without the most frequent tags, which need no look. */
const OPENING_BRACKET =
  /<(?=[/?!a-z])(?!\/?(?:a|b|br|div|em|i|li|p|span|strong|ul)>|!--|!doctype|!\[|\?[a-z])\/?([a-z][^\s/<>]*)?([^<>]*)/gi;

/** Begins text of XML, which HTML would take for a comment. */
const CDATA = '<![CDATA[';

/**
 * Returns HTML in which what looks like a tag, but is none that HTML knows, is text: `<illegible>`, `<name unknown>`, `<?>`.
 * Elements with a prefix, as word processors write them, remain tags.
 */
export function escapeUnknownTags(html: string): string {
  if (!html.includes('<')) return html;
  let bare = html.includes(CDATA) ? html.replaceAll(CDATA, '').replaceAll(']]>', '') : html;
  // Marks within marks are no XML.
  if (bare.includes(CDATA)) bare = bare.replaceAll('<![', '&lt;![');
  const ends = new Map<string, boolean>();
  return bare.replace(OPENING_BRACKET, (tag, name: string | undefined, rest: string) => {
    const known = name?.toLowerCase() ?? '';
    if (!HTML_ELEMENTS.has(known)) return /^[a-z]\w*:[a-z]\w*$/.test(known) ? tag : `&lt;${tag.slice(1)}`;
    if (!ends.has(known)) ends.set(known, new RegExp(`</${known}\\s*>`, 'i').test(bare));
    const isBare = /^\s*\/?$/.test(rest) && (BARE_ELEMENT.test(known) || ends.get(known) === true);
    return isBare || rest.includes('=') || BARE_ATTRIBUTES.test(rest) ? tag : `&lt;${tag.slice(1)}`;
  });
}

/**
 * Parses HTML and calls `handler` for its parts; positions are those in the result of `escapeUnknownTags`. Returns false if the
 * HTML is nested too deeply; `handler` was then called for the parts before that position.
 */
export function parseMarkup(html: string, handler: Partial<Handler>): boolean {
  let depth = 0;
  const parser = new Parser({
    ...handler,
    onopentag(...tag) {
      // The parser looks for the end of an element among all open ones, so its time grows with the depth.
      if (++depth > MAX_MARKUP_DEPTH) throw TOO_DEEP;
      handler.onopentag?.(...tag);
    },
    onclosetag(...tag) {
      depth--;
      handler.onclosetag?.(...tag);
    },
  });
  try {
    parser.end(escapeUnknownTags(html));
    return true;
  } catch (error) {
    if (error !== TOO_DEEP) throw error;
    return false;
  }
}

/** Returns whether HTML is nested too deeply to be parsed. */
export const isTooDeeplyNested = (html: string): boolean => hasMoreThan(html, '<', MAX_MARKUP_DEPTH) && !parseMarkup(html, {});

/** Elements of text, and escapes of characters. Other words between `<` and `>` are text. */
const TEXT_MARKUP = new RegExp(
  `</?(?:${TEXT_ELEMENTS})(?:\\s[^<>]*)?/?>|&(?:#\\d{1,7}|#x[\\da-f]{1,6}|[a-z][a-z\\d]{1,30});`,
  'i',
);

/** Returns whether text is HTML: whether it has an element of text, or an escape such as `&amp;`. */
export const hasTextMarkup = (text: string): boolean => /[<&]/.test(text) && TEXT_MARKUP.test(text);

const INLINE = 'a|abbr|b|cite|code|em|i|q|s|small|span|strong|sub|sup|u';
/** Where a program that indents HTML adds line breaks, and what takes their place. */
const ADDED_LINES: ReadonlyArray<[RegExp, put: (found: string, tag: string) => string]> = [
  [new RegExp(`(?<=[\\s>]|^)(<(?:${INLINE})(?:\\s[^<>]*)?>)[^\\S\\n]*\\n\\s*`, 'gi'), (_, tag) => tag],
  [
    new RegExp(`(?<!\\s)\\s*(?:</(?:${INLINE})>\\s*)+`, 'gi'),
    (ends) => (ends.includes('\n') ? `${ends.replace(/\s+/g, '')}\n` : ends),
  ],
  [/(?<!\s)[^\S\n]*\n\s*(?=[,.;:!?)\]”]|<sup\b)/gi, () => ''],
  [/(?<=[([“‘])[^\S\n]*\n\s*/g, () => ''],
  [new RegExp(`(?<=</(?:${INLINE})>)[^\\S\\n]*\\n\\s*(?=["'](?![\\p{L}\\p{N}<]))`, 'giu'), () => ''],
  [new RegExp(`(?<=\\s["'])[^\\S\\n]*\\n\\s*(?=<(?:${INLINE})[\\s>])`, 'gi'), () => ''],
];
const SPACE_BEFORE_SIGN = new RegExp(`(?<!\\s)[^\\S\\n]+(?=(?:</(?:${INLINE})>)*(?:,\\s|\\.["”]?(?:[\\s<]|$)))`, 'gi');
/** A quotation whose signs stand alone. */
const LOOSE_QUOTATION = /(?<=\s)" ([^"<>]{1,80}?) ?"(?=[\s.,;:)]|$)/g;

/** A quick test for what the two patterns may find. Most texts have none of it. */
const MAY_BE_LOOSE = /\s(?:[,.]|<\/|" )/;

/** Returns text or HTML without spaces added by programs: before commas and full stops, and within quotation marks. */
export function tightenSpaces(html: string): string {
  const joined = html.includes('\n') ? ADDED_LINES.reduce((rest, [pattern, put]) => rest.replace(pattern, put), html) : html;
  return MAY_BE_LOOSE.test(joined) ? joined.replace(SPACE_BEFORE_SIGN, '').replace(LOOSE_QUOTATION, '"$1"') : joined;
}

/** Returns text as HTML between tags, in which quotation marks are no longer than they are. Not for attributes. */
export const escapeText = (text: string): string => escapeHtml(text).replaceAll('&quot;', '"');

/** Returns text with the characters escaped that are special in HTML, also in attributes with double quotes. */
export function escapeHtml(text: string): string {
  if (!/[&<>"]/.test(text)) return text;
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}

/** Returns text without anything that looks like a tag. The result is not HTML: it may contain what looks like a new tag. */
export const stripTags = (html: string): string => html.replace(/<[^<>]*>/g, ' ');

/** Returns whether `text` contains `sign` more than `limit` times. */
function hasMoreThan(text: string, character: string, limit: number): boolean {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) if (++count > limit) return true;
  return false;
}
