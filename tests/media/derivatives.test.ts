/** What is made of stored files: pictures in the right colours and without their metadata, tiles, posters, waves; each once, and never of a bad file. */

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { createPdf } from '../../scripts/sample/pdf.ts';
import { describeTiles } from '../../src/derivatives/iiif.ts';
import type { BuildReport } from '../../src/pipeline/build.ts';
import { startChromium } from '../chromium.ts';
import { createTestDirectory, readFiles, runMicroficheJson, SAMPLE, startServe } from '../support.ts';
import { startTestUpstream } from '../test-upstream.ts';
import {
  buildSnapshot,
  createFileRecord,
  createHarvestedSnapshot,
  createImage,
  createPngBomb,
  createRecordWithImage,
  createSegment,
  fileHandler,
  runMedia,
  sumsOf,
} from './file-server.ts';

/** A recording of the sample with some bytes more, so that nothing was made of it before. */
const createRecording = (format: string) =>
  Buffer.concat([readFileSync(join(SAMPLE, `media/lica-ferry-1/lica-ferry-1-1-1.${format}`)), Buffer.alloc(16), randomBytes(8)]);

/** So that nothing was made of it before. */
const randomColor = () => `#${randomBytes(3).toString('hex')}`;

/** A snapshot with one photograph for each file, in their order. */
async function createPhotographSnapshot(files: Buffer[]): Promise<string> {
  const upstream = await startTestUpstream();
  const records = files.map((bytes, n) => {
    upstream.routes.set(`/${n}`, fileHandler({ bytes }));
    return createRecordWithImage(`demo-org-1-${n + 1}`, `${upstream.url}/${n}`);
  });
  const snapshot = await createHarvestedSnapshot(upstream, records);
  expect(await runMedia(snapshot)).toMatchObject({ fetched: files.length, failures: [] });
  return snapshot;
}

