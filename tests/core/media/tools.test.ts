/** The programs that read media: their memory, their number of runs, and what they say. */
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { programFile } from '../../../scripts/setup/programs.ts';
import { openImage } from '../../../src/derivatives/open-image.ts';
import { readToolOutput } from '../../../src/derivatives/tools.ts';
import { createTestDirectory } from '../../support/commands.ts';
import { createImages } from '../../support/create-images.ts';

it.skipIf(process.platform !== 'linux')(
  'gives each program 1 GB, and runs no more of them than fit into half of the free memory',
  () => {
    const directory = createTestDirectory();
    const log = join(directory, 'log');
    const program = join(directory, 'pdftotext');
    writeFileSync(program, '#!/bin/sh\necho start >> "$1"; sleep 0.05; echo end >> "$1"; ulimit -d\n');
    chmodSync(program, 0o755);
    // In a process of its own: the free memory is read when the first module needs it.
    const script = `process.availableMemory = () => 3_000_000_000;
      const { readToolOutput } = await import(${JSON.stringify(new URL('../../../src/derivatives/tools.ts', import.meta.url).href)});
      const outputs = await Promise.all([1, 2, 3].map(() => readToolOutput('pdftotext', [${JSON.stringify(log)}], 100)));
      console.log(outputs.join(''));`;
    const env = { ...process.env, PATH: `${directory}:${process.env['PATH']}` };
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { env, encoding: 'utf8' });
    expect(output).toBe(`${`${Math.floor(1e9 / 1024)}\n`.repeat(3)}\n`);
    expect(readFileSync(log, 'utf8')).toBe('start\nend\n'.repeat(3));
  },
);

it('says that a PDF is locked', async () => {
  const file = join(createTestDirectory(), 'locked.pdf');
  const key = `<${'00'.repeat(32)}>`;
  writeFileSync(
    file,
    `%PDF-1.4
1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj
2 0 obj <</Type /Pages /Kids [] /Count 0>> endobj
3 0 obj <</Filter /Standard /V 1 /R 2 /O ${key} /U ${key} /P -4>> endobj
trailer <</Root 1 0 R /Encrypt 3 0 R /ID [<00> <00>]>>
%%EOF`,
  );
  await expect(readToolOutput('pdftotext', [file, '-'], 100)).rejects.toThrow('the file is locked with a password');
});

/** Counts the runs of ffmpeg in this process. */
function countRuns(): () => number {
  const directory = createTestDirectory();
  const log = join(directory, 'log');
  writeFileSync(join(directory, 'ffmpeg'), `#!/bin/sh\necho run >> '${log}'\nexec '${programFile('ffmpeg')}' "$@"\n`);
  chmodSync(join(directory, 'ffmpeg'), 0o755);
  const { PATH } = process.env;
  process.env['PATH'] = `${directory}:${PATH}`;
  onTestFinished(() => {
    process.env['PATH'] = PATH;
  });
  return () => readFileSync(log, 'utf8').split('\n').length - 1;
}

it.each([
  ['jp2', 'image/jp2'],
  ['bmp', 'image/bmp'],
])('reads all pixels of a %s, in one run of ffmpeg', async (extension, mimetype) => {
  const file = join(createTestDirectory(), `a.${extension}`);
  execFileSync(programFile('ffmpeg'), ['-v', 'error', '-f', 'lavfi', '-i', 'color=c=red:size=1800x1200', '-frames:v', '1', file]);
  const runs = countRuns();
  const { width, height } = await (await openImage(file, mimetype)).metadata();
  expect([width, height, runs()]).toEqual([1800, 1200, 1]);
  const { sizes, tiles, images } = await createImages(file, mimetype, [['u', 'image']]);
  expect([sizes['u'], tiles['u'], images['u']?.page]).toMatchObject([{ width: 1800 }, { width: 1800 }, { width: 1600 }]);
});
