import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createTestDirectory } from '../../tests/support/commands.ts';
import { readToolOutput } from './tools.ts';

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
      const { readToolOutput } = await import(${JSON.stringify(new URL('./tools.ts', import.meta.url).href)});
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
