/** Cuts elements out of HTML: those that a browser does not show, or any others. */
import { escapeUnknownTags, parseMarkup } from './markup.ts';

/** An element of HTML. */
export interface HtmlElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  /** Its text, with all white space. */
  text: string;
}

/** Styles with which an element is not shown. */
const HIDING_STYLE = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b/i;
/** What every hidden element has somewhere in its tag. */
const MAY_HIDE = /\bhidden\b|display\s*:/i;

/** Returns upstream's HTML without the elements that a browser does not show. `aria-hidden` hides from screen readers only. */
export function cutHidden(html: string): string {
  if (!MAY_HIDE.test(html)) return html;
  return cutElements(html, ({ attributes: { style = '', hidden } }) => hidden !== undefined || HIDING_STYLE.test(style)).rest;
}

/** Cuts out the elements that `isCut` selects, with their content, and returns them too. Keeps HTML that is nested too deeply. */
export function cutElements(untrusted: string, isCut: (element: HtmlElement) => boolean) {
  const html = escapeUnknownTags(untrusted); // positions of elements are those in it
  let parser: { startIndex: number; endIndex: number } = { startIndex: 0, endIndex: 0 };
  let text = '';
  const open: Array<{ start: number; textStart: number; attributes: HtmlElement['attributes'] }> = [];
  const ranges: Array<{ start: number; end: number; attributes: HtmlElement['attributes'] }> = [];
  const isComplete = parseMarkup(html, {
    onparserinit: (created) => (parser = created),
    onopentag: (_, attributes) => open.push({ start: parser.startIndex, textStart: text.length, attributes }),
    ontext: (chunk) => (text += chunk),
    onclosetag: (name, isImplied) => {
      const element = open.pop();
      if (!element || !isCut({ name, attributes: element.attributes, text: text.slice(element.textStart) })) return;
      const { start, attributes } = element;
      while ((ranges.at(-1)?.start ?? -1) >= start) ranges.pop();
      // An element without an end tag ends before the tag that implies its end, or with the text.
      const isOpenEnded = isImplied && parser.startIndex !== start;
      const next = html[parser.startIndex] === '<' ? parser.startIndex : html.length;
      ranges.push({ start, end: isOpenEnded ? next : parser.endIndex + 1, attributes });
    },
  });
  if (!isComplete) return { rest: html, cut: [] };
  let rest = '';
  let at = 0;
  for (const { start, end } of ranges) {
    rest += html.slice(at, start);
    at = end;
  }
  return {
    rest: rest + html.slice(at),
    cut: ranges.map(({ start, end, attributes }) => ({ attributes, html: html.slice(start, end) })),
  };
}
