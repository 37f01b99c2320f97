/** Reads the files that settings of a site name, such as the logo of a design. */
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import sharp from 'sharp';
import type { SettingProblem } from '../model/setting-problem.ts';
import { formatBytes } from '../platform/quantities.ts';
import { toPrintable } from '../platform/text-lines.ts';
import { svgProblem } from './check-svg.ts';

/** The files of a setting. */
export type SettingFiles = ReturnType<typeof createFileReader>;

/** Returns what is wrong with a path in the settings at which no file is. */
export const missingFile = (path: string) =>
  `the file ${toPrintable(path, 200)} does not exist. Paths are relative to the directory of the configuration.`;

/** Returns access to the files of a setting. Paths are relative to `directory`. Problems are added to a list. */
export function createFileReader(setting: string, directory: string, problems: SettingProblem[]) {
  const addProblem = (name: string, problem: string) =>
    void problems.push({ path: [setting, ...name.split('.')], problem: `"${setting}.${name}": ${problem}` });
  return {
    /** Adds a problem: a sentence, or its end after a colon. */
    addProblem,
    /** Reads a file of at most `max` bytes; undefined, with a problem, if it cannot. `name` is as in `fonts.text`. */
    read(name: string, path: string, max: number) {
      const shown = toPrintable(path, 200);
      if (/^[a-z][a-z\d+.-]+:/i.test(path)) {
        addProblem(name, `${shown} is not a local file. Download it, and write the path of the file.`);
        return undefined;
      }
      const file = resolve(directory, path);
      const stats = statSync(file, { throwIfNoEntry: false });
      if (!stats?.isFile()) {
        addProblem(name, stats ? `${shown} is not a file.` : missingFile(path));
        return undefined;
      }
      if (stats.size > max) {
        addProblem(name, `${shown} has ${formatBytes(stats.size)}, and at most ${formatBytes(max)} are allowed.`);
        return undefined;
      }
      return readFileSync(file);
    },
  };
}

/** Extensions by the format of an image. */
const EXTENSIONS: Readonly<Record<string, string>> = { svg: 'svg', png: 'png', jpeg: 'jpg', webp: 'webp' };

/**
 * Reads an image of at most `max` bytes, which pages show as it is: its size in pixels, and its extension without a dot.
 * Undefined, with a problem, if it cannot be used. `name`: see `SettingFiles`.
 */
export async function readShownImage(name: string, path: string, max: number, reader: SettingFiles) {
  const bytes = reader.read(name, path, max);
  if (!bytes) return undefined;
  const image = await measureImage(bytes);
  const extension = EXTENSIONS[image?.format ?? ''];
  const isUsable = image !== undefined && extension !== undefined;
  const problem = !isUsable ? ' is not an image in SVG, PNG, JPEG or WebP.' : extension === 'svg' ? svgProblem(bytes) : undefined;
  if (problem !== undefined) reader.addProblem(name, `${toPrintable(path, 200)}${problem}`);
  return isUsable ? { bytes, width: image.width, height: image.height, extension } : undefined;
}

/** Returns the format and the size of an image in pixels; undefined if sharp cannot read it. */
export async function measureImage(bytes: Buffer): Promise<{ format: string; width: number; height: number } | undefined> {
  try {
    const { format, width, height } = await sharp(bytes).metadata();
    return { format, width, height };
  } catch {
    return undefined; // the caller reports it
  }
}
