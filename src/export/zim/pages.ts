/** Rewrites the pages of a site for a ZIM file, and reads their titles. */
import { Parser } from 'htmlparser2';
import { cleanTitle } from '../../model/text.ts';
import { type Replacement, replaceRanges } from '../../publish/replace-ranges.ts';

/** A page for a ZIM file. */
export interface ZimPage {
  html: string;
  /** The title without that of the archive. */
  title: string;
  /** Text of the description; empty if it has none. */
  description: string;
  /** Title of the archive. */
  siteTitle: string;
  /** The page's language as a BCP 47 tag. */
  language: string;
}

/** The attribute of <html> by which scripts know that the site is in a package (src/client/protocol.ts). */
const PACKAGE_ATTRIBUTE = ' data-package="zim"';
/** The script and the section of the about page that save the site in a browser. */
const SAVING_SCRIPT = 'assets/keep.js';
const SAVING_SECTION = 'keep';
/** Links of <head> to files that a ZIM file does not contain. */
const LEFT_OUT_LINKS = /^application\/(?:atom|opensearchdescription)\+xml$/;

/** Returns a page as a ZIM file has it. */
export function toZimPage(source: string): ZimPage {
  const page = { title: '', description: '', siteTitle: '', language: '' };
  const replacements: Replacement[] = [];
  const hasSaving = source.includes(SAVING_SCRIPT);
  /** The element that is being removed, and how many of its name are open in it. */
  let removed: { name: string; from: number; depth: number } | undefined;
  const parser = new Parser({
    onopentag(name, attributes) {
      const from = parser.startIndex;
      if (removed) removed.depth += Number(removed.name === name);
      else if (isSaving(name, attributes)) removed = { name, from, depth: 1 };
      else if (name === 'html') {
        page.language = attributes['lang'] ?? '';
        replacements.push({ from: from + '<html'.length, to: from + '<html'.length, html: PACKAGE_ATTRIBUTE });
      } else if (name === 'meta') readMeta(attributes, page);
      else if (name === 'link' && LEFT_OUT_LINKS.test(attributes['type'] ?? ''))
        replacements.push({ from, to: parser.endIndex + 1, html: '' });
    },
    onclosetag(name) {
      if (name === 'head' && !hasSaving) parser.pause(); // nothing else changes
      if (removed?.name !== name || --removed.depth > 0) return;
      replacements.push({ from: removed.from, to: parser.endIndex + 1, html: '' });
      removed = undefined;
    },
  });
  parser.write(source);
  return { html: replaceRanges(source, replacements), ...page };
}

function isSaving(name: string, attributes: Readonly<Record<string, string>>): boolean {
  return name === 'script'
    ? (attributes['src'] ?? '').endsWith(SAVING_SCRIPT)
    : name === 'section' && attributes['id'] === SAVING_SECTION;
}

function readMeta(attributes: Readonly<Record<string, string>>, page: Omit<ZimPage, 'html'>): void {
  const content = cleanTitle(attributes['content'] ?? '');
  if (attributes['property'] === 'og:title') page.title = content;
  if (attributes['property'] === 'og:site_name') page.siteTitle = content;
  if (attributes['name'] === 'description') page.description = content;
}
