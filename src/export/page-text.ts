/** Reads the text of a page of the site, for the search of programs that open packages. */
import { Parser } from 'htmlparser2';
import { NON_TEXT_ELEMENTS, parseMarkup } from '../model/text/markup.ts';
import { BLOCK_ELEMENTS, cleanTitle } from '../model/text/text.ts';
import { type Replacement, replaceRanges } from '../publish/replace-ranges.ts';

/** Elements whose text is not that of the page: menus, and what scripts act on. */
const SKIPPED: ReadonlySet<string> = new Set([...NON_TEXT_ELEMENTS, 'nav', 'button', 'svg']);
/** Repeats the record in the forms of other programs. */
const CITATIONS = 'citations';

/** What a content warning covers. */
const COVERED = 'covered';

/** Returns the main part of a page; empty if there is none. */
function mainPart(html: string): string {
  const [start, end] = [html.indexOf('<main'), html.lastIndexOf('</main>')];
  return start < 0 || end < start ? '' : html.slice(start, end + '</main>'.length);
}

/** Returns a page's main part, for an index that others quote: without what content warnings cover; empty if it has none. */
export function quotablePart(html: string): string {
  const main = mainPart(html);
  const covered: Replacement[] = [];
  let depth = 0;
  let from = 0;
  const parser = new Parser({
    onopentag(name, { class: classes }) {
      if (depth > 0) depth += Number(name === 'div');
      else if (name === 'div' && classes === COVERED) [from, depth] = [parser.startIndex, 1];
    },
    onclosetag(name) {
      if (depth > 0 && name === 'div' && --depth === 0) covered.push({ from, to: parser.endIndex + 1, html: '' });
    },
  });
  parser.end(main);
  return replaceRanges(main, covered);
}

/** Returns the text of the main part of a page, on one line, without what content warnings cover. */
export function textOfPage(html: string): string {
  const texts: string[] = [];
  let skippedName = '';
  let depth = 0;
  parseMarkup(mainPart(html), {
    onopentag(name, { class: classes = '' }) {
      if (depth > 0) depth += Number(name === skippedName);
      else if (SKIPPED.has(name) || classes === CITATIONS || classes === COVERED) [skippedName, depth] = [name, 1];
      if (BLOCK_ELEMENTS.has(name)) texts.push(' ');
    },
    ontext(text) {
      if (depth === 0) texts.push(text);
    },
    onclosetag(name) {
      if (depth > 0 && name === skippedName) depth--;
      if (BLOCK_ELEMENTS.has(name)) texts.push(' ');
    },
  });
  return cleanTitle(texts.join(''));
}
