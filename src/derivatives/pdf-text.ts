/** The words of a PDF as plain text, for reading beside a recording and for search. */
import { writeFile } from 'node:fs/promises';
import type { Cache } from './cache.ts';
import type { ShownFile } from './shown-files.ts';
import { outputOf } from './tools.ts';

/** Bytes of text at most. */
const MOST = 20_000_000;
const HOW = ['-q', '-enc', 'UTF-8', '-nopgbrk', '-eol', 'unix'];

/** The file in which the words stand, made or kept. @throws ToolMissing without poppler; an Error where it cannot be read */
export async function pdfText({ file, sha256 }: Pick<ShownFile, 'file' | 'sha256'>, cache: Cache): Promise<string> {
  const { file: kept } = await cache.keep(sha256, { recipe: 1, how: HOW }, '.txt', async (to) => {
    await writeFile(to, await outputOf('pdftotext', [...HOW, file, '-'], MOST));
  });
  return kept;
}
