/** The manifest of a built site: what was put into dist, and that it was us who put it there. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Lists every file of dist with its SHA-256: `sha256sum -c manifest-sha256.txt` checks the copy, with or without Microfiche. It also marks the folder as ours. */
export const MANIFEST = 'manifest-sha256.txt';
/** The lines of a folder's manifest; none where it has no manifest. */
export function readManifest(out: string): Array<{ path: string; sha256: string }> {
  const file = join(out, MANIFEST);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const match = /^([0-9a-f]{64}) {2}(.+)$/.exec(line);
      return match?.[1] && match[2] && !match[2].split('/').includes('..') && !match[2].startsWith('/')
        ? [{ sha256: match[1], path: match[2] }]
        : [];
    });
}
