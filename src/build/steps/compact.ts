/** Turns the files of a site into those of a compact build, with pages and thumbnails in packs (src/publish/compact-pages.ts). */
import { hash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isPackedPage, isPackedThumbnail, VIEWER_PAGE } from '../../formats/compact-names.ts';
import { langAttributes } from '../../formats/direction.ts';
import { escapeHtml } from '../../model/text/markup.ts';
import { takeCacheNote, writeCacheNote } from '../../platform/cache-note.ts';
import { shortHash } from '../../platform/short-hash.ts';
import { compactPage } from '../../publish/compact-pages.ts';
import type { SiteFile } from '../../publish/files/compare-files.ts';
import { stampOf } from '../../publish/files/site-state.ts';
import { fileOfPack, type SizedEntry, writePack, writePacks } from '../../publish/packs/pack-writer.ts';
import { contentSecurityPolicy } from '../../site/csp.ts';
import { createLocales, LANGUAGES } from '../../site/language/locale.ts';
import { COMPACT_CONTENT_SUFFIX } from '../cache/build-caches.ts';
import { hashOfProgram } from '../cache/program-cache.ts';

/** Approximate size of a pack of pages before compression. A browser reads one pack to show a page. */
const PAGE_PACK_BYTES = 4 * 1024 * 1024;
/** Approximate size of a pack of thumbnails. They cannot be compressed further. */
const THUMB_PACK_BYTES = 1024 * 1024;

/** From what the files of a compact build were made. */
interface Content {
  /** A hash of what is in each pack, and the size of its file in bytes, by its path. */
  packs: Record<string, [content: string, size: number]>;
  /** The version of each page, and its size in bytes after it was rewritten. */
  pages: Record<string, [version: string, length: number]>;
}

/** A file of a site that has a file on the disk. */
type Source = SiteFile & { file: string };

/** The files of a compact build that are made from others. Those that would be the same as in the last build are kept. */
interface CompactBuild {
  directory: string;
  last: Content;
  now: Content;
}

/**
 * Returns the files of the compact build. Those that it has instead of others are in `directory`; only those that changed since
 * the last build are made again.
 */
export function createCompactSite(files: readonly SiteFile[], directory: string): SiteFile[] {
  const [program, note] = [hashOfProgram(), `${directory}${COMPACT_CONTENT_SUFFIX}`];
  const last = takeCacheNote<Content>(note, program);
  const work: CompactBuild = { directory, last: last ?? { packs: {}, pages: {} }, now: { packs: {}, pages: {} } };
  if (!last) rmSync(directory, { recursive: true, force: true });
  const sources = (files as readonly Source[]).toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const kept = sources.filter(({ path }) => !isPackedThumbnail(path) && !path.endsWith('.html'));
  const made = [
    ...updatePacks(work, 'pages', PAGE_PACK_BYTES, listPageEntries(sources, work)),
    ...updatePacks(work, 'thumbs', THUMB_PACK_BYTES, listThumbnailEntries(sources)),
    ...updateEntryPages(sources, work),
  ];
  writeFileTo(work, VIEWER_PAGE, Buffer.from(renderViewer()));
  writeCacheNote(note, program, work.now);
  return [...kept, ...[...made, VIEWER_PAGE].map((path) => ({ path, file: join(directory, path), canLink: true }))];
}

/** An entry of a pack with what decides on its data. */
interface VersionedEntry extends SizedEntry {
  version: string;
  read(): Uint8Array;
}

/** Yields the pages in packs. One that did not change is read only if its pack is written. */
function* listPageEntries(sources: readonly Source[], { last, now }: CompactBuild): Generator<VersionedEntry> {
  for (const source of sources) {
    const { path } = source;
    if (!isPackedPage(path)) continue;
    const version = versionOf(source);
    const before = last.pages[path];
    const data = before?.[0] === version ? undefined : readPage(source);
    const length = data?.length ?? (before?.[1] as number);
    now.pages[path] = [version, length];
    yield { name: path, version, length, read: () => data ?? readPage(source) };
  }
}

function* listThumbnailEntries(sources: readonly Source[]): Generator<VersionedEntry> {
  for (const source of sources) {
    const { path, file } = source;
    if (isPackedThumbnail(path))
      yield { name: path, version: versionOf(source), length: statSync(file).size, read: () => readFileSync(file) };
  }
}

/** Returns what differs if the content of a file may. */
const versionOf = ({ file, sha256 }: Source): string => shortHash(sha256 ?? `${file} ${stampOf(statSync(file))}`);

const readPage = ({ path, file }: Source): Buffer => Buffer.from(compactPage(readFileSync(file, 'utf8'), path));

/** Writes the packs that changed, and returns the paths of all. */
function updatePacks({ directory, last, now }: CompactBuild, name: string, size: number, entries: Iterable<VersionedEntry>) {
  const out = join(directory, name);
  mkdirSync(out, { recursive: true });
  const files = writePacks(out, entries, size, (pack, own) => {
    const path = `${name}/${pack}`;
    const file = join(out, fileOfPack(pack));
    const content = hash('sha256', own.map((entry) => `${entry.name} ${entry.version}`).join('\n'));
    const [before, written] = last.packs[path] ?? [];
    const read = () => own.map((entry) => ({ name: entry.name, data: entry.read() }));
    if (before !== content || sizeOf(file) !== written) writePack(out, pack, read());
    now.packs[path] = [content, sizeOf(file) as number];
  });
  const current = new Set(files);
  for (const file of readdirSync(out)) if (!current.has(file)) rmSync(join(out, file));
  return files.map((file) => `${name}/${file}`);
}

/** Writes the pages that are not in packs, if they changed. Returns their paths. */
function updateEntryPages(sources: readonly Source[], work: CompactBuild): string[] {
  const pages = sources.filter(({ path }) => path.endsWith('.html') && !isPackedPage(path));
  for (const source of pages) {
    const { path } = source;
    const version = versionOf(source);
    const [before, size] = work.last.pages[path] ?? [];
    const file = join(work.directory, path);
    if (before !== version || sizeOf(file) !== size) writeFileTo(work, path, readPage(source));
    work.now.pages[path] = [version, sizeOf(file) as number];
  }
  return pages.map(({ path }) => path);
}

/** Returns the size of a file; undefined if there is none. After a power failure, it may be shorter than it was written. */
const sizeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.size;

/** Writes a file. The site may have a link to the one that it replaces. */
function writeFileTo({ directory }: CompactBuild, path: string, content: Uint8Array): void {
  const file = join(directory, path);
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  writeFileSync(file, content);
}

function renderViewer(): string {
  const messages = createLocales(LANGUAGES).map(
    ({ language, t }) => `<p ${langAttributes(language)}>${escapeHtml(t.compact.needsScript)}</p>`,
  );
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy()}"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Microfiche</title><link rel="icon" href="assets/icon.svg" type="image/svg+xml"><link rel="stylesheet" href="assets/site.css"><link rel="stylesheet" href="assets/print.css" media="print"><script src="assets/packed-page.js"></script></head><body><main><noscript>${messages.join('')}</noscript></main></body></html>\n`;
}
