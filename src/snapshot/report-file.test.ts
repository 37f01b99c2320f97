import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { writeReport } from './report-file.ts';

function createDirectory(): string {
  const dir = mkdtempSync(join(tmpdir(), 'microfiche-report-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

const read = (dir: string) => readFileSync(join(dir, 'report.txt'), 'utf8');

it('replaces the section of one command and keeps the other section', () => {
  const dir = createDirectory();
  writeFileSync(join(dir, 'report.txt'), 'Harvested: 3 resources in 0.1 s.\n  a: HTTP 404\n');
  writeReport(dir, 'media', ['Downloaded 2 URLs.', '  b: HTTP 500']);
  const media = '\n\n== Media ==\nDownloaded 2 URLs.\n  b: HTTP 500\n';
  expect(read(dir)).toBe(`Harvested: 3 resources in 0.1 s.\n  a: HTTP 404${media}`);
  writeReport(dir, 'harvest', ['Harvested: 4 resources in 0.1 s.']);
  expect(read(dir)).toBe(`Harvested: 4 resources in 0.1 s.${media}`);
  writeReport(dir, 'media', ['Downloaded 0 URLs.']);
  expect(read(dir)).toBe('Harvested: 4 resources in 0.1 s.\n\n== Media ==\nDownloaded 0 URLs.\n');
  expect(readdirSync(dir)).toEqual(['report.txt']);
});

it('replaces a symbolic link, and neither reads nor writes its target', () => {
  const dir = createDirectory();
  const canary = join(createDirectory(), 'canary');
  writeFileSync(canary, 'canary\n');
  symlinkSync(canary, join(dir, 'report.txt'));
  symlinkSync(canary, join(dir, 'report.txt.new'));
  writeReport(dir, 'harvest', ['Harvested.']);
  expect([readFileSync(canary, 'utf8'), read(dir)]).toEqual(['canary\n', 'Harvested.\n']);
  expect(lstatSync(join(dir, 'report.txt')).isFile()).toBe(true);
});

it('writes each untrusted line as one line without control characters', () => {
  const dir = createDirectory();
  writeReport(dir, 'harvest', ['  a\nHarvested: 9\u001b[2J', '  b\n== Media ==']);
  expect(read(dir)).toBe('  a Harvested: 9 [2J\n  b == Media ==\n');
});