it('turns pictures upright, into sRGB, and strips what they tell; what was received stays as it is', async () => {
  const wide = await sharp({ create: { width: 900, height: 600, channels: 3, background: { r: 0, g: 200, b: 0 } } })
    .withIccProfile('p3')
    .withExif({ IFD0: { Artist: 'Somebody' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '60/1 10/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 95 })
    .toBuffer();
  const grey16 = await sharp({ create: { width: 700, height: 500, channels: 3, background: '#808080' } })
    .toColourspace('grey16')
    .tiff()
    .toBuffer();
  const cmyk = await sharp({ create: { width: 500, height: 500, channels: 3, background: '#ff0000' } })
    .toColourspace('cmyk')
    .jpeg()
    .toBuffer();
  const before = await sharp(wide).metadata();
  expect([before.orientation, before.exif !== undefined, before.icc !== undefined]).toEqual([6, true, true]);
  const { out, report } = await buildSnapshot(await createPhotographSnapshot([wide, grey16, cmyk]));
  expect(report.problems).toEqual([]);
  const at = (n: number) => [`thumbs/demo-org-1/demo-org-1-${n}.webp`, `media/demo-org-1/demo-org-1-${n}.webp`];
  for (const path of [1, 2, 3].flatMap(at)) {
    const { exif, icc, xmp, iptc, orientation, space, format } = await sharp(join(out, path)).metadata();
    expect([exif, icc, xmp, iptc, orientation, space, format], path).toEqual([...Array(5).fill(undefined), 'srgb', 'webp']);
  }
  const { width, height } = await sharp(join(out, at(1)[1] as string)).metadata();
  expect([width, height]).toEqual([600, 900]);
  const colour = async (n: number) => {
    const { data } = await sharp(join(out, at(n)[0] as string))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return [...data.subarray(0, 3)];
  };
  const near = (colours: number[], expected: number[]) =>
    expect(Math.max(...colours.map((value, i) => Math.abs(value - (expected[i] as number)))), String(colours)).toBeLessThan(14);
  // What reads (0, 200, 0) in a profile made from sRGB's own numbers is the same green again, seen in sRGB.
  const { data } = await sharp(wide).rotate().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
  near(await colour(1), [...data.subarray(0, 3)]);
  near(await colour(2), [128, 128, 128]);
  const red = await colour(3);
  expect(red[0]).toBeGreaterThan(200);
  expect(Math.max(red[1] as number, red[2] as number)).toBeLessThan(80);
  expect(readFileSync(join(out, 'media/demo-org-1/demo-org-1-1.image.jpg')).equals(wide)).toBe(true);
});

it('makes nothing twice, and the same again when asked anew', async () => {
  const snapshot = await createPhotographSnapshot([
    await createImage(801, 500, randomColor()),
    await createImage(640, 480, randomColor()),
  ]);
  const first = await buildSnapshot(snapshot);
  expect(first.report.made).toBe(4);
  const again = await buildSnapshot(snapshot, '--clean');
  expect(again.report.made).toBe(0);
  expect(readFiles(again.out)).toEqual(readFiles(first.out));
});

it('writes AVIF where that is chosen', async () => {
  const snapshot = await createPhotographSnapshot([await createImage(900, 700, '#0a7b3c')]);
  const { out, report } = await buildSnapshot(snapshot, '--pictures', 'avif');
  expect(report.problems).toEqual([]);
  for (const [path, edge] of [
    ['thumbs/demo-org-1/demo-org-1-1.avif', 400],
    ['media/demo-org-1/demo-org-1-1.avif', 900],
  ] as const) {
    const { format, compression, width } = await sharp(join(out, path)).metadata();
    expect([format, compression, width]).toEqual(['heif', 'av1', edge]);
  }
  const page = readFileSync(join(out, 'objects/demo-org-1-1.html'), 'utf8');
  expect(page).toContain('src="../media/demo-org-1/demo-org-1-1.avif"');
  expect((await runMicroficheJson<{ ok: boolean }>(['verify', '--dir', out])).ok).toBe(true);
});

it('keeps a JPEG 2000 that this machine cannot open, offers it, and says what it lacks', async () => {
  const directory = createTestDirectory();
  await writeFile(
    join(directory, 'a.png'),
    await sharp(await createImage(64, 48))
      .png()
      .toBuffer(),
  );
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-i',
    join(directory, 'a.png'),
    '-c:v',
    'jpeg2000',
    '-format',
    'jp2',
    join(directory, 'a.jp2'),
  ]);
  const bytes = readFileSync(join(directory, 'a.jp2'));
  const { out, report } = await buildSnapshot(await createPhotographSnapshot([bytes]));
  const reads = (sharp.format as { jp2k?: { input: { file: boolean } } }).jp2k?.input.file === true;
  expect([report.pictures, report.problems, report.lacking]).toEqual(
    reads ? [1, [], []] : [0, [], [{ tool: 'libvips with JPEG 2000', files: 1 }]],
  );
  expect(readFileSync(join(out, 'media/demo-org-1/demo-org-1-1.image.jp2')).equals(bytes)).toBe(true);
});

it('opens no picture that would fill the memory, and shows a placeholder in its place', async () => {
  const { out, report } = await buildSnapshot(
    await createPhotographSnapshot([createPngBomb(20_000), await createImage(), (await createImage(400, 300)).subarray(0, 400)]),
  );
  expect(report.problems.map(({ owner, cause }) => [owner, cause])).toEqual([
    ['demo-org-1-1', 'the image exceeds the maximum of 200 million pixels'],
    ['demo-org-1-3', expect.stringMatching(/premature end|VipsJpeg|corrupt|the file/i)],
  ]);
  expect(readFileSync(join(out, 'objects/demo-org-1-1.html'), 'utf8')).not.toContain('demo-org-1-1.webp');
  expect(readFileSync(join(out, 'browse/genre/index.html'), 'utf8')).toContain('<');
  expect(readFiles(join(out, 'thumbs')).size).toBe(1);
});

describe('tiles', () => {
  it('are made above 4,000 pixels only, and described as IIIF has it', async () => {
    const large = await sharp({ create: { width: 4801, height: 3203, channels: 3, background: '#a52' } })
      .withExif({ IFD0: { Artist: 'Somebody' } })
      .jpeg()
      .toBuffer();
    const snapshot = await createPhotographSnapshot([large, await createImage(4000, 300)]);
    const { out } = await buildSnapshot(snapshot, '--site', 'https://mirror.example/archive/');
    expect(readdirSync(join(out, 'media/tiles'))).toEqual(['demo-org-1-1']);
    const directory = join(out, 'media/tiles/demo-org-1-1');
    const info = JSON.parse(readFileSync(join(directory, 'info.json'), 'utf8'));
    expect(info).toMatchObject({
      '@context': 'http://iiif.io/api/image/3/context.json',
      id: 'https://mirror.example/archive/media/tiles/demo-org-1-1',
      type: 'ImageService3',
      protocol: 'http://iiif.io/api/image',
      profile: 'level0',
      width: 4801,
      height: 3203,
      tiles: [{ width: 1024, scaleFactors: [1, 2, 4, 8] }],
    });
    // Each tile that a viewer may ask for is there, in its size (IIIF Image API 3.0, implementation notes on tiles).
    const asked = new Set([
      'full/max/0/default.jpg',
      ...info.sizes.map(({ width, height }: Record<string, number>) => `full/${width},${height}/0/default.jpg`),
    ]);
    for (const factor of info.tiles[0].scaleFactors.slice(0, -1) as number[]) {
      const step = 1024 * factor;
      for (let x = 0; x < info.width; x += step) {
        for (let y = 0; y < info.height; y += step) {
          const [w, h] = [Math.min(step, info.width - x), Math.min(step, info.height - y)];
          asked.add(`${x},${y},${w},${h}/${Math.ceil(w / factor)},${Math.ceil(h / factor)}/0/default.jpg`);
        }
      }
    }
    expect([...readFiles(directory).keys()].sort()).toEqual([...asked, 'info.json'].sort());
    for (const path of asked) {
      const { width, height, exif } = await sharp(join(directory, path)).metadata();
      const size = path.split('/')[1] as string;
      expect([size === 'max' ? [1600, 1067] : size.split(',').map(Number), exif], path).toEqual([[width, height], undefined]);
    }
    expect((await runMicroficheJson<{ ok: boolean }>(['verify', '--dir', out])).ok).toBe(true);
  });

  it('are read by any viewer, from their description', async () => {
    const large = await sharp({ create: { width: 4801, height: 3203, channels: 3, background: '#1a7' } })
      .jpeg()
      .toBuffer();
    const snapshot = await createPhotographSnapshot([large]);
    const port = await freePort();
    const { out } = await buildSnapshot(snapshot, '--site', `http://127.0.0.1:${port}/`);
    const server = await startServe(['--snapshot', snapshot, '--dir', out, '--port', String(port)]);
    const browser = await startChromium();
    try {
      const page = await browser.newPage();
      const failed: string[] = [];
      page.on('response', (response) => response.status() >= 400 && failed.push(response.url()));
      // A page of somebody else's, with the viewer and the address of the description alone.
      await page.setContent('<div id="view" style="width:800px;height:600px"></div>');
      await page.addScriptTag({ path: join(out, 'assets/openseadragon.min.js') });
      const drawn = await page.evaluate(
        (info) =>
          new Promise<number[]>((resolve, reject) => {
            const viewer = window.OpenSeadragon?.({ id: 'view', tileSources: info, drawer: 'canvas', crossOriginPolicy: false });
            const levels = new Set<number>();
            viewer?.addHandler('tile-loaded', ({ tile }) => {
              levels.add(tile.level);
              if (levels.size === 1) viewer.viewport.zoomTo(6, undefined, true);
              if (tile.level === 3) resolve([...levels]);
            });
            viewer?.addHandler('open-failed', ({ message }) => reject(new Error(message)));
          }),
        `http://127.0.0.1:${port}/media/tiles/demo-org-1-1/info.json`,
      );
      expect(drawn).toContain(3);
      expect(failed.filter((url) => url.includes('/tiles/'))).toEqual([]);
    } finally {
      await browser.close();
      await server.stop();
    }
  });

  it('name no address where none is known', () => {
    expect(JSON.parse(describeTiles({ path: 'media/tiles/a', width: 5000, height: 10 }, undefined)).id).toBe('media/tiles/a');
  });
});

describe('of a PDF, a video, a sound', () => {
  const sound = 'demo-org-1-1-2';
  const video = 'demo-org-1-1-1';
  let snapshot: string;
  let document: string;
  let transcript: string;
  const words = 'The lanternfish came back';

  async function archive(): Promise<void> {
    const upstream = await startTestUpstream();
    const [bytes, said] = [createPdf(`A deed of the harbour ${Math.random()}`), createPdf(`${words} ${Math.random()}`)];
    document = `demo-org-1-2-master-${sumsOf(bytes).sha1.slice(0, 10)}`;
    transcript = `${sound}-transcript-${sumsOf(said).sha1.slice(0, 10)}`;
    for (const [path, file] of [
      ['/d.pdf', bytes],
      ['/t.pdf', said],
      ['/v.mp4', createRecording('mp4')],
      ['/s.mp3', createRecording('mp3')],
    ] as const)
      upstream.routes.set(path, fileHandler({ bytes: file }));
    upstream.routes.set(`/api/0.2/${sound}/files/`, {
      total: 1,
      next_offset: null,
      objects: [{ id: transcript, model: 'file', title: 'Transcript' }],
    });
    snapshot = await createHarvestedSnapshot(upstream, [
      createFileRecord(document, `${upstream.url}/d.pdf`, { mimetype: 'application/pdf' }),
      createSegment(video, { mp4: { mimetype: 'video/mp4', url: `${upstream.url}/v.mp4` } }),
      {
        ...createSegment(sound, { mp3: { mimetype: 'audio/mpeg', url: `${upstream.url}/s.mp3` } }),
        links: { 'children-files': `${upstream.url}/api/0.2/${sound}/files/` },
      },
      createFileRecord(transcript, `${upstream.url}/t.pdf`, {
        role: 'transcript',
        parent_id: sound,
        mimetype: 'application/pdf',
      }),
    ]);
    expect(await runMedia(snapshot, '--kinds', 'audio,video,transcript,original')).toMatchObject({ fetched: 4, failures: [] });
  }

  it('there are the first page, a poster, a wave and the words, where this machine has the programs', async () => {
    await archive();
    const { out, report } = await buildSnapshot(snapshot);
    expect([report.problems, report.lacking]).toEqual([[], []]);
    const page = (id: string) => readFileSync(join(out, `objects/${id}.html`), 'utf8');
    const poster = /poster="\.\.\/([^"]+)"/.exec(page(video))?.[1] as string;
    expect((await sharp(join(out, poster)).metadata()).format).toBe('webp');
    expect(page(document)).toMatch(/<img src="\.\.\/media\/demo-org-1\/demo-org-1-2-master-\w+\.original\.webp"/);
    expect(page(document)).toContain('.original.pdf"');
    expect(page(sound)).toMatch(/<svg class="wave"[^>]*>\s*<path class="wave-all" d="M1 \d+v\d+M3 /);
    expect(page(sound)).toContain('Length: 0:02');
    expect(page(sound)).toContain(words);
    const { data } = await sharp(join(out, poster)).raw().toBuffer({ resolveWithObject: true });
    expect(new Set(data).size).toBeGreaterThan(4); // not one colour
  });

  it('there are placeholders and a line in the report, where it has not; nothing else is missing', async () => {
    await archive();
    const out = join(createTestDirectory(), 'dist');
    const bare = { PATH: dirname(process.execPath), HOME: createTestDirectory() };
    const report = await runMicroficheJson<BuildReport>(['build', '--snapshot', snapshot, '--out', out, '--clean'], {
      env: bare,
    });
    expect(report.problems).toEqual([]);
    expect(report.lacking.map(({ tool }) => tool)).toEqual(['ffmpeg', 'poppler-utils']);
    const page = (id: string) => readFileSync(join(out, `objects/${id}.html`), 'utf8');
    expect(page(video)).toContain('<video');
    expect(page(video)).not.toContain('poster=');
    expect(page(sound)).toContain('<audio');
    expect(page(sound)).not.toContain('class="wave"');
    expect(page(document)).toContain('.original.pdf"');
  });
});

/** A port that nobody listens on. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
