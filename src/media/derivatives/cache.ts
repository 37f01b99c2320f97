/** Where what is made of files is kept, by the file's own SHA-256 and by how it was made: nothing is made twice. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { rename } from 'node:fs/promises';
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
    await make(`${file}.part`);
    await rename(`${file}.part`, file);
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
