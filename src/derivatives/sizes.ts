/** The sizes of pictures in pixels, looked up once. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import { openPicture } from './opening.ts';

export interface Size {
  width: number;
  height: number;
}

export interface Sizes {
  /** The size of a kept picture, or of a file from upstream as it is seen upright. @throws where it cannot be read */
  of(file: string, source?: { sha256: string | null; mimetype: string | null }): Promise<Size>;
  /** Takes note of the size of a picture that was just made. */
  note(file: string, size: Size): void;
  /** Keeps what is known for the next build. */
  write(): void;
}

const FILE = 'sizes.json';

export function createSizes(folder: string): Sizes {
  const file = join(folder, FILE);
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, Size>) : {};
  let fresh = 0;

  function write(): void {
    const part = `${file}.${process.pid}.part`; // another build may be writing too: the last one wins
    writeFileSync(part, JSON.stringify(known));
    renameSync(part, file);
    fresh = 0;
  }

  function note(key: string, { width, height }: Size): Size {
    const size = { width, height };
    known[key] = size;
    if (++fresh >= EVERY) write();
    return size;
  }

  return {
    note: (picture, size) => void note(basename(picture), size),
    async of(picture, source) {
      const key = source?.sha256 ?? basename(picture);
      const before = known[key];
      if (before) return before;
      const opened = source ? await openPicture(picture, source.mimetype ?? '') : sharp(picture);
      const { autoOrient } = await opened.metadata();
      return note(key, autoOrient);
    },
    write,
  };
}

/** So many new ones are kept at once: a build may be cut short. */
const EVERY = 2_000;
