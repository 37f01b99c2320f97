/** Parses and escapes HTML. All untrusted HTML is parsed here, because this module rejects deeply nested markup before it costs time. */
import { type Handler, Parser } from 'htmlparser2';
import { MAX_MARKUP_DEPTH } from './limits.ts';

const TOO_DEEP = Symbol('too deep');

/** Elements whose content is not text for readers. */
export const NON_TEXT_ELEMENTS = ['script', 'style', 'textarea', 'option', 'noscript', 'template', 'iframe'] as const;

/**
 * Returns the elements in some HTML whose content is not text for readers. The title of a document is one of them; a title that does not end is
 * shown, since nothing else would be.
 */
export function nonTextElements(html: string): string[] {
  return /<\/title\s*>/i.test(html) ? [...NON_TEXT_ELEMENTS, 'title'] : [...NON_TEXT_ELEMENTS];
}

/**
 * Parses HTML and calls `handler` for its parts. Returns false if the HTML is nested too deeply; `handler` was then called for the parts
 * before that position.
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
    parser.end(html);
    return true;
  } catch (error) {
    if (error !== TOO_DEEP) throw error;
    return false;
  }
}

/** Returns whether HTML is nested too deeply to be parsed. */
export function isTooDeeplyNested(html: string): boolean {
  return hasMoreThan(html, '<', MAX_MARKUP_DEPTH) && !parseMarkup(html, {});
}

/** Elements of text that records contain, and escapes of characters. Other words between `<` and `>` are text. */
const TEXT_MARKUP =
  /<\/?(?:a|abbr|b|blockquote|br|cite|code|dd|div|dl|dt|em|font|h[1-6]|hr|i|li|ol|p|pre|q|s|small|span|strong|sub|sup|table|tbody|td|th|thead|tr|tt|u|ul)(?:\s[^<>]*)?\/?>|&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});/i;

/** Returns whether text is HTML: whether it has an element of text, or an escape such as `&amp;`. */
export function hasTextMarkup(text: string): boolean {
  return /[<&]/.test(text) && TEXT_MARKUP.test(text);
}

/** Returns text with the characters escaped that are special in HTML, also in attributes with double quotes. */
export function escapeHtml(text: string): string {
  if (!/[&<>"]/.test(text)) return text;
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}

/** Returns text without anything that looks like a tag. The result is not HTML: it may contain what looks like a new tag. */
export function stripTags(html: string): string {
  return html.replace(/<[^<>]*>/g, ' ');
}

/** Returns whether `text` contains `sign` more than `limit` times. */
export function hasMoreThan(text: string, character: string, limit: number): boolean {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) if (++count > limit) return true;
  return false;
}
