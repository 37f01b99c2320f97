/** Caches derivatives between builds, by the SHA-256 of the media file and the settings they were created with. */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolLimitError } from './tools.ts';

/** A directory of derivatives. Several builds may use it at the same time. */
export type DerivativeCache = ReturnType<typeof createDerivativeCache>;

/** At the end of the name of a file with the reason why a derivative cannot be created. */
const FAILED = '.failed';

/** Opens a derivative cache, and creates its directory if necessary. */
export function createDerivativeCache(directory: string) {
  mkdirSync(directory, { recursive: true });
  const inProgress = new Map<string, Promise<void>>();

  async function createAtomically(file: string, create: (to: string) => Promise<void>): Promise<void> {
    const partial = `${file}.${randomUUID()}.part`; // another build may be creating the same derivative
    try {
      await create(partial);
      await rename(partial, file);
    } catch (error) {
      await rm(partial, { recursive: true, force: true });
      if (error instanceof ToolLimitError) await writeFile(`${file}${FAILED}`, error.message);
      const hasAppeared = ['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '') && existsSync(file);
      if (!hasAppeared) throw error;
    }
  }

  const pathOf = (sha256: string, settings: unknown, extension: string) => {
    const settingsHash = createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 12);
    return join(directory, `${sha256}-${settingsHash}${extension}`);
  };
  return {
    /** Returns the path on disk of the derivative of a media file with these settings, whether it is cached or not. */
    pathOf,
    /**
     * Returns the derivative of a media file with these settings. If it is not cached, `create` writes it to the given path, as a
     * file or a directory.
     * @throws the error of `create`. If that was a `ToolLimitError`, the next build throws one, too: it would run into the same
     * limit.
     */
    async getOrCreate(sha256: string, settings: unknown, extension: string, create: (to: string) => Promise<void>) {
      const file = pathOf(sha256, settings, extension);
      const running = inProgress.get(file);
      await running;
      if (existsSync(file)) return { file, isNew: false };
      if (existsSync(`${file}${FAILED}`)) throw new ToolLimitError(readFileSync(`${file}${FAILED}`, 'utf8'));
      const created = createAtomically(file, create).finally(() => inProgress.delete(file));
      inProgress.set(file, created);
      await created;
      return { file, isNew: true };
    },
  };
}
