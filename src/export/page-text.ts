/** Reads the text of a page of the site, for the search of programs that open packages. */
import { NON_TEXT_ELEMENTS, parseMarkup } from '../model/markup.ts';
import { BLOCK_ELEMENTS, cleanTitle } from '../model/text.ts';

/** Elements whose text is not that of the page: menus, and what scripts act on. */
const SKIPPED: ReadonlySet<string> = new Set([...NON_TEXT_ELEMENTS, 'nav', 'button', 'svg']);
/** Repeats the record in the forms of other programs. */
const CITATIONS = 'citations';

/** Returns the text of the main part of a page, on one line. */
export function textOfPage(html: string): string {
  const [start, end] = [html.indexOf('<main'), html.lastIndexOf('</main>')];
  if (start < 0 || end < start) return '';
  const texts: string[] = [];
  let skippedName = '';
  let depth = 0;
  parseMarkup(html.slice(start, end), {
    onopentag(name, { class: classes = '' }) {
      if (depth > 0) depth += Number(name === skippedName);
      else if (SKIPPED.has(name) || classes === CITATIONS) [skippedName, depth] = [name, 1];
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
