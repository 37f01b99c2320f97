/** Turns the files of a site into those of a compact build, with pages and thumbnails in packs (src/publish/compact-pages.ts). */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isPackedPage, isPackedThumbnail, VIEWER_PAGE } from '../client/compact-names.ts';
import { escapeHtml } from '../model/markup.ts';
import { compactPage } from '../publish/compact-pages.ts';
import { type PackEntry, writePacks } from '../publish/packs/pack-writer.ts';
import { contentSecurityPolicy } from '../site/csp.ts';
import { createLocales, LANGUAGES } from '../site/language/locale.ts';
import { listFiles } from '../snapshot/directory-files.ts';

/** Approximate size of a pack of pages before compression. A browser reads one pack to show a page. */
const PAGE_PACK_BYTES = 4 * 1024 * 1024;
/** Approximate size of a pack of thumbnails. They cannot be compressed further. */
const THUMB_PACK_BYTES = 1024 * 1024;

/** Returns the files of the compact build (path in the site → file on disk). New files are written to `workDirectory`. */
export function createCompactSite(sources: ReadonlyMap<string, string>, workDirectory: string): Map<string, string> {
  rmSync(workDirectory, { recursive: true, force: true });
  const paths = [...sources.keys()].sort();
  const read = (path: string) => readFileSync(sources.get(path) as string);
  const page = (path: string) => Buffer.from(compactPage(read(path).toString(), path));
  const out = new Map(sources);

  writePackSet(join(workDirectory, 'pages'), packEntries(paths.filter(isPackedPage), page), PAGE_PACK_BYTES);
  writePackSet(join(workDirectory, 'thumbs'), packEntries(paths.filter(isPackedThumbnail), read), THUMB_PACK_BYTES);
  for (const path of paths) {
    if (isPackedPage(path) || isPackedThumbnail(path)) out.delete(path);
    else if (path.endsWith('.html')) writeFileTo(workDirectory, path, page(path));
  }
  writeFileTo(workDirectory, VIEWER_PAGE, Buffer.from(renderViewer()));
  for (const [path, file] of listFiles(workDirectory)) out.set(path, file);
  return out;
}

function writePackSet(directory: string, entries: Iterable<PackEntry>, targetBytes: number): void {
  mkdirSync(directory, { recursive: true });
  writePacks(directory, entries, targetBytes);
}

function* packEntries(names: string[], dataOf: (name: string) => Uint8Array): Generator<PackEntry> {
  for (const name of names) yield { name, data: dataOf(name) };
}

function writeFileTo(work: string, path: string, content: Uint8Array): void {
  const file = join(work, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

function renderViewer(): string {
  const messages = createLocales(LANGUAGES).map(
    ({ language, t }) => `<p lang="${language}">${escapeHtml(t.compact.needsScript)}</p>`,
  );
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy()}"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Microfiche</title><link rel="icon" href="assets/icon.svg" type="image/svg+xml"><link rel="stylesheet" href="assets/site.css"><script src="assets/pages.js"></script></head><body><main><noscript>${messages.join('')}</noscript></main></body></html>\n`;
}
