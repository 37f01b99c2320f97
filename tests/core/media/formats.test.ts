/** Files in formats of archives: transcripts in XML, drawings, bitmaps, panoramas, tapes, and PDF files in Japanese. */
import { execFileSync } from 'node:child_process';
import { chmodSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { BuildReport } from '../../../src/build/steps/build-report.ts';
import { createTestDirectory, spawnMicroficheJson } from '../../support/commands.ts';
import {
  buildSnapshot,
  computeChecksums,
  createFileRecord,
  createHarvestedSnapshot,
  createImage,
  createRecordWithImage,
  createSegment,
  fileHandler,
  runMedia,
} from '../../support/file-server.ts';
import { createPdf } from '../../support/pdf.ts';
import { startTestUpstream } from '../../support/test-upstream.ts';

/** Downloads an image of a photograph and builds its site. */
async function publishImage(bytes: Buffer) {
  const upstream = await startTestUpstream();
  upstream.routes.set('/image', fileHandler({ bytes }));
  const snapshot = await createHarvestedSnapshot(upstream, [createRecordWithImage('demo-org-1-1', `${upstream.url}/image`)]);
  const { failures } = await runMedia(snapshot);
  const { out, report } = await buildSnapshot(snapshot, '--site', 'https://mirror.example/');
  const page = readFileSync(join(out, 'objects/demo-org-1-1.html'), 'utf8');
  const sizeOf = async (file: string) => {
    const { width, height } = await sharp(join(out, file)).metadata();
    return [width, height];
  };
  return { out, page, failures, report, sizeOf };
}

/** Harvests a segment whose transcript is a file, downloads both, and returns the snapshot. */
async function harvestTranscript(bytes: Buffer, mimetype: string): Promise<string> {
  const upstream = await startTestUpstream();
  const segment = 'demo-org-1-1';
  const id = `${segment}-transcript-${computeChecksums(bytes).sha1.slice(0, 10)}`;
  upstream.routes.set('/t', fileHandler({ bytes }));
  const objects = [{ id, model: 'file', title: 'Transcript' }];
  upstream.routes.set(`/api/0.2/${segment}/files/`, { total: 1, next_offset: null, objects });
  const snapshot = await createHarvestedSnapshot(upstream, [
    { ...createSegment(segment, {}), links: { 'children-files': `${upstream.url}/api/0.2/${segment}/files/` } },
    createFileRecord(id, `${upstream.url}/t`, { role: 'transcript', parent_id: segment, mimetype }),
  ]);
  expect(await runMedia(snapshot, '--kinds', 'transcript')).toMatchObject({ fetched: 1, failures: [] });
  return snapshot;
}

describe('transcripts in XML', () => {
  it('are shown and found, and offered as a file in which nothing runs', async () => {
    const tei =
      '<?xml version="1.0"?><TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader/><text><body><u who="#ADA">In the sailmaker’s loft.</u></body></text></TEI>';
    const { out } = await buildSnapshot(await harvestTranscript(Buffer.from(tei), 'application/xml'));
    const page = readFileSync(join(out, 'objects/demo-org-1-1.html'), 'utf8');
    expect(page).toContain('In the sailmaker’s loft.');
    expect(page).toMatch(/href="\.\.\/media\/[^"]+\.transcript\.xml\.txt" download/);
    expect(page).not.toContain('The text is not in this copy.');
    const [file = ''] = globSync('media/**/*.xml.txt', { cwd: out });
    expect(readFileSync(join(out, file), 'utf8')).toBe(tei);
  });

  it('that cannot be read are said to be unreadable, not absent', async () => {
    const broken = Buffer.from('PK\u0003\u0004 no document');
    const { out } = await buildSnapshot(await harvestTranscript(broken, 'application/octet-stream'));
    const page = readFileSync(join(out, 'objects/demo-org-1-1.html'), 'utf8');
    expect(page).toContain('The text of this file cannot be shown.');
    expect(page).not.toContain('The text is not in this copy.');
  });
});

it('draws an SVG without what it names elsewhere, and does not offer it', async () => {
  const svg =
    '<!-- a map --><svg xmlns="http://www.w3.org/2000/svg" width="600" height="300"><script>alert(1)</script><image href="file:///etc/hostname" width="9" height="9"/><rect width="600" height="300" fill="#060"/></svg>';
  const { out, page, failures, sizeOf } = await publishImage(Buffer.from(svg));
  expect(failures).toEqual([]);
  expect(await sizeOf('media/demo-org-1/demo-org-1-1.webp')).toEqual([600, 300]);
  expect(page).not.toMatch(/media\/[^"]*\.svg"/);
  expect(globSync('media/**/*.svg', { cwd: out })).toEqual([]);
});

/** Returns pages of a file or frames of an animation, each of a color. */
const joinPages = async (...colors: string[]) => {
  const create = { width: 600, height: 400, channels: 3 } as const;
  const pages = colors.map((background) =>
    sharp({ create: { ...create, background } })
      .png()
      .toBuffer(),
  );
  return sharp(await Promise.all(pages), { join: { animated: true } });
};

it('shows the pages of a TIFF as those of a document, also beside a broken one, which it reports', async () => {
  const bytes = await (await joinPages('#f00', '#0f0', '#00f')).tiff({ compression: 'deflate' }).toBuffer();
  const strips = Array.from(bytes.keys()).filter((at) => bytes.readUInt16BE(Math.min(at, bytes.length - 2)) === 0x789c);
  bytes.fill(0xff, strips[strips.length / 3], (strips[strips.length / 3] as number) + 40);
  const { out, page, report, sizeOf } = await publishImage(bytes);
  const { problems } = report as BuildReport;
  expect(problems.map(({ cause }) => cause)).toEqual([expect.stringMatching(/^page 2 of the image: /)]);
  expect(page).toContain('id="page-1"');
  expect(page).not.toContain('id="page-2"');
  expect(page).toContain('id="page-3"');
  expect(page).toContain('data-position="Page # of 3"');
  expect(await sizeOf('media/demo-org-1/demo-org-1-1.p3.webp')).toEqual([600, 400]);
  const third = await sharp(join(out, 'thumbs/demo-org-1/demo-org-1-1.p3.webp')).stats();
  expect(third.dominant.b).toBeGreaterThan(200);
  expect(page).toContain('tiles/demo-org-1-1.p3?600,400');
  expect(page.match(/Download image/g)?.length).toBe(1);
  const manifest = readFileSync(join(out, 'iiif/demo-org-1-1/manifest.json'), 'utf8');
  const { items } = JSON.parse(manifest) as { items: Array<{ id: string }> };
  expect(items.map(({ id }) => id.replace(/^.*canvas/, ''))).toEqual(['', '/3']);
  expect(manifest).toContain('tiles/demo-org-1-1.p3/full/max/0/default.jpg');
});

it('shows a TIFF once that has smaller copies of itself', async () => {
  const pyramid = { pyramid: true, tile: true, tileWidth: 128, tileHeight: 128 };
  const { page, report } = await publishImage(await createImage(600, 400).then((image) => sharp(image).tiff(pyramid).toBuffer()));
  expect([report.problems, page.includes('id="page-1"')]).toEqual([[], false]);
});

it.each(['gif', 'webp'] as const)('shows the first frame of a moving %s, and opens it with its motion', async (format) => {
  const { out, page } = await publishImage(await (await joinPages('#f00', '#0f0')).toFormat(format).toBuffer());
  const [, href = ''] = /<a class="zoom moving"[^>]* href="([^"]+)"/.exec(page) ?? [];
  expect((await sharp(join(out, 'objects', href)).metadata()).pages).toBe(2);
  expect((await sharp(join(out, 'media/demo-org-1/demo-org-1-1.webp')).metadata()).pages).toBeUndefined();
  expect(page).toContain('Play the animation');
});

