/** Extracts the text of PDF transcripts, for reading and search. */
import { writeFile } from 'node:fs/promises';
import type { DerivativeCache } from './derivative-cache.ts';
import type { ShownFile } from './shown-files.ts';
import { readToolOutput } from './tools.ts';

const MAX_TEXT_BYTES = 20_000_000;
const OPTIONS = ['-q', '-enc', 'UTF-8', '-nopgbrk', '-eol', 'unix'];

/**
 * Returns the path of a file in the derivative cache with the text of a PDF.
 * @throws {MissingToolError} if Poppler is not installed
 * @throws {Error} if the PDF cannot be read
 */
export async function extractPdfText(
  { file, sha256 }: Pick<ShownFile, 'file' | 'sha256'>,
  cache: DerivativeCache,
): Promise<string> {
  const { file: textFile } = await cache.getOrCreate(sha256, { recipe: 1, how: OPTIONS }, '.txt', async (to) => {
    await writeFile(to, await readToolOutput('pdftotext', [...OPTIONS, file, '-'], MAX_TEXT_BYTES));
  });
  return textFile;
}
