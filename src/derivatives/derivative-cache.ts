/** Caches derivatives between builds, by the SHA-256 of the media file and the settings they were created with. */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** A directory of derivatives. Several builds may use it at the same time. */
export interface DerivativeCache {
  /** Returns the path on disk of the derivative of a media file with these settings, whether it is cached or not. */
  pathOf(sha256: string, settings: unknown, extension: string): string;
  /**
   * Returns the derivative of a media file with these settings. If it is not cached, `create` writes it to the given path, as a file or a
   * directory.
   */
  getOrCreate(
    sha256: string,
    settings: unknown,
    extension: string,
    create: (to: string) => Promise<void>,
  ): Promise<CachedDerivative>;
}

/** A derivative in the cache. */
export interface CachedDerivative {
  /** Path on disk of the file or directory. */
  file: string;
  /** Whether this call created it. */
  isNew: boolean;
}

/** Opens a derivative cache, and creates its directory if necessary. */
export function createDerivativeCache(directory: string): DerivativeCache {
  mkdirSync(directory, { recursive: true });
  const inProgress = new Map<string, Promise<void>>();

  async function createAtomically(file: string, create: (to: string) => Promise<void>): Promise<void> {
    const partial = `${file}.${randomUUID()}.part`; // another build may be creating the same derivative
    try {
      await create(partial);
      await rename(partial, file);
    } catch (error) {
      await rm(partial, { recursive: true, force: true });
      const hasAppeared = ['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '') && existsSync(file);
      if (!hasAppeared) throw error;
    }
  }

  const pathOf = (sha256: string, settings: unknown, extension: string) => {
    const settingsHash = createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 12);
    return join(directory, `${sha256}-${settingsHash}${extension}`);
  };
  return {
    pathOf,
    async getOrCreate(sha256, settings, extension, create) {
      const file = pathOf(sha256, settings, extension);
      const running = inProgress.get(file);
      await running;
      if (existsSync(file)) return { file, isNew: false };
      const created = createAtomically(file, create).finally(() => inProgress.delete(file));
      inProgress.set(file, created);
      await created;
      return { file, isNew: true };
    },
  };
}