it('shows a BMP, and offers it', async () => {
  const pixels = Buffer.alloc(40 * 30 * 3, Buffer.from([0, 80, 200]));
  const header = Buffer.alloc(54);
  header.write('BM');
  for (const [at, value] of [
    [2, 54 + pixels.length],
    [10, 54],
    [14, 40],
    [18, 40],
    [22, 30],
    [34, pixels.length],
  ] as const)
    header.writeUInt32LE(value, at);
  header.writeUInt16LE(1, 26);
  header.writeUInt16LE(24, 28);
  const { page, report } = await publishImage(Buffer.concat([header, pixels]));
  expect(report.lacking).toEqual([]);
  expect(page).toMatch(/<img src="\.\.\/thumbs\/[^"]+" width="40" height="30"/);
  expect(page).toContain('Download image (BMP, ');
});

it('offers an image that no decoder reads, and says that it is not shown', async () => {
  const photoshop = Buffer.concat([Buffer.from('8BPS\0\u0001', 'latin1'), Buffer.alloc(200)]);
  const { page, report } = await publishImage(photoshop);
  expect(report.lacking).toEqual([{ tool: 'a decoder for image/vnd.adobe.photoshop', files: 1 }]);
  expect(page).toContain('This copy cannot show this file. Download it');
  expect(page).toContain('Download image (PSD, ');
});

