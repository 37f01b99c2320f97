/** Where what is made of files is kept, by the file's own SHA-256 and by how it was made: nothing is made twice. */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

export interface Cache {
  /** The file or folder made from a source with these settings: kept, or made by `make`, which is given where to write. */
  keep(sha256: string, settings: unknown, extension: string, make: (to: string) => Promise<void>): Promise<Kept>;
}

export interface Kept {
  file: string;
  /** Made just now. */
  isNew: boolean;
}

export function createCache(folder: string): Cache {
  mkdirSync(folder, { recursive: true });
  const underWay = new Map<string, Promise<void>>();

  async function makeOnce(file: string, make: (to: string) => Promise<void>): Promise<void> {
    const part = `${file}.${randomUUID()}.part`; // another build may be making the same
    try {
      await make(part);
      await rename(part, file);
    } catch (error) {
      await rm(part, { recursive: true, force: true });
      const isThere = ['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '') && existsSync(file);
      if (!isThere) throw error;
    }
  }

  return {
    async keep(sha256, settings, extension, make) {
      const how = createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 12);
      const file = join(folder, `${sha256}-${how}${extension}`);
      const other = underWay.get(file);
      await other;
      if (existsSync(file)) return { file, isNew: false };
      const own = makeOnce(file, make).finally(() => underWay.delete(file));
      underWay.set(file, own);
      await own;
      return { file, isNew: true };
    },
  };
}
