/** Derivatives of stored files: images in sRGB without metadata, tiles, posters and waveforms. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { BuildReport } from '../../../src/build/steps/build-report.ts';
import { describeTiles } from '../../../src/derivatives/iiif.ts';
import { startChromium } from '../../support/chromium.ts';
import {
  createTestDirectory,
  readFiles,
  runMicroficheJson,
  SAMPLE,
  spawnMicroficheJson,
  startServe,
} from '../../support/commands.ts';
import {
  buildSnapshot,
  computeChecksums,
  createFileRecord,
  createHarvestedSnapshot,
  createImage,
  createPngBomb,
  createRecordWithImage,
  createSegment,
  fileHandler,
  runMedia,
} from '../../support/file-server.ts';
import { createPdf } from '../../support/pdf.ts';
import { startTestUpstream } from '../../support/test-upstream.ts';

/** Returns a recording of the sample archive with random bytes appended, so that its derivatives are not cached. */
const createRecording = (format: string) =>
  Buffer.concat([readFileSync(join(SAMPLE, `media/lica-ferry-1/lica-ferry-1-1-1.${format}`)), Buffer.alloc(16), randomBytes(8)]);

/** Returns a random color, so that the derivatives of an image are not cached. */
const randomColor = () => `#${randomBytes(3).toString('hex')}`;

/** Creates a snapshot with one photograph per file, numbered from 1. */
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

/** A latitude of 60° 10′ as Exif writes it. */
const LATITUDE = Buffer.from([60, 1, 10, 1].flatMap((number) => [number, 0, 0, 0]));

