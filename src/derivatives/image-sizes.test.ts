import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it, onTestFinished } from 'vitest';
import { createMemorySnapshot } from '../snapshot/store.ts';
import { createImageSizes } from './image-sizes.ts';
import { readShownFiles } from './shown-files.ts';

function createDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'microfiche-sizes-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

it.each(['', '{"net.webp":', 'null', '[]', '{"net.webp":7}'])(
  'measures images again if the file with their sizes is damaged: %j',
  async (stored) => {
    const directory = createDirectory();
    const image = join(directory, 'net.webp');
    await sharp({ create: { width: 3, height: 2, channels: 3, background: 'red' } }).toFile(image);
    writeFileSync(join(directory, 'sizes.json'), stored);
    const sizes = createImageSizes(directory);
    expect(sizes.known(image)).toBeUndefined();
    expect(await sizes.read(image)).toEqual({ width: 3, height: 2 });
    sizes.write();
    expect(createImageSizes(directory).known(image)).toEqual({ width: 3, height: 2 });
  },
);

it('reads media files again if the database of what is known of them is damaged', async () => {
  const directory = createDirectory();
  writeFileSync(join(directory, 'files.sqlite'), 'SQLite format 3\0 and nothing else');
  const shown = await readShownFiles(createMemorySnapshot(directory), [], () => true, directory);
  expect(shown).toEqual({ files: [], problems: [], missing: 0 });
});
