import { appendFileSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { isKnownIntact, noteIntact } from './known-whole.ts';

it('knows that a file is whole until it is written to, replaced or deleted', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'microfiche-whole-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'file');
  const changes = [
    () => appendFileSync(file, 'more'),
    () => {
      writeFileSync(file, 'WHOLE');
      utimesSync(file, 1, 1); // as before
    },
    () => {
      writeFileSync(`${file}-2`, 'whole');
      renameSync(`${file}-2`, file);
    },
    () => rmSync(file),
  ];
  for (const change of changes) {
    writeFileSync(file, 'whole');
    utimesSync(file, 1, 1);
    rmSync(`${file}.whole`, { force: true });
    expect(isKnownIntact(file)).toBe(false);
    noteIntact(file);
    expect(isKnownIntact(file)).toBe(true);
    await setTimeout(20); // some file systems count in hundredths of seconds
    change();
    expect(isKnownIntact(file)).toBe(false);
  }
});