/** A HEIC file of 64 × 48 pixels, red on the left and blue on the right; its Exif says, as phones do, that it must be turned. */
const HEIC = [
  'AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAA85tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5waXRtAAAAAAACAAAA',
  'EGlkYXQAAAAAAEAAMAAAAExpbG9jAQAAAERAAAMAAQAAAAAAAAPyAAEAAAAAAAAAQgACAAEAAAAAAAAAAQAAAAAAAAAIAAMAAAAAAAAENAABAAAAAAAAALgA',
  'AABNaWluZgAAAAAAAwAAABVpbmZlAgAAAQABAABodmMxAAAAABVpbmZlAgAAAAACAABncmlkAAAAABVpbmZlAgAAAQADAABFeGlmAAAAAsJpcHJwAAACn2lw',
  'Y28AAABzaHZjQwEDcAAAAAAAAAAAAB7wAPz9+PgAAA8DIAABABhAAQwB//8DcAAAAwCQAAADAAADAB66AkAhAAEAJ0IBAQNwAAADAJAAAAMAAAMAHqAggQWW',
  '6uSmubAgAAADACAAAAMAISIAAQAGRAHBc8CJAAAAFGlzcGUAAAAAAAAAQAAAAEAAAAAUaXNwZQAAAAAAAABAAAAAMAAAAexjb2xycHJvZgAAAeBsY21zBCAA',
  'AG1udHJSR0IgWFlaIAfiAAMAFAAJAA4AHWFjc3BNU0ZUAAAAAHNhd3NjdHJsAAAAAAAAAAAAAAAAAAD21gABAAAAANMtaGFuZHnpv1ZaPgG2gyOFVUb3T6oA',
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACmRlc2MAAAD8AAAAJGNwcnQAAAEgAAAAInd0cHQAAAFEAAAAFGNoYWQAAAFYAAAALHJYWVoAAAGEAAAA',
  'FGdYWVoAAAGYAAAAFGJYWVoAAAGsAAAAFHJUUkMAAAHAAAAAIGdUUkMAAAHAAAAAIGJUUkMAAAHAAAAAIG1sdWMAAAAAAAAAAQAAAAxlblVTAAAACAAAABwA',
  'cwBSAEcAQm1sdWMAAAAAAAAAAQAAAAxlblVTAAAABgAAABwAQwBDADAAAFhZWiAAAAAAAAD21gABAAAAANMtc2YzMgAAAAAAAQw/AAAF3f//8yYAAAeQAAD9',
  'kv//+6H///2iAAAD3AAAwHFYWVogAAAAAAAAb6AAADjyAAADj1hZWiAAAAAAAABilgAAt4kAABjaWFlaIAAAAAAAACSgAAAPhQAAtsRwYXJhAAAAAAADAAAA',
  'AmZpAADypwAADVkAABPQAAAKWwAAABBwaXhpAAAAAAMICAgAAAAbaXBtYQAAAAAAAAACAAECgQIAAgMDhIUAAAAoaXJlZgAAAAAAAAAOZGltZwACAAEAAQAA',
  'AA5jZHNjAAMAAQACAAABAm1kYXQAAAA+KAGvWOb06r//5zu//yo9IfYkPbZq0wrQf8fq1iYUOpLdr+gVknAMZYqoYxrvlQefDo9L52k5TdCk01SDGKYAAAAA',
  'SUkqAAgAAAAGABIBAwABAAAABgAAABoBBQABAAAAVgAAABsBBQABAAAAXgAAACgBAwABAAAAAgAAABMCAwABAAAAAQAAAGmHBAABAAAAZgAAAAAAAABIAAAA',
  'AQAAAEgAAAABAAAABgAAkAcABAAAADAyMTABkQcABAAAAAECAwAAoAcABAAAADAxMDABoAMAAQAAAP//AAACoAQAAQAAAEAAAAADoAQAAQAAADAAAAAAAAAA',
].join('');

