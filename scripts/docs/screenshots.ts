/**
 * Takes the screenshots of the documents: of the sample's site in dist/, which `npm run mirror` builds, and of the example
 * designs. Japanese needs a font, such as Debian's fonts-noto-cjk.
 */
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { programFile } from '../setup/programs.ts';

const ROOT = join(import.meta.dirname, '../..');
const SITE = join(ROOT, 'dist');
const FACES = join(ROOT, 'docs/faces');
const OPTIONS =
  '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'.split(
    ' ',
  );
const WIDE = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 } };
const DARK = { ...PHONE, colorScheme: 'dark' as const };
/** The featured records depend on the day. */
const DAY = new Date('2026-11-21T12:00:00');
/** Pixels. */
const PHONE_IMAGE = { width: 320, gap: 16 };
const FACE_IMAGE = { width: 800, gap: 16 };

await using browser = await chromium.launch({ executablePath: programFile('chromium'), args: OPTIONS });
await write('home', await takeScreenshot(browser, 'index.html', WIDE));
await write('interview', await takeScreenshot(browser, 'objects/lica-ferry-1-1-1.html', WIDE));
const phones = [
  await takeScreenshot(browser, 'objects/lica-quay-1.html', PHONE),
  await takeScreenshot(browser, 'objects/lica-quay-1-1.html', PHONE),
  await takeScreenshot(browser, 'browse/time/index.html', DARK),
  await takeScreenshot(browser, 'browse/place/index.html', DARK),
];
await write('phone', await putSideBySide(phones, PHONE_IMAGE));
const known = [PHONE, { ...PHONE, act: markFace }].map((as) => takeScreenshot(browser, 'objects/lica-quay-1-1.html', as));
await write('know', await putSideBySide(await Promise.all(known), PHONE_IMAGE));
for (const [face, record] of [
  ['photographs', 'lica-quay-1-1'],
  ['oral-history', 'lica-ferry-1-1-1'],
] as const)
  await write(`face-${face}`, await takeFace(browser, face, record));

/** Builds the site of an example design, and shows its home page beside a record. */
async function takeFace(from: Browser, face: string, record: string): Promise<Buffer> {
  using site = mkdtempDisposableSync(join(tmpdir(), 'microfiche-face-'));
  const env = { MICROFICHE_CACHE: join(ROOT, '.microfiche/cache') };
  await execa('node', [join(ROOT, 'scripts/bin.mjs'), 'build', '--out', site.path], { cwd: join(FACES, face), env });
  const paths = ['index.html', `objects/${record}.html`];
  const images = await Promise.all(paths.map((path) => takeScreenshot(from, path, WIDE, site.path)));
  return await putSideBySide(images, FACE_IMAGE);
}

/** Opens the form for what a reader knows of a photograph, and marks and names a place in it. */
async function markFace(page: Page): Promise<void> {
  await page.click('.know-link');
  await page.click('#marks', { position: { x: 168, y: 149 } });
  await page.fill('#names input', 'Rosa Lindqvist');
}

/** `act` is what the reader does on the page first. */
type Options = BrowserContextOptions & { act?: typeof markFace };

async function takeScreenshot(from: Browser, path: string, { act, ...options }: Options, site = SITE): Promise<Buffer> {
  const page = await from.newPage(options);
  await page.clock.setFixedTime(DAY);
  await page.goto(pathToFileURL(join(site, path)).href, { waitUntil: 'networkidle' });
  await act?.(page);
  const image = await page.screenshot();
  await page.close();
  return image;
}

async function putSideBySide(images: readonly Buffer[], { width, gap }: typeof PHONE_IMAGE): Promise<Buffer> {
  const resized = await Promise.all(images.map((image) => sharp(image).resize({ width }).toBuffer({ resolveWithObject: true })));
  const height = Math.max(...resized.map(({ info }) => info.height));
  return sharp({
    create: { width: images.length * (width + gap) - gap, height, channels: 3, background: '#888' },
  })
    .composite(resized.map(({ data }, i) => ({ input: data, left: i * (width + gap), top: 0 })))
    .png()
    .toBuffer();
}

async function write(name: string, image: Buffer): Promise<void> {
  await sharp(image)
    .webp({ quality: 80 })
    .toFile(join(ROOT, 'docs/images', `${name}.webp`));
}
