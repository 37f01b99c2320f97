/** The one way in which HTML from others is parsed: markup nested too deeply is refused before it costs time. */
import { type Handler, Parser } from 'htmlparser2';
import { DEEPEST_MARKUP } from './limits.ts';

const TOO_DEEP = Symbol('too deep');

/** Hands the parts of an HTML text to `handler`. False where it is nested too deeply: then the parts before that place were handed on. */
export function parseMarkup(html: string, handler: Partial<Handler>): boolean {
  let depth = 0;
  const parser = new Parser({
    ...handler,
    onopentag(...tag) {
      // The parser looks for an element's end among all that are open: its time grows with their number.
      if (++depth > DEEPEST_MARKUP) throw TOO_DEEP;
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

/** Whether an HTML text is nested too deeply to be parsed. */
export function isTooDeep(html: string): boolean {
  return hasMany(html, '<', DEEPEST_MARKUP) && !parseMarkup(html, {});
}

/** What is left of a text without anything that looks like a tag. It is text and not HTML: what is left may look like a tag again. */
export function withoutTags(html: string): string {
  return html.replace(/<[^<>]*>/g, ' ');
}

/** Whether a text has a sign more often than `most` times. */
export function hasMany(text: string, sign: string, most: number): boolean {
  let found = 0;
  for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1)) if (++found > most) return true;
  return false;
}
