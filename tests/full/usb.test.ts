/** `usb`: copies a site to a USB drive, resumes after an interruption, and changes no other files. */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, inject, it, onTestFinished } from 'vitest';
import { programFile } from '../../scripts/setup/programs.ts';
import type { UsbReport } from '../../src/publish/copies/copy-to-usb.ts';
import { startBrowser } from '../support/browsers.ts';
import { canMount, createTestDirectory, ROOT, readFiles, runMicrofiche, runMicroficheJson } from '../support/commands.ts';

const { dist } = inject('mirror');
const usb = (to: string, ...more: string[]) => runMicroficheJson<UsbReport>(['usb', '--dir', dist, '--to', to, ...more]);

it('copies all files, later only changed ones; deletes obsolete files, and no others', async () => {
  const drive = createTestDirectory();
  const site = join(createTestDirectory(), 'dist');
  cpSync(dist, site, { recursive: true });
  mkdirSync(join(drive, 'System Volume Information'));
  const copy = () => runMicroficheJson<UsbReport>(['usb', '--dir', site, '--to', drive]);
  const { files, copied } = await copy();
  expect(copied).toBe(files);
  expect(readFiles(join(drive, 'mirror'))).toEqual(readFiles(site));
  expect(readFileSync(join(drive, 'README.txt'), 'utf8')).toContain('Double-click “START HERE.html”');

  writeFileSync(join(drive, 'mirror/objects/mine.txt'), 'not of the mirror');
  writeFileSync(join(drive, 'holiday.jpg'), 'not of the mirror');
  rmSync(join(site, 'objects/lica-quay-1-9.html'));
  appendFileSync(join(site, 'about.html'), '<!-- changed -->');
  const siteFiles = [...readFiles(site)].filter(([path]) => path !== 'manifest-sha256.txt');
  const manifest = siteFiles.map(([path, bytes]) => `${createHash('sha256').update(bytes).digest('hex')}  ${path}\n`).join('');
  writeFileSync(join(site, 'manifest-sha256.txt'), manifest);
  expect(await copy()).toMatchObject({ files: files - 1, copied: 1, removed: 1 });
  expect(existsSync(join(drive, 'mirror/objects/lica-quay-1-9.html'))).toBe(false);
  expect(readFileSync(join(drive, 'mirror/about.html'), 'utf8')).toContain('<!-- changed -->');
  for (const name of ['mirror/objects/mine.txt', 'holiday.jpg']) expect(existsSync(join(drive, name))).toBe(true);
  const { stdout } = await runMicrofiche(['verify', '--dir', join(drive, 'mirror'), '--json']);
  expect(JSON.parse(stdout).site).toMatchObject({ altered: [], unportable: [], network: [] });
});

it('resumes after it was killed several times, and copies every file', async () => {
  const drive = createTestDirectory();
  const seed = Date.now() % 100_000;
  console.log(`seed ${seed}`);
  for (let i = 0; i < 5; i++) {
    const child = spawn(process.execPath, [join(ROOT, 'scripts/bin.mjs'), 'usb', '--dir', dist, '--to', drive], {
      stdio: 'ignore',
    });
    const ended = new Promise((resolve) => child.on('exit', resolve));
    await new Promise((resolve) => setTimeout(resolve, 250 + ((seed * (i + 1) * 7919) % 400)));
    child.kill('SIGKILL');
    await ended;
  }
  const { files, copied, unchanged } = await usb(drive);
  expect(copied + unchanged).toBe(files);
  expect(readFiles(join(drive, 'mirror'))).toEqual(readFiles(dist));
});

it('copies missing and truncated files again', async () => {
  const drive = createTestDirectory();
  await usb(drive);
  rmSync(join(drive, 'mirror/index.html'));
  writeFileSync(join(drive, 'mirror/about.html'), '');
  expect(await usb(drive)).toMatchObject({ copied: 2 });
  expect(readFiles(join(drive, 'mirror'))).toEqual(readFiles(dist));
});

it('writes a start page into the root that opens the site', async () => {
  const drive = createTestDirectory();
  await usb(drive);
  const browser = await startBrowser('firefox');
  try {
    const page = await browser.newPage();
    await page.goto(pathToFileURL(join(drive, 'START HERE.html')).href);
    await page.waitForFunction(() => location.href.endsWith('/mirror/index.html'));
    expect(await page.$eval('h1', (heading) => heading.textContent)).toBe('Lantern Islands Community Archive');
  } finally {
    await browser.close();
  }
});

it.each([
  ['a directory that does not exist', () => '/nowhere/drive', /Mount the drive/],
  [
    'a directory with other files',
    () => {
      const drive = createTestDirectory();
      writeFileSync(join(drive, 'thesis.doc'), 'words');
      return drive;
    },
    /contains other files \(thesis\.doc\)\. Name an empty directory/,
  ],
  [
    'a directory "mirror" that it did not create',
    () => {
      const drive = createTestDirectory();
      mkdirSync(join(drive, 'mirror'));
      writeFileSync(join(drive, 'mirror/glass.txt'), 'words');
      return drive;
    },
    /contains other files/,
  ],
])('rejects %s in one line', async (_, createPlace, message) => {
  const { code, stderr } = await runMicrofiche(['usb', '--dir', dist, '--to', createPlace()]);
  expect([code, stderr.trim().split('\n').length, stderr]).toEqual([1, 1, expect.stringMatching(message)]);
});

it('copies to a directory with other files if --force is set', async () => {
  const drive = createTestDirectory();
  writeFileSync(join(drive, 'thesis.doc'), 'words');
  await usb(drive, '--force');
  expect(readFileSync(join(drive, 'thesis.doc'), 'utf8')).toBe('words');
  expect(existsSync(join(drive, 'mirror/index.html'))).toBe(true);
});

it.runIf(canMount())('reports missing disk space before it copies', async () => {
  const drive = createTestDirectory();
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', drive]);
  onTestFinished(() => void execFileSync('umount', [drive]));
  const { code, stderr } = await runMicrofiche(['usb', '--dir', dist, '--to', drive]);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/Not enough disk space in .*: [\d.]+ MB required, 2\.\d MB available/),
  ]);
  expect(readFiles(drive).size).toBe(0);
  expect(statfsSync(drive).bfree).toBeGreaterThan(0);
});

it('copies files that a real FAT32 file system can store unchanged', async () => {
  const drive = createTestDirectory();
  await usb(drive);
  const image = join(createTestDirectory(), 'drive.img');
  writeFileSync(image, '');
  truncateSync(image, 512 * 1024 * 1024);
  const mkfs = execFileSync(programFile('mkfs.vfat'), ['-F', '32', '-s', '8', image], { encoding: 'utf8' });
  expect(mkfs).toContain('mkfs');
  const copiedBack = createTestDirectory();
  const mtools = { env: { ...process.env, MTOOLS_SKIP_CHECK: '1', LC_ALL: 'C.UTF-8' } };
  const entries = readdirSync(drive);
  execFileSync('mcopy', ['-s', '-Q', '-i', image, ...entries.map((name) => join(drive, name)), '::/'], mtools);
  execFileSync(programFile('fsck.vfat'), ['-n', image]);
  execFileSync('mcopy', ['-s', '-Q', '-i', image, ...entries.map((name) => `::/${name}`), copiedBack], mtools);
  expect(readFiles(copiedBack)).toEqual(readFiles(drive));
});
