import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { tryLock } from './lock.ts';
import { toSafeDirectory } from './safe-directory.ts';

function createDirectory() {
  const path = mkdtempSync(join(tmpdir(), 'microfiche-lock-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

it('is held by one process at a time, and leaves no file', () => {
  const safeDir = toSafeDirectory(createDirectory());
  const first = tryLock(safeDir, 'lock');
  expect(first).toBeDefined();
  expect(tryLock(safeDir, 'lock')).toBeUndefined();
  first?.close();
  first?.close();
  const second = tryLock(safeDir, 'lock');
  expect(second).toBeDefined();
  second?.close();
  expect(readdirSync(safeDir.root)).toEqual([]);
});

it('is not taken from one who created the file in the same moment', () => {
  const safeDir = toSafeDirectory(createDirectory());
  const first = tryLock(safeDir, 'lock');
  let isFirst = true;
  const stat = (path: string) => {
    const stats = isFirst ? undefined : safeDir.stat(path);
    isFirst = false;
    return stats;
  };
  expect(tryLock({ ...safeDir, stat }, 'lock')).toBeUndefined();
  expect(tryLock(safeDir, 'lock')).toBeUndefined();
  first?.close();
  expect(readdirSync(safeDir.root)).toEqual([]);
});

it('is released when the process that holds it is killed', async () => {
  const path = createDirectory();
  const script = `import { tryLock } from ${JSON.stringify(join(import.meta.dirname, 'lock.ts'))};
    import { toSafeDirectory } from ${JSON.stringify(join(import.meta.dirname, 'safe-directory.ts'))};
    globalThis.lock = tryLock(toSafeDirectory(${JSON.stringify(path)}), 'lock');
    process.stdout.write('locked'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  expect(tryLock(toSafeDirectory(path), 'lock')).toBeUndefined();
  child.kill('SIGKILL');
  await ended;
  const lock = tryLock(toSafeDirectory(path), 'lock');
  expect(lock).toBeDefined();
  lock?.close();
});

it('does not open the target of a link at its path', () => {
  const path = createDirectory();
  writeFileSync(join(path, 'canary'), 'canary');
  symlinkSync(join(path, 'canary'), join(path, 'lock'));
  tryLock(toSafeDirectory(path), 'lock')?.close();
  expect(readFileSync(join(path, 'canary'), 'utf8')).toBe('canary');
  expect(readdirSync(path)).toEqual(['canary']);
});
