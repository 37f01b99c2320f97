/**
 * Makes the full-text index of a ZIM file, which the readers' own search uses. Its form is that of the library Xapian, so
 * zimwriterfs makes it: it gets the text of the pages and writes a temporary ZIM file, from which the indexes are taken.
 */
import { createHash, hash } from 'node:crypto';
import { createReadStream, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { HOME_PATH } from '../../catalogue/urls.ts';
import { UserError } from '../../model/errors.ts';
import { escapeHtml } from '../../model/text/markup.ts';
import { findProgram } from '../../platform/find-program.ts';
import { toPrintable } from '../../platform/text-lines.ts';
import type { PackagedPage } from '../packaged-pages.ts';
import { quotablePart } from '../page-text.ts';
import { openZim, type ZimBlob } from './read-zim.ts';

/** Media type of an index. */
export const XAPIAN_TYPE = 'application/octet-stream+xapian';
/** Paths of the indexes in the namespace X: of texts, and of titles. */
const INDEX_PATHS = ['fulltext/xapian', 'title/xapian'];
/** Start of a database of Xapian. Its UUID, which is random, follows the version. */
const XAPIAN_MAGIC = Buffer.from('\x0f\x0dXapian Glass', 'latin1');
const UUID_AT = 16;
const UUID_BYTES = 16;

/** An index for the namespace X. */
export type XapianIndex = Awaited<ReturnType<typeof toIndex>>;

/**
 * Creates an indexer with its files in `workDirectory`.
 * @throws {UserError} if zimwriterfs is not installed.
 */
export function createFullTextIndexer(workDirectory: string) {
  const program = findProgram('zimwriterfs');
  if (program === undefined)
    throw new UserError(
      'zimwriterfs is not installed, and --fulltext needs it. Install the package zim-tools (Debian, Ubuntu), or leave out --fulltext.',
    );
  const pages = join(workDirectory, 'pages');
  const scratch = join(workDirectory, 'full-text.zim');
  const directories = new Set<string>();
  return {
    /** Adds a page with only its title and own text: menus and what content warnings cover are not searched. */
    addPage(path: string, { html, title, language }: PackagedPage) {
      const file = join(pages, path);
      if (!directories.has(dirname(file))) mkdirSync(dirname(file), { recursive: true });
      directories.add(dirname(file));
      const head = `<head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>`;
      writeFileSync(file, `<!DOCTYPE html><html lang="${escapeHtml(language)}">${head}<body>${quotablePart(html)}</body></html>`);
    },
    /**
     * Returns the indexes. `language` is an ISO 639-3 code.
     * @throws {UserError} if zimwriterfs fails.
     */
    async finish(language: string, illustration: Uint8Array) {
      writeFileSync(join(pages, ILLUSTRATION), illustration);
      // With several threads, the order of the pages in the index is random.
      const args = ['--threads', '1', '--welcome', HOME_PATH, '--illustration', ILLUSTRATION, '--language', language];
      const metadata = ['title', 'description', 'creator', 'publisher'].flatMap((name) => [`--${name}`, '-']);
      const { exitCode, stderr, stdout } = await execa(program, [...args, ...metadata, pages, scratch], {
        env: { LC_ALL: 'C.UTF-8' },
        stdin: 'ignore',
        maxBuffer: 1_000_000,
        reject: false,
      });
      const found = exitCode === 0 ? findIndexes(scratch) : [];
      if (found.length < INDEX_PATHS.length)
        throw new UserError(
          `zimwriterfs could not make the full-text index: ${toPrintable(`${stderr}\n${stdout}`.trim().split('\n').at(-1) ?? '')}. Leave out --fulltext, or install another version of zim-tools.`,
        );
      return Promise.all(found.map(({ path, position }) => toIndex(scratch, path, position)));
    },
  };
}

const ILLUSTRATION = 'illustration.png';

function findIndexes(file: string): Array<{ path: string; position: ZimBlob }> {
  using zim = openZim(file);
  return INDEX_PATHS.flatMap((path) => {
    const position = zim?.find('X', path);
    return position ? [{ path, position }] : [];
  });
}

async function toIndex(file: string, path: string, { position, size }: ZimBlob) {
  // The UUID depends on the rest of the index, so that the same pages give the same bytes.
  const read = (uuid: Uint8Array) => readIndex(file, position, size, uuid);
  const content = createHash('sha256');
  for await (const chunk of read(Buffer.alloc(UUID_BYTES))) content.update(chunk);
  const sha256 = content.digest('hex');
  const uuid = hash('sha256', sha256, 'buffer').subarray(0, UUID_BYTES);
  return { path, sha256, blob: { size, read: () => read(uuid) } };
}

async function* readIndex(file: string, position: number, size: number, uuid: Uint8Array): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const chunk of createReadStream(file, { start: position, end: position + size - 1 })) {
    const bytes = chunk as Buffer;
    if (isFirst && bytes.subarray(0, XAPIAN_MAGIC.length).equals(XAPIAN_MAGIC)) bytes.set(uuid, UUID_AT);
    isFirst = false;
    yield bytes;
  }
}
