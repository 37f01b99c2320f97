/**
 * Creates the files in the root of a USB drive: a page to open with a double click, and a text that says what this is. If each
 * of several archives is in a directory of its own there, a page beside these directories lists them.
 */
import { readdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { langAttributes } from '../../formats/direction.ts';
import { escapeHtml } from '../../model/text/markup.ts';
import { toPlainText } from '../../model/text/text.ts';
import { isRegularFile } from '../../platform/directory-entries.ts';
import { type SafeDirectory, toSafeDirectory } from '../../platform/safe-directory.ts';
import { contentSecurityPolicy } from '../../site/csp.ts';
import { createLocales, LANGUAGES } from '../../site/language/locale.ts';
import { MANIFEST_FILE, readText } from '../manifest.ts';
import { SOURCE_FILE } from '../program-source.ts';
import { SIGNED_KINDS, signatureCommand, signatureFileOf } from '../signed-kinds.ts';
import { README_FILE, SITE_DIRECTORY, START_FILE } from '../usb-names.ts';
import { writeAtomically } from './copied-files.ts';

const START_PAGE_CSS =
  'body { font: 1.25rem/1.6 Georgia, serif; max-width: 36rem; margin: 15vh auto; padding: 0 1rem; color-scheme: light dark }';

/** In each list of archives that Microfiche wrote. */
const ARCHIVE_LIST_MARKER = '<title>Microfiche</title>';

const locales = () => createLocales(LANGUAGES);

/** Returns a page that redirects to the home page at `homePath`, with a link in each language. */
export function renderStartPage(title: string, homePath: string): string {
  const links = locales().map(
    ({ language, t }) =>
      `<p ${langAttributes(language)}><a href="${escapeHtml(homePath)}">${escapeHtml(t.usb.open(title))}</a></p>`,
  );
  const redirect = `<meta http-equiv="refresh" content="0; url=${escapeHtml(homePath)}">`;
  return renderPage([redirect, `<title>${escapeHtml(title)}</title>`], [`<h1>${escapeHtml(title)}</h1>`, ...links]);
}

/** Returns a page that lists the archives on a drive, each by its title and the path of its home page. */
function renderArchiveList(archives: ReadonlyArray<readonly [title: string, homePath: string]>): string {
  const headings = locales().map(({ language, t }) => `<span lang="${language}">${escapeHtml(t.usb.archives)}</span>`);
  const links = archives.map(([title, path]) => `<li><a href="${escapeHtml(path)}">${escapeHtml(title)}</a></li>`);
  return renderPage([ARCHIVE_LIST_MARKER], [`<h1>${headings.join(' · ')}</h1>`, '<ul>', ...links, '</ul>']);
}

function renderPage(head: readonly string[], body: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy({ style: START_PAGE_CSS })}">
<meta name="viewport" content="width=device-width, initial-scale=1">
${head.join('\n')}
<style>${START_PAGE_CSS}</style>
</head>
<body>
${body.join('\n')}
</body>
</html>
`;
}

/**
 * Returns the text of the README in all languages. `signed` says what has been signed, and `hasSource` that the source of this
 * program is on the drive. Lines end with CRLF, for old editors on Windows.
 */
function renderReadme(title: string, signed: 'drive' | 'site' | undefined, hasSource: boolean): string {
  const sections = locales().map(({ t }) =>
    [
      t.usb.open(title),
      '',
      t.usb.how(START_FILE),
      t.usb.check(SIGNED_KINDS.drive.signedFile, `${SITE_DIRECTORY}/${MANIFEST_FILE}`),
      ...(signed === undefined ? [] : [t.usb.signature(SIGNED_KINDS[signed].signedFile, signatureCommand(signed))]),
      ...(hasSource ? [t.usb.source(SOURCE_FILE)] : []),
      '',
    ].join('\n'),
  );
  return `${title}\n${'='.repeat(Math.min(60, title.length))}\n\n${sections.join('\n')}`.replaceAll('\n', '\r\n');
}

/** Returns the title of the home page of a site, or the empty string. */
function readSiteTitle(site: SafeDirectory): string {
  return toPlainText(/<title>([^<]*)<\/title>/.exec(readText(site.root, 'index.html') ?? '')?.[1]);
}

/** A file in the root of a drive. `marker` is a text in each file of this name that Microfiche wrote. */
export type RootFile = Record<'name' | 'content' | 'marker', string>;

/** Returns the files that `usb` writes into the root of a drive with this site. `signsDrive`: the drive is being signed. */
export function createRootFiles(site: SafeDirectory, drive: SafeDirectory, signsDrive = false): RootFile[] {
  const title = readSiteTitle(site);
  const homePath = `${SITE_DIRECTORY}/index.html`;
  const isSiteSigned = isRegularFile(drive, `${SITE_DIRECTORY}/${signatureFileOf('site')}`);
  const signed = signsDrive ? 'drive' : isSiteSigned ? 'site' : undefined;
  return [
    { name: START_FILE, content: renderStartPage(title, homePath), marker: homePath },
    { name: README_FILE, content: renderReadme(title, signed, isRegularFile(drive, SOURCE_FILE)), marker: START_FILE },
  ];
}

/** Codes of errors of directories that may not be read or written. */
const PERMISSION_ERRORS: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS']);

/**
 * Lists the copy in the directory `root` and those in its neighbors on the same drive, on a page in their parent directory.
 * Returns the page's path; undefined if there is no other copy, if the parent may not be written, or if it has a start page that
 * Microfiche did not write.
 */
export function writeArchiveList(root: string): string | undefined {
  const parent = toSafeDirectory(dirname(root));
  if (parent.root === root || statSync(parent.root).dev !== statSync(root).dev) return undefined;
  try {
    const copies = readdirSync(parent.root).flatMap((name) => {
      const site = `${name}/${SITE_DIRECTORY}`;
      if (!isRegularFile(parent, `${site}/${MANIFEST_FILE}`)) return [];
      const title = readSiteTitle(toSafeDirectory(parent.resolve(site))) || name;
      return [[title, `${encodeURIComponent(name)}/${SITE_DIRECTORY}/index.html`] as const];
    });
    const written = readText(parent.root, START_FILE);
    if (copies.length < 2 || (written !== undefined && !written.includes(ARCHIVE_LIST_MARKER))) return undefined;
    writeAtomically(parent, START_FILE, renderArchiveList(copies.sort()));
  } catch (error) {
    if (PERMISSION_ERRORS.has(String((error as NodeJS.ErrnoException).code))) return undefined;
    throw error;
  }
  return parent.resolve(START_FILE);
}
