import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { createTestDirectory } from '../../tests/support/commands.ts';

it.skipIf(process.platform !== 'linux')(
  'gives each program 1 GB, and runs no more of them than fit into half of the free memory',
  async () => {
    const directory = createTestDirectory();
    const log = join(directory, 'log');
    const program = join(directory, 'pdftotext');
    writeFileSync(program, '#!/bin/sh\necho start >> "$1"; sleep 0.05; echo end >> "$1"; ulimit -d\n');
    chmodSync(program, 0o755);
    vi.stubEnv('PATH', `${directory}:${process.env['PATH']}`);
    const freeMemory = vi.spyOn(process, 'availableMemory').mockReturnValue(3_000_000_000);
    vi.resetModules(); // the free memory is read when the first module needs it
    try {
      const { readToolOutput } = await import('./tools.ts');
      const outputs = await Promise.all([1, 2, 3].map(() => readToolOutput('pdftotext', [log], 100)));
      expect(outputs.map(String)).toEqual(Array(3).fill(`${Math.floor(1e9 / 1024)}\n`));
      expect(readFileSync(log, 'utf8')).toBe('start\nend\n'.repeat(3));
    } finally {
      freeMemory.mockRestore();
      vi.unstubAllEnvs();
      vi.resetModules();
    }
  },
);
