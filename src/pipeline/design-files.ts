/** Makes what a build needs of a design: the style sheet of its pages, and its files. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openMade } from './program-cache.ts';
import type { ReadDesign } from './read-design.ts';

const STYLE_NAME = 'site.css';

/** Returns a design with the style sheet for the page that contains it. */
export async function withStyle(read: ReadDesign | undefined): Promise<ReadDesign | undefined> {
  if (!read || read.design.inlineCss === '') return read;
  const { inlineCss } = read.design;
  const directory = await openMade(['style', inlineCss], async (out) => {
    const { makeStyle } = await import('./assets.ts');
    writeFileSync(join(out, STYLE_NAME), await makeStyle(inlineCss));
  });
  return { ...read, design: { ...read.design, style: readFileSync(join(directory, STYLE_NAME), 'utf8') } };
}

/** Writes the files of a design into a directory, for publishing. Returns them by their paths in the site. */
export function writeDesignFiles(directory: string, read: ReadDesign | undefined): Array<[path: string, file: string]> {
  rmSync(directory, { recursive: true, force: true });
  return Array.from(read?.files ?? [], ([path, bytes]) => {
    const file = join(directory, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
    return [path, file];
  });
}
