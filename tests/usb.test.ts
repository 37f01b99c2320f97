/** `usb`: the mirror on a stick, whole after whatever cut the copy short, and nothing else of the stick touched. */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, inject, it, onTestFinished } from 'vitest';
import { programFile } from '../scripts/setup/programs.ts';
import type { UsbReport } from '../src/publish/usb/copy.ts';
import { start } from './browsers.ts';
import { canMount, filesBelow, microfiche, microficheJson, ROOT, temporary } from './support.ts';

const { dist } = inject('mirror');
const usb = (to: string, ...more: string[]) => microficheJson<UsbReport>(['usb', '--dir', dist, '--to', to, ...more]);

it('copies everything, and only what changed the next time; what vanished goes, what is not its own stays', async () => {
  const stick = temporary();
  const site = join(temporary(), 'dist');
  cpSync(dist, site, { recursive: true });
  mkdirSync(join(stick, 'System Volume Information'));
  const copy = () => microficheJson<UsbReport>(['usb', '--dir', site, '--to', stick]);
  const { files, copied } = await copy();
  expect(copied).toBe(files);
  expect(filesBelow(join(stick, 'mirror'))).toEqual(filesBelow(site));
  expect(readFileSync(join(stick, 'README.txt'), 'utf8')).toContain('Double-click “START HERE.html”');

  writeFileSync(join(stick, 'mirror/objects/mine.txt'), 'not of the mirror');
  writeFileSync(join(stick, 'holiday.jpg'), 'not of the mirror');
  rmSync(join(site, 'objects/lica-quay-1-9.html'));
  appendFileSync(join(site, 'about.html'), '<!-- changed -->');
  const lines = [...filesBelow(site)].filter(([path]) => path !== 'manifest-sha256.txt');
  const manifest = lines.map(([path, bytes]) => `${createHash('sha256').update(bytes).digest('hex')}  ${path}\n`).join('');
  writeFileSync(join(site, 'manifest-sha256.txt'), manifest);
  expect(await copy()).toMatchObject({ files: files - 1, copied: 1, removed: 1 });
  expect(existsSync(join(stick, 'mirror/objects/lica-quay-1-9.html'))).toBe(false);
  expect(readFileSync(join(stick, 'mirror/about.html'), 'utf8')).toContain('<!-- changed -->');
  for (const name of ['mirror/objects/mine.txt', 'holiday.jpg']) expect(existsSync(join(stick, name))).toBe(true);
  const { stdout } = await microfiche(['verify', '--dir', join(stick, 'mirror'), '--json']);
  expect(JSON.parse(stdout).site).toMatchObject({ altered: [], unportable: [], network: [] });
});

it('goes on where it was killed, again and again, and ends equal', async () => {
  const stick = temporary();
  const seed = Date.now() % 100_000;
  console.log(`seed ${seed}`);
  for (let i = 0; i < 5; i++) {
    const child = spawn(process.execPath, [join(ROOT, 'scripts/microfiche.ts'), 'usb', '--dir', dist, '--to', stick], {
      stdio: 'ignore',
    });
    const ended = new Promise((resolve) => child.on('exit', resolve));
    await new Promise((resolve) => setTimeout(resolve, 250 + ((seed * (i + 1) * 7919) % 400)));
    child.kill('SIGKILL');
    await ended;
  }
  const { files, copied, kept } = await usb(stick);
  expect(copied + kept).toBe(files);
  expect(filesBelow(join(stick, 'mirror'))).toEqual(filesBelow(dist));
});

it('copies anew what the stick has lost or cut', async () => {
  const stick = temporary();
  await usb(stick);
  rmSync(join(stick, 'mirror/index.html'));
  writeFileSync(join(stick, 'mirror/about.html'), '');
  expect(await usb(stick)).toMatchObject({ copied: 2 });
  expect(filesBelow(join(stick, 'mirror'))).toEqual(filesBelow(dist));
});

it('opens by the page in its root', async () => {
  const stick = temporary();
  await usb(stick);
  const browser = await start('firefox');
  try {
    const page = await browser.newPage();
    await page.goto(pathToFileURL(join(stick, 'START HERE.html')).href);
    await page.waitForFunction(() => location.href.endsWith('/mirror/index.html'));
    expect(await page.$eval('h1', (heading) => heading.textContent)).toBe('Lantern Islands Community Archive');
  } finally {
    await browser.close();
  }
});

it.each([
  ['a folder that is not there', () => '/nowhere/stick', /mount the stick/],
  [
    'a folder with other things',
    () => {
      const stick = temporary();
      writeFileSync(join(stick, 'thesis.doc'), 'words');
      return stick;
    },
    /holds other things \(thesis\.doc\): name an empty folder/,
  ],
  [
    'somebody else’s folder of the same name',
    () => {
      const stick = temporary();
      mkdirSync(join(stick, 'mirror'));
      writeFileSync(join(stick, 'mirror/glass.txt'), 'words');
      return stick;
    },
    /holds other things/,
  ],
])('refuses %s in one sentence', async (_, place, message) => {
  const { code, stderr } = await microfiche(['usb', '--dir', dist, '--to', place()]);
  expect([code, stderr.trim().split('\n').length, stderr]).toEqual([1, 1, expect.stringMatching(message)]);
});

it('stands beside other things where it was told to', async () => {
  const stick = temporary();
  writeFileSync(join(stick, 'thesis.doc'), 'words');
  await usb(stick, '--force');
  expect(readFileSync(join(stick, 'thesis.doc'), 'utf8')).toBe('words');
  expect(existsSync(join(stick, 'mirror/index.html'))).toBe(true);
});

it.runIf(canMount())('says before it begins that there is no room', async () => {
  const stick = temporary();
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', stick]);
  onTestFinished(() => void execFileSync('umount', [stick]));
  const { code, stderr } = await microfiche(['usb', '--dir', dist, '--to', stick]);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/not enough room on .*: [\d.]+ MB are needed and 2\.\d MB are free/)]);
  expect(filesBelow(stick).size).toBe(0);
  expect(statfsSync(stick).bfree).toBeGreaterThan(0);
});

it('fits a real FAT32 file system, which gives it back equal', async () => {
  const stick = temporary();
  await usb(stick);
  const image = join(temporary(), 'stick.img');
  writeFileSync(image, '');
  truncateSync(image, 512 * 1024 * 1024);
  const mkfs = execFileSync(programFile('mkfs.vfat'), ['-F', '32', '-s', '8', image], { encoding: 'utf8' });
  expect(mkfs).toContain('mkfs');
  const back = temporary();
  const mtools = { env: { ...process.env, MTOOLS_SKIP_CHECK: '1', LC_ALL: 'C.UTF-8' } };
  const entries = ['mirror', 'README.txt', 'START HERE.html'];
  execFileSync('mcopy', ['-s', '-Q', '-i', image, ...entries.map((name) => join(stick, name)), '::/'], mtools);
  execFileSync(programFile('fsck.vfat'), ['-n', image]);
  execFileSync('mcopy', ['-s', '-Q', '-i', image, ...entries.map((name) => `::/${name}`), back], mtools);
  expect(filesBelow(back)).toEqual(filesBelow(stick));
});
