/** Makes what a build needs of a design: the style sheet and the image of its pages, and its files. */
import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import type { ReadDesign } from '../../settings/read-design.ts';
import { openMade } from '../cache/program-cache.ts';

const STYLE_NAME = 'standalone.css';
const LEAD_NAME = 'lead.webp';
const LEAD_PATH = `assets/${LEAD_NAME}`;
/** Pixels. */
const LEAD_WIDTH = 1_600;

/** Returns a design with what is made for it once: the style sheet for its page, and the image of the home page. */
export async function completeDesign(read: ReadDesign | undefined, kiosk: boolean): Promise<ReadDesign | undefined> {
  if (!read) return undefined;
  const { inlineCss } = read.design;
  const style = inlineCss === '' ? {} : { style: await createInlineStyle(inlineCss, kiosk) };
  return withLead({ ...read, design: { ...read.design, ...style } });
}

/** Returns the style sheet of a page that contains it, with what is added to it, made once. */
export async function createInlineStyle(css: string, kiosk: boolean): Promise<string> {
  const directory = await openMade(['style', kiosk, css], async (out) => {
    const { createStandaloneStyle } = await import('./style-module.ts');
    writeFileSync(join(out, STYLE_NAME), createStandaloneStyle({ kiosk, css }));
  });
  return readFileSync(join(directory, STYLE_NAME), 'utf8');
}

async function withLead(read: ReadDesign): Promise<ReadDesign> {
  const { lead } = read;
  if (!lead) return read;
  const directory = await openMade(['lead', LEAD_WIDTH, hash('sha256', lead)], async (out) => {
    await sharp(lead).autoOrient().resize({ width: LEAD_WIDTH, withoutEnlargement: true }).webp().toFile(join(out, LEAD_NAME));
  });
  const image = readFileSync(join(directory, LEAD_NAME));
  const { width, height } = await sharp(image).metadata();
  return {
    ...read,
    design: { ...read.design, leadImage: { path: LEAD_PATH, width, height } },
    files: new Map([...read.files, [LEAD_PATH, image]]),
  };
}

/** Writes the files of settings into a directory, for publishing. Returns them by their paths in the site. */
export function writeSettingFiles(directory: string, settings: ReadonlyArray<Pick<ReadDesign, 'files'> | undefined>) {
  rmSync(directory, { recursive: true, force: true });
  return settings
    .flatMap((read) => [...(read?.files ?? [])])
    .map(([path, bytes]) => {
      const file = join(directory, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes);
      return [path, file] as const;
    });
}
