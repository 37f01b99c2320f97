/** Takes the screenshots of the README from the sample's site in dist/, which `npm run mirror` builds. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core';
import sharp from 'sharp';
import { programFile } from '../setup/programs.ts';

const ROOT = join(import.meta.dirname, '../..');
const SITE = pathToFileURL(join(ROOT, 'dist')).href;
const OPTIONS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];
const WIDE = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 } };
const DARK = { ...PHONE, colorScheme: 'dark' as const };
/** The featured records depend on the day. */
const DAY = new Date('2026-11-21T12:00:00');
/** Pixels. */
const PHONE_IMAGE = { width: 320, gap: 16 };

const browser = await chromium.launch({ executablePath: programFile('chromium'), args: OPTIONS });
try {
  await write('home', await takeScreenshot(browser, 'index.html', WIDE));
  await write('interview', await takeScreenshot(browser, 'objects/lica-ferry-1-1-1.html', WIDE));
  const phones = [
    await takeScreenshot(browser, 'objects/lica-quay-1.html', PHONE),
    await takeScreenshot(browser, 'objects/lica-quay-1-1.html', PHONE),
    await takeScreenshot(browser, 'browse/time/index.html', DARK),
    await takeScreenshot(browser, 'browse/place/index.html', DARK),
  ];
  await write('phone', await putSideBySide(phones));
} finally {
  await browser.close();
}

async function takeScreenshot(from: Browser, path: string, options: BrowserContextOptions): Promise<Buffer> {
  const page = await from.newPage(options);
  await page.clock.setFixedTime(DAY);
  await page.goto(`${SITE}/${path}`, { waitUntil: 'networkidle' });
  const image = await page.screenshot();
  await page.close();
  return image;
}

async function putSideBySide(images: readonly Buffer[]): Promise<Buffer> {
  const { width, gap } = PHONE_IMAGE;
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
