/** Says which files of a site belong in a package of it, such as a ZIM file; rewrites its pages for it, and reads titles. */
import { Parser } from 'htmlparser2';
import { cleanTitle } from '../model/text/text.ts';
import { type Replacement, replaceRanges } from '../publish/replace-ranges.ts';

/** A page for a package. */
export type PackagedPage = ReturnType<typeof toPackagedPage>;

/** Files of a site for browsers, hosts and programs, not for a package's readers: above all, no service worker may be in it. */
const LEFT_OUT =
  /^(?:_headers|sw\.js|offline\.json|app\.webmanifest|microfiche\.json|withholding\.json|robots\.txt|feed\.xml|opensearch\.xml|sitemap[^/]*\.xml|assets\/(?:save-for-offline\.js|icon-\d+\.png)|(?:[a-z]{2}\/)?404\.html)$/;
/** Is compressed in a package. All other files are compressed already, or are read in parts. */
const TEXT_FILE = /\.(?:html|css|js|json|svg|txt|vtt|srt|xml)$/;
/** Larger text is not compressed, because it would have to be in memory. */
const MAX_TEXT_BYTES = 16 * 1024 * 1024;
/** The home page in each language. */
const HOME_PAGE = /^(?:[a-z]{2}\/)?index\.html$/;
/** The script and the section of the about page that save the site in a browser. */
const SAVING_SCRIPT = 'assets/save-for-offline.js';
const SAVING_SECTION = 'keep';
/** Links of <head> to files that a package does not contain. */
const LEFT_OUT_LINKS = /^application\/(?:atom|opensearchdescription)\+xml$/;

/** Returns whether a file of the site belongs in a package. */
export const isPackagedFile = (path: string): boolean => !LEFT_OUT.test(path);

/** Returns whether a file is text of any size. */
export const isTextFile = (path: string): boolean => TEXT_FILE.test(path);

/** Returns whether a file is compressed in a package, and so is read as a whole. */
export function isCompressible({ path, size }: { path: string; size: number }): boolean {
  return TEXT_FILE.test(path) && size <= MAX_TEXT_BYTES;
}

/** Returns whether a file is the home page, in any language. */
export const isHomePage = (path: string): boolean => HOME_PAGE.test(path);

/** Returns a page as in a package: by an attribute of <html>, scripts know where they are (src/reader/browser/protocol.ts). */
export function toPackagedPage(source: string, format: 'zim' | 'wacz') {
  const page = {
    /** The title without that of the archive. */
    title: '',
    /** Text of the description; empty if it has none. */
    description: '',
    siteTitle: '',
    /** The page's language as a BCP 47 tag. */
    language: '',
  };
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
        replacements.push({ from: from + '<html'.length, to: from + '<html'.length, html: ` data-package="${format}"` });
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

function readMeta(
  attributes: Readonly<Record<string, string>>,
  page: { title: string; description: string; siteTitle: string },
): void {
  const content = cleanTitle(attributes['content'] ?? '');
  if (attributes['property'] === 'og:title') page.title = content;
  if (attributes['property'] === 'og:site_name') page.siteTitle = content;
  if (attributes['name'] === 'description') page.description = content;
}
