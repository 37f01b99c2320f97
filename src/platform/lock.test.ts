import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { containedIn } from './contained.ts';
import { tryLock } from './lock.ts';

function createDirectory() {
  const path = mkdtempSync(join(tmpdir(), 'microfiche-lock-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

it('D34: is held by one process at a time, and leaves no file', () => {
  const inside = containedIn(createDirectory());
  const first = tryLock(inside, 'lock');
  expect(first).toBeDefined();
  expect(tryLock(inside, 'lock')).toBeUndefined();
  first?.close();
  first?.close();
  const second = tryLock(inside, 'lock');
  expect(second).toBeDefined();
  second?.close();
  expect(readdirSync(inside.root)).toEqual([]);
});

it('D34: is released when the process that holds it is killed', async () => {
  const path = createDirectory();
  const script = `import { tryLock } from ${JSON.stringify(join(import.meta.dirname, 'lock.ts'))};
    import { containedIn } from ${JSON.stringify(join(import.meta.dirname, 'contained.ts'))};
    globalThis.lock = tryLock(containedIn(${JSON.stringify(path)}), 'lock');
    process.stdout.write('locked'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  expect(tryLock(containedIn(path), 'lock')).toBeUndefined();
  child.kill('SIGKILL');
  await ended;
  const lock = tryLock(containedIn(path), 'lock');
  expect(lock).toBeDefined();
  lock?.close();
});

it('S13: does not open the target of a link at its path', () => {
  const path = createDirectory();
  writeFileSync(join(path, 'canary'), 'canary');
  symlinkSync(join(path, 'canary'), join(path, 'lock'));
  tryLock(containedIn(path), 'lock')?.close();
  expect(readFileSync(join(path, 'canary'), 'utf8')).toBe('canary');
  expect(readdirSync(path)).toEqual(['canary']);
});