it('shows a HEIC, turned once, and offers it', async () => {
  const { out, page, report, sizeOf } = await publishImage(Buffer.from(HEIC, 'base64'));
  expect([report.lacking, report.problems]).toEqual([[], []]);
  expect(await sizeOf('thumbs/demo-org-1/demo-org-1-1.webp')).toEqual([64, 48]);
  const left = sharp(join(out, 'thumbs/demo-org-1/demo-org-1-1.webp')).extract({ left: 4, top: 4, width: 20, height: 40 });
  expect((await left.stats()).dominant).toMatchObject({
    r: expect.toSatisfy((red: number) => red > 200),
    b: expect.toSatisfy((blue: number) => blue < 60),
  });
  expect(page).toContain('Download image (HEIC, ');
});

it('reports a HEIC that is broken', async () => {
  const { report } = await publishImage(Buffer.from(HEIC, 'base64').subarray(0, 900));
  expect(report.problems.map(({ cause }) => cause)).toEqual([expect.stringContaining('heif-thumbnailer cannot read the file')]);
});

it.each([
  ['panorama', 6000, 200, [6000, 200], [400, 133], 'zoom wide long'],
  ['scroll', 200, 6000, [200, 6000], [133, 400], 'zoom long'],
  ['very wide panorama', 12_000, 800, [6000, 400], [400, 133], 'zoom wide long'],
] as const)('shows a %s large enough to be seen, in a frame that scrolls', async (_, width, height, shown, thumb, frame) => {
  const background = { r: 90, g: 120, b: 150 };
  const { page, sizeOf } = await publishImage(
    await sharp({ create: { width, height, channels: 3, background } })
      .jpeg()
      .toBuffer(),
  );
  expect(await sizeOf('media/demo-org-1/demo-org-1-1.webp')).toEqual(shown);
  expect(await sizeOf('thumbs/demo-org-1/demo-org-1-1.webp')).toEqual(thumb);
  expect(page).toContain(`class="${frame}"`);
});

it('shows the poster of a tape in the proportions in which it is played', async () => {
  const tape = join(createTestDirectory(), 'tape.mp4');
  const ffmpeg = '-v error -f lavfi -i testsrc=size=720x480:rate=5:duration=1 -vf setsar=8/9 -pix_fmt yuv420p'.split(' ');
  execFileSync('ffmpeg', [...ffmpeg, tape]);
  const upstream = await startTestUpstream();
  upstream.routes.set('/v.mp4', fileHandler({ bytes: readFileSync(tape) }));
  const snapshot = await createHarvestedSnapshot(upstream, [
    createSegment('demo-org-1-1', { mp4: { mimetype: 'video/mp4', url: `${upstream.url}/v.mp4` } }),
  ]);
  await runMedia(snapshot, '--kinds', 'video');
  const { out } = await buildSnapshot(snapshot);
  const { width, height } = await sharp(join(out, 'media/demo-org-1/demo-org-1-1.video.webp')).metadata();
  expect([width, height]).toEqual([640, 480]);
});

it('names the data that a PDF in Japanese needs if they are not installed', async () => {
  const snapshot = await harvestTranscript(createPdf(`A deed ${Math.random()}`), 'application/pdf');
  // Poppler prints this, and exits with 0.
  const tools = createTestDirectory();
  for (const name of ['pdftotext', 'pdftoppm']) {
    writeFileSync(join(tools, name), `#!/bin/sh\necho "Syntax Error: Missing language pack for 'Adobe-Japan1' mapping" >&2\n`);
    chmodSync(join(tools, name), 0o755);
  }
  const report = await spawnMicroficheJson<BuildReport>(
    ['build', '--snapshot', snapshot, '--out', join(createTestDirectory(), 'dist'), '--clean'],
    { env: { PATH: `${tools}:${process.env['PATH']}`, HOME: createTestDirectory() } },
  );
  expect(report.lacking).toEqual([{ tool: 'poppler-data', files: 2 }]);
});
