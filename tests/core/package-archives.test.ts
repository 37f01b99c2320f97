/** Packages as the programs of other people unpack them. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { programFile } from '../../scripts/setup/programs.ts';
import { createTestDirectory } from '../support/commands.ts';
import { LARGE, writePackage } from '../support/written-package.ts';

it.each([
  ['zip', 'unzip', ['-q', '-o']],
  ['tar', 'tar', ['-xf']],
] as const)('writes a %s file that %s reads, the same bytes each time', async (form, program, flags) => {
  const directory = createTestDirectory();
  await writePackage(join(directory, `one.${form}`), form);
  process.env['TZ'] = 'Asia/Tokyo';
  await writePackage(join(directory, `two.${form}`), form);
  delete process.env['TZ'];
  expect(readFileSync(join(directory, `one.${form}`)).equals(readFileSync(join(directory, `two.${form}`)))).toBe(true);
  const out = join(directory, 'out');
  mkdirSync(out);
  await execa(programFile(program), [...flags, join(directory, `one.${form}`)], { cwd: out });
  expect(readFileSync(join(out, 'media/山/large.bin')).equals(LARGE)).toBe(true);
  expect(readFileSync(join(out, 'a.txt'), 'utf8')).toBe('nets');
  expect(readdirSync(directory).sort()).toEqual([`one.${form}`, 'out', `two.${form}`]);
});
