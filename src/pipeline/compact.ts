/** Makes a compact site of a whole one: see src/publish/compact.ts. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isPackedPage, isPackedThumb, VIEWER } from '../client/compact-names.ts';
import { compactPage } from '../publish/compact.ts';
import { type Member, writeRanges } from '../publish/packs/writer.ts';
import { contentSecurityPolicy } from '../site/csp.ts';
import { createEditions, LANGUAGES } from '../site/language/edition.ts';
import { escapeHtml } from '../site/sanitize.ts';
import { filesBelow } from '../snapshot/files.ts';

/** What a pack of pages holds before compression, about; bytes. One of them is read for a page. */
const PAGES = 4 * 1024 * 1024;
/** The same of thumbnails, which nothing makes smaller. */
const THUMBS = 1024 * 1024;

/** The sources (path below dist → file on disk) of the compact site; what is new stands in the folder `work`. */
export function compact(sources: ReadonlyMap<string, string>, work: string): Map<string, string> {
  rmSync(work, { recursive: true, force: true });
  const paths = [...sources.keys()].sort();
  const read = (path: string) => readFileSync(sources.get(path) as string);
  const page = (path: string) => Buffer.from(compactPage(read(path).toString(), path));
  const out = new Map(sources);

  packInto(join(work, 'pages'), members(paths.filter(isPackedPage), page), PAGES);
  packInto(join(work, 'thumbs'), members(paths.filter(isPackedThumb), read), THUMBS);
  for (const path of paths) {
    if (isPackedPage(path) || isPackedThumb(path)) out.delete(path);
    else if (path.endsWith('.html')) put(work, path, page(path));
  }
  put(work, VIEWER, Buffer.from(viewer()));
  for (const [path, file] of filesBelow(work)) out.set(path, file);
  return out;
}

function packInto(folder: string, all: Iterable<Member>, size: number): void {
  mkdirSync(folder, { recursive: true });
  writeRanges(folder, all, size);
}

function* members(names: string[], dataOf: (name: string) => Uint8Array): Generator<Member> {
  for (const name of names) yield { name, data: dataOf(name) };
}

function put(work: string, path: string, content: Uint8Array): void {
  const file = join(work, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

function viewer(): string {
  const words = createEditions(LANGUAGES).map(
    ({ language, t }) => `<p lang="${language}">${escapeHtml(t.compact.needsScript)}</p>`,
  );
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy()}"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Microfiche</title><link rel="icon" href="assets/icon.svg" type="image/svg+xml"><link rel="stylesheet" href="assets/site.css"><script src="assets/pages.js"></script></head><body><main><noscript>${words.join('')}</noscript></main></body></html>\n`;
}