it('rotates images, converts them to sRGB and removes their metadata', async () => {
  const wide = await sharp({ create: { width: 900, height: 600, channels: 3, background: { r: 0, g: 200, b: 0 } } })
    .withIccProfile('p3')
    .withExif({ IFD0: { Artist: 'A. Photographer' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '60/1 10/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 95 })
    .toBuffer();
  const gray16 = await sharp({ create: { width: 700, height: 500, channels: 3, background: '#808080' } })
    .toColorspace('grey16')
    .tiff()
    .toBuffer();
  const cmyk = await sharp({ create: { width: 500, height: 500, channels: 3, background: '#ff0000' } })
    .toColorspace('cmyk')
    .jpeg()
    .toBuffer();
  const before = await sharp(wide).metadata();
  expect([before.orientation, before.exif !== undefined, before.icc !== undefined]).toEqual([6, true, true]);
  const { out, report } = await buildSnapshot(await createPhotographSnapshot([wide, gray16, cmyk]));
  expect(report.problems).toEqual([]);
  const at = (n: number) => [`thumbs/demo-org-1/demo-org-1-${n}.webp`, `media/demo-org-1/demo-org-1-${n}.webp`];
  for (const path of [1, 2, 3].flatMap(at)) {
    const { exif, icc, xmp, iptc, orientation, space, format } = await sharp(join(out, path)).metadata();
    expect([exif, icc, xmp, iptc, orientation, space, format], path).toEqual([...Array(5).fill(undefined), 'srgb', 'webp']);
  }
  const { width, height } = await sharp(join(out, at(1)[1] as string)).metadata();
  expect([width, height]).toEqual([600, 900]);
  const colorAt = async (n: number) => {
    const { data } = await sharp(join(out, at(n)[0] as string))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return [...data.subarray(0, 3)];
  };
  const expectNear = (color: number[], expected: number[]) =>
    expect(Math.max(...color.map((value, i) => Math.abs(value - (expected[i] as number)))), String(color)).toBeLessThan(14);
  // The expected green is what sharp itself converts the Display P3 value (0, 200, 0) to.
  const { data } = await sharp(wide).rotate().toColorspace('srgb').raw().toBuffer({ resolveWithObject: true });
  expectNear(await colorAt(1), [...data.subarray(0, 3)]);
  expectNear(await colorAt(2), [128, 128, 128]);
  const red = await colorAt(3);
  expect(red[0]).toBeGreaterThan(200);
  expect(Math.max(red[1] as number, red[2] as number)).toBeLessThan(80);
});

it('publishes photographs without their positions, with the checksum of what it offers, and does not change the media file', async () => {
  const photograph = await sharp({ create: { width: 90, height: 60, channels: 3, background: randomColor() } })
    .withExif({ IFD0: { Artist: 'A. Photographer' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '60/1 10/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const upstream = await startTestUpstream();
  const { sha1, sha256 } = computeChecksums(photograph);
  const id = `demo-org-1-1-master-${sha1.slice(0, 10)}`;
  upstream.routes.set('/a.jpg', fileHandler({ bytes: photograph }));
  const file = createFileRecord(id, `${upstream.url}/a.jpg`, { mimetype: 'image/jpeg', sha256 });
  const snapshot = await createHarvestedSnapshot(upstream, [file]);
  await runMedia(snapshot, '--kinds', 'original');
  const read = ({ out, report }: Awaited<ReturnType<typeof buildSnapshot>>) => {
    const published = readFileSync(join(out, `media/demo-org-1/${id}.original.jpg`));
    const page = readFileSync(join(out, `objects/${id}.html`), 'utf8');
    return { published, page, stripped: report.stripped, hasPosition: published.includes(LATITUDE) };
  };
  const unchanged = read(await buildSnapshot(snapshot, '--no-search', '--strip-metadata', 'none'));
  expect([unchanged.published.equals(photograph), unchanged.hasPosition, unchanged.stripped]).toEqual([true, true, 0]);
  expect(unchanged.page).toContain(`SHA-256 checksum: ${sha256}. Verified on receipt`);
  const build = await buildSnapshot(snapshot, '--no-search');
  const { published, page, stripped, hasPosition } = read(build);
  expect([hasPosition, stripped, published.length]).toEqual([false, 1, photograph.length]);
  expect([published.includes('A. Photographer'), (await sharp(published).metadata()).orientation]).toEqual([true, 6]);
  expect(page).toContain(
    `SHA-256 checksum: ${computeChecksums(published).sha256}. The location was removed from its metadata for publication.`,
  );
  expect((await runMicroficheJson<{ ok: boolean }>(['verify', '--dir', build.out])).ok).toBe(true);
  expect(readFiles(join(snapshot, 'media')).values().next().value?.equals(photograph)).toBe(true);
});

it('creates no derivative twice, and a full build gives the same site', async () => {
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

it('writes AVIF with --pictures avif', async () => {
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

it('shows a JPEG 2000, which ffmpeg reads if libvips does not, and offers it', async () => {
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
  expect([report.images, report.problems, report.lacking]).toEqual([1, [], []]);
  const { dominant } = await sharp(join(out, 'thumbs/demo-org-1/demo-org-1-1.webp')).stats();
  expect([dominant.r > 140, dominant.g > 60, dominant.b < 60]).toEqual([true, true, true]);
  expect(readFileSync(join(out, 'media/demo-org-1/demo-org-1-1.image.jp2')).equals(bytes)).toBe(true);
});

it('does not open an image above the maximum of pixels, and shows a placeholder instead', async () => {
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

/** A HEIC of 17,000 × 11,000 gray pixels, deflated. */
const LARGE_HEIC = [
  '7dVPaxNBGMfx3+yC5CA2WiMKPSQRwQoFe+txbQqiBelFQW8hTcxAN11rKC0ipPTSUwlevRSMIOJBPPYUUPAdePbiPfin5GCJbBJ7yCuwPt+HYfbZZ4Yd',
  'PrPDrqSZWnM7qVd9RZJiX5tP89iXa5IrxdVmWaMo1FfXNsa5El9paiLOJb4ZDzMnqejX1oePXIrkhhW5x6Or1Lkm6ar3jdrJ/Jxv1KrB+K6+WZlP048+',
  '2UgkvfZJZV3Sdn2zUnJhcrLmoKffx/2+NBXm5XQ5cmfdYJBOCNVOO4UaHAZRQU5zi85NjByosNAK3s98+HZ47+7yyyAtjrpsUU5nllz3ye4FSRf906Q6',
  'WnKxLt3oS8omfsunlTCTyUi65JP472Y5uXAn2JU6c/FquSl1Ctfdu2z0IHPcP/r188dEfP8no/Vmdr9x81G1O94uU62Ynz6w6NZs3iR7um2RnVsxqA5e',
  '2EOf79kzL3y1Z14x+LOODZq3InvmvZY9c9ug+ZVB81uD5q5B82eD5i8GzZ8MmnuYTbQje2Y3ZY98hbdsgFywR87ZIy/bI9+xRy7ZI9/iYBsgP7RHvg0Z',
  'MmQ+X6eTfB8yZMiQIZ8SchkyZMj/BfkZZAPkHcgcbMiQIUOGDBkyZMiQIUOGDBkyZMiQIUOGDBkyZMiQIUOGDBkyZMiQIUOGDBkyZMiQIUOGDBkyZMiQ',
  'IUOGDBkyZMiQIUOGDBkyZMiQIUOGDBkyZMiQIUOGDBkyZMiQIUOGDBkyZMiQIUOGDBkyZMiQIUOGDBkyZMiQIUOGDBkyZDPk538A',
].join('');

it.skipIf(process.platform !== 'linux')('says that a HEIC is too large for the memory that a program may use', async () => {
  const snapshot = await createPhotographSnapshot([inflateRawSync(Buffer.from(LARGE_HEIC, 'base64'))]);
  const { report } = await buildSnapshot(snapshot, '--no-search');
  expect(report.problems.map(({ cause }) => cause)).toEqual([
    'heif-thumbnailer needs more than 1 GB of memory for 187 million pixels',
  ]);
});

describe('tiles', () => {
  it('are created for images above 4,000 pixels, as the IIIF Image API specifies', async () => {
    const large = await sharp({ create: { width: 4801, height: 3203, channels: 3, background: '#a52' } })
      .withExif({ IFD0: { Artist: 'A. Photographer' } })
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
    // Each tile that a viewer may request exists and has its size (IIIF Image API 3.0, implementation notes on tiles).
    const tilePaths = new Set([
      'full/max/0/default.jpg',
      ...info.sizes.map(({ width, height }: Record<string, number>) => `full/${width},${height}/0/default.jpg`),
    ]);
    for (const factor of info.tiles[0].scaleFactors.slice(0, -1) as number[]) {
      const step = 1024 * factor;
      for (let x = 0; x < info.width; x += step) {
        for (let y = 0; y < info.height; y += step) {
          const [w, h] = [Math.min(step, info.width - x), Math.min(step, info.height - y)];
          tilePaths.add(`${x},${y},${w},${h}/${Math.ceil(w / factor)},${Math.ceil(h / factor)}/0/default.jpg`);
        }
      }
    }
    expect([...readFiles(directory).keys()].sort()).toEqual([...tilePaths, 'info.json'].sort());
    for (const path of tilePaths) {
      const { width, height, exif } = await sharp(join(directory, path)).metadata();
      const size = path.split('/')[1] as string;
      expect([size === 'max' ? [1600, 1067] : size.split(',').map(Number), exif], path).toEqual([[width, height], undefined]);
    }
    expect((await runMicroficheJson<{ ok: boolean }>(['verify', '--dir', out])).ok).toBe(true);
  });

  it('are created for images of all sizes whose files not every IIIF viewer shows', async () => {
    const plain = sharp({ create: { width: 1200, height: 800, channels: 3, background: '#a52' } });
    const files = [plain.clone().jpeg(), plain.clone().png(), plain.clone().tiff(), plain.clone().gif()];
    const snapshot = await createPhotographSnapshot(await Promise.all(files.map((file) => file.toBuffer())));
    const { out } = await buildSnapshot(snapshot, '--site', 'https://mirror.example/');
    expect(readdirSync(join(out, 'media/tiles')).sort()).toEqual(['demo-org-1-2', 'demo-org-1-3']);
    const bodyOf = (n: number) => {
      const manifest = JSON.parse(readFileSync(join(out, `iiif/demo-org-1-${n}/manifest.json`), 'utf8'));
      const [canvas] = manifest.items;
      const { body } = canvas.items[0].items[0];
      return [canvas.width, body.width, body.format, body.id.replace('https://mirror.example/', '')];
    };
    expect([1, 2, 3].map(bodyOf)).toEqual([
      [1200, 1200, 'image/jpeg', 'media/demo-org-1/demo-org-1-1.image.jpg'],
      [1200, 1200, 'image/jpeg', 'media/tiles/demo-org-1-2/full/max/0/default.jpg'],
      [1200, 1200, 'image/jpeg', 'media/tiles/demo-org-1-3/full/max/0/default.jpg'],
    ]);
    const tile = sharp(join(out, 'media/tiles/demo-org-1-3/full/max/0/default.jpg'));
    expect(await tile.metadata()).toMatchObject({ width: 1200, height: 800 });
  });

  it('are shown by any IIIF viewer on another host, from info.json', async () => {
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
      // A page of another site, which knows only the URL of info.json.
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

  it('have a relative ID if the URL of the site is not known', () => {
    expect(JSON.parse(describeTiles({ path: 'media/tiles/a', width: 5000, height: 10 }, undefined)).id).toBe('media/tiles/a');
  });
});

describe('derivatives of a PDF, a video and an audio file', () => {
  const audio = 'demo-org-1-1-2';
  const video = 'demo-org-1-1-1';
  let snapshot: string;
  let document: string;
  let transcript: string;
  const transcriptText = 'The lanternfish came back';

  async function createArchive(): Promise<void> {
    const upstream = await startTestUpstream();
    const [bytes, transcriptBytes] = [
      createPdf(`A deed of the harbor ${Math.random()}`),
      createPdf(`${transcriptText} ${Math.random()}`),
    ];
    document = `demo-org-1-2-master-${computeChecksums(bytes).sha1.slice(0, 10)}`;
    transcript = `${audio}-transcript-${computeChecksums(transcriptBytes).sha1.slice(0, 10)}`;
    for (const [path, file] of [
      ['/d.pdf', bytes],
      ['/t.pdf', transcriptBytes],
      ['/v.mp4', createRecording('mp4')],
      ['/s.mp3', createRecording('mp3')],
    ] as const)
      upstream.routes.set(path, fileHandler({ bytes: file }));
    upstream.routes.set(`/api/0.2/${audio}/files/`, {
      total: 1,
      next_offset: null,
      objects: [{ id: transcript, model: 'file', title: 'Transcript' }],
    });
    snapshot = await createHarvestedSnapshot(upstream, [
      createFileRecord(document, `${upstream.url}/d.pdf`, { mimetype: 'application/pdf' }),
      createSegment(video, { mp4: { mimetype: 'video/mp4', url: `${upstream.url}/v.mp4` } }),
      {
        ...createSegment(audio, { mp3: { mimetype: 'audio/mpeg', url: `${upstream.url}/s.mp3` } }),
        links: { 'children-files': `${upstream.url}/api/0.2/${audio}/files/` },
      },
      createFileRecord(transcript, `${upstream.url}/t.pdf`, {
        role: 'transcript',
        parent_id: audio,
        mimetype: 'application/pdf',
      }),
    ]);
    expect(await runMedia(snapshot, '--kinds', 'audio,video,transcript,original')).toMatchObject({ fetched: 4, failures: [] });
  }

  it('are the first page, a poster, a waveform and the transcript’s text if the programs are installed', async () => {
    await createArchive();
    const { out, report } = await buildSnapshot(snapshot);
    expect([report.problems, report.lacking]).toEqual([[], []]);
    const page = (id: string) => readFileSync(join(out, `objects/${id}.html`), 'utf8');
    const poster = /poster="\.\.\/([^"]+)"/.exec(page(video))?.[1] as string;
    expect((await sharp(join(out, poster)).metadata()).format).toBe('webp');
    expect(page(document)).toMatch(/<img src="\.\.\/media\/demo-org-1\/demo-org-1-2-master-\w+\.original\.webp"/);
    expect(page(document)).toContain('.original.pdf"');
    expect(page(audio)).toMatch(/<svg class="wave"[^>]*>\s*<path class="wave-all" d="M1 \d+v\d+M3 /);
    expect(page(audio)).toContain('Length: 0:02');
    expect(page(audio)).toContain(transcriptText);
    const { data } = await sharp(join(out, poster)).raw().toBuffer({ resolveWithObject: true });
    expect(new Set(data).size).toBeGreaterThan(4); // more than one color
  });

  it('are replaced by placeholders and reported if the programs are not installed', async () => {
    await createArchive();
    const out = join(createTestDirectory(), 'dist');
    const bare = { PATH: dirname(process.execPath), HOME: createTestDirectory() };
    // In a process of its own, which looks for the programs again.
    const report = await spawnMicroficheJson<BuildReport>(['build', '--snapshot', snapshot, '--out', out, '--clean'], {
      env: bare,
    });
    expect(report.problems).toEqual([]);
    expect(report.lacking.map(({ tool }) => tool)).toEqual(['ffmpeg', 'poppler-utils']);
    const page = (id: string) => readFileSync(join(out, `objects/${id}.html`), 'utf8');
    expect(page(video)).toContain('<video');
    expect(page(video)).not.toContain('poster=');
    expect(page(audio)).toContain('<audio');
    expect(page(audio)).not.toContain('class="wave"');
    expect(page(document)).toContain('.original.pdf"');
  });
});

/** Returns a port that is not in use. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
