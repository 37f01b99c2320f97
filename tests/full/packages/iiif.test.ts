/** IIIF documents: the schema of the IIIF consortium accepts them, and pages link to them. */
import { cpSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { BuildReport } from '../../../src/build/steps/build-report.ts';
import type { ExportReport } from '../../../src/export/export-context.ts';
import { LANGUAGE_FILES } from '../../../src/model/text/languages.ts';
import {
  createSharedDirectory,
  createTestDirectory,
  readFiles,
  runMicrofiche,
  runMicroficheJson,
} from '../../support/commands.ts';
import { sharedSite } from '../../support/shared-sites.ts';
import { createSmallSnapshot } from '../../support/small-packages.ts';

/** The URL for which the shared site was built. */
const SITE = 'https://mirror.example/archive/';
const { snapshot, dist } = inject('mirror');
const shared = createSharedDirectory();
const exported = join(shared.path, 'iiif');
let report: ExportReport;

beforeAll(async () => {
  report = await exportIiif(exported);
});
afterAll(shared.remove);

function exportIiif(to: string, from = snapshot): Promise<ExportReport> {
  return runMicroficheJson<ExportReport>(['export', 'iiif', '--snapshot', from, '--dir', dist, '--site', SITE, '--to', to]);
}

/** Any part of an IIIF resource, as far as the tests read it. */
interface Resource {
  id: string;
  type: string;
  items?: Resource[];
  label?: Record<string, string[]>;
  body?: Resource;
  service?: Resource[];
  annotations?: Resource[];
  structures?: Resource[];
  motivation?: string;
  format?: string;
  language?: string;
  width?: number;
  height?: number;
  duration?: number;
  rights?: string;
  [property: string]: unknown;
}

const read = (path: string) => JSON.parse(readFileSync(join(dist, path), 'utf8')) as Resource;
const manifestOf = (id: string) => read(`iiif/${id}/manifest.json`);
const documents = (directory: string) =>
  [...readFiles(join(directory, 'iiif')).keys()].filter((path) => !path.endsWith('record.json'));

/** Yields every part of a resource, itself included. */
function* partsOf(value: unknown): Generator<Resource> {
  if (typeof value !== 'object' || value === null) return;
  if ('id' in value && 'type' in value) yield value as Resource;
  for (const part of Object.values(value)) yield* partsOf(part);
}

/** Returns what the annotations of a canvas have as their bodies. */
const bodiesOf = (canvas: Resource, list: 'items' | 'annotations' = 'items') =>
  (canvas[list] ?? []).flatMap(({ items = [] }) => items.flatMap(({ body }) => body ?? []));

/**
 * The schema has no license, so it is not part of this repository: `IIIF_SCHEMA=…/schema/iiif_3_0.json`, from the repository
 * IIIF/presentation-validator. Needs Debian's package python3-jsonschema, as that validator does.
 */
const SCHEMA = process.env['IIIF_SCHEMA'];
const VALIDATE = `import json, sys
from jsonschema import Draft7Validator, FormatChecker
validator = Draft7Validator(json.load(open(sys.argv[1])), format_checker=FormatChecker())
for path in sys.stdin.read().splitlines():
    for error in validator.iter_errors(json.load(open(path))):
        print(path, error.message[:200], [c.message[:100] for c in error.context][:5])
`;

describe.skipIf(SCHEMA === undefined)('the JSON schema of Presentation 3', () => {
  const validate = async (files: readonly string[]) =>
    (await execa('python3', ['-c', VALIDATE, SCHEMA as string], { input: files.join('\n') })).stdout;

  it('accepts all documents', async () => {
    const files = documents(dist).map((path) => join(dist, 'iiif', path));
    expect(files.length).toBeGreaterThan(100);
    expect(await validate(files)).toBe('');
  });

  it.each([
    ['a relative ID', (manifest: Resource) => Object.assign(manifest, { id: 'iiif/manifest.json' })],
    ['other rights', (manifest: Resource) => Object.assign(manifest, { rights: 'https://mirror.example/terms' })],
    ['a label without language', (manifest: Resource) => Object.assign(manifest, { label: 'Nets' })],
  ])('refuses %s', async (_, change) => {
    const file = join(createTestDirectory(), 'manifest.json');
    const manifest = manifestOf('lica-ferry-1-1');
    change(manifest);
    writeFileSync(file, JSON.stringify(manifest));
    expect(await validate([file])).not.toBe('');
  });
});

it('describes an image with its size, and large ones with their tiles', async () => {
  const manifest = manifestOf('lica-quay-1-2');
  const tiled = (manifest.items ?? []).flatMap((canvas) => bodiesOf(canvas)).filter(({ service }) => service);
  expect(tiled.length).toBeGreaterThan(0);
  for (const { id, service = [] } of tiled) {
    expect(service[0]).toMatchObject({ type: 'ImageService3', profile: 'level0' });
    expect(read(`${pathOf(service[0]?.id ?? '')}/info.json`).id).toBe(service[0]?.id);
    expect(id).toBe(`${service[0]?.id}/full/max/0/default.jpg`);
  }
  for (const path of documents(dist).filter((name) => name.endsWith('manifest.json')))
    for (const canvas of read(`iiif/${path}`).items ?? [])
      for (const body of bodiesOf(canvas).filter(({ type }) => type === 'Image')) {
        const {
          autoOrient: { width, height },
        } = await sharp(join(dist, pathOf(body.id))).metadata();
        expect([body.width, body.height]).toEqual([width, height]);
        expect(Math.abs((canvas.width as number) / (canvas.height as number) - width / height)).toBeLessThan(0.01);
      }
});

it('paints JPEG files or tiles, which every viewer shows', () => {
  const painted = documents(dist)
    .filter((name) => name.endsWith('manifest.json'))
    .flatMap((path) => (read(`iiif/${path}`).items ?? []).flatMap((canvas) => bodiesOf(canvas)))
    .filter(({ type }) => type === 'Image');
  expect(painted.length).toBeGreaterThan(50);
  expect(painted.filter(({ format }) => format !== 'image/jpeg')).toEqual([]);
});

it('lists the pages of a document in order', () => {
  const canvases = manifestOf('lica-quay-2-1').items ?? [];
  const page = readFileSync(join(dist, 'objects/lica-quay-2-1.html'), 'utf8');
  const leaves = [...page.matchAll(/<figcaption>\s*\d+\. <a href="\.\.\/objects\/([^"]+)\.html"/g)].map(([, id]) => id);
  expect(leaves.length).toBeGreaterThan(2);
  expect(canvases.map(({ id }) => id.split('/').at(-2))).toEqual(leaves);
});

it('has the recordings of an interview with durations, captions, and a range for each segment', () => {
  const { items = [], structures = [] } = manifestOf('lica-ferry-1-1');
  const [first] = items;
  expect(first?.duration).toBe(2); // the record also states a longer extent, of the tape
  expect(bodiesOf(first as Resource)).toEqual([
    expect.objectContaining({ type: 'Video', format: 'video/mp4', duration: 2, width: 96, height: 72 }),
  ]);
  expect(first?.annotations?.[0]?.items?.[0]).toMatchObject({
    motivation: 'supplementing',
    body: { type: 'Text', format: 'text/vtt', language: 'en' },
    target: first?.id,
  });
  const segments = structures[0]?.items ?? [];
  expect(segments.flatMap((range) => range.items?.map(({ id }) => id))).toEqual(items.map(({ id }) => id));
  expect(manifestOf('lica-ferry-1-1-1').items?.[0]).toMatchObject({ id: first?.id, duration: 2 });
  const sound = (manifestOf('lica-ferry-1-4').items ?? []).filter((canvas) => bodiesOf(canvas)[0]?.type === 'Sound');
  expect(sound.map(({ width, duration }) => [width, duration])).toEqual(
    [220, 214, 245, 226].map((seconds) => [undefined, expect.closeTo(seconds, 0)]),
  );
});

it('has no images beside recordings, which Universal Viewer would not play then', () => {
  for (const path of documents(dist).filter((name) => name.endsWith('manifest.json'))) {
    const types = (read(`iiif/${path}`).items ?? []).flatMap((canvas) => bodiesOf(canvas).map(({ type }) => type === 'Image'));
    expect([path, new Set(types).size]).toEqual([path, 1]);
  }
  // The last segment of this interview has no recording in this site. Its own manifest has its still image.
  expect((manifestOf('lica-ferry-1-1').items ?? []).map(({ id }) => id.split('/').at(-2))).toEqual(
    [1, 2, 3].map((n) => `lica-ferry-1-1-${n}`),
  );
  expect(bodiesOf(manifestOf('lica-ferry-1-1-4').items?.[0] as Resource)).toEqual([expect.objectContaining({ type: 'Image' })]);
});

it('has no ID twice, and links only to files of the site', () => {
  for (const path of documents(dist)) {
    const resource = read(`iiif/${path}`);
    expect(pathOf(resource.id)).toBe(`iiif/${path}`);
    const own = [...partsOf(resource)];
    const defined = own.filter(
      ({ type, items }) => items !== undefined && ['Canvas', 'Annotation', 'AnnotationPage', 'Range'].includes(type),
    );
    expect(new Set(defined.map(({ id }) => id)).size).toBe(defined.length);
    for (const { id, type } of own) {
      if (!id.startsWith(SITE)) expect(id).toMatch(/^https?:\/\//);
      else if (/^(?:Image|Video|Sound|Text|Dataset|Manifest|Collection)$/.test(type))
        expect([id, existsSync(join(dist, pathOf(id)))]).toEqual([id, true]);
    }
    expect(resource.rights ?? 'http://rightsstatements.org/vocab/').toMatch(
      /^http:\/\/(?:creativecommons|rightsstatements)\.org\//,
    );
  }
});

it('lists every item below the collection at the top', () => {
  const top = read('iiif/collection.json');
  const lists = (top.items ?? []).flatMap(({ id, type }) => (type === 'Collection' ? (read(pathOf(id)).items ?? []) : [{ id }]));
  const items = documents(dist).filter((path) => /^[a-z]+-[a-z]+-\d+-\d+\/manifest\.json$/.test(path));
  expect(lists.map(({ id }) => pathOf(id).slice('iiif/'.length)).sort()).toEqual(items.sort());
});

it('exports the same documents as the site has', async () => {
  await execa('diff', ['-r', join(dist, 'iiif'), join(exported, 'iiif')]);
  for (const [path, text] of readFiles(join(exported, 'media'))) expect(text).toEqual(readFileSync(join(dist, 'media', path)));
  expect(readFileSync(join(exported, 'README.txt'), 'utf8')).toContain(`${SITE}iiif/collection.json`);
  expect(report.notes).toEqual([]);
  expect(report.files).toBe(readFiles(exported).size);
});

it('has what an archive publishes, and nothing else', async () => {
  const directory = createTestDirectory();
  const withhold = [{ id: 'lica-ferry-1-1', reason: 'By request.', date: '2026-10-01' }];
  writeFileSync(join(directory, 'microfiche.config.json'), JSON.stringify({ withhold }));
  const [to, own] = [join(directory, 'out'), join(directory, 'snapshot')];
  cpSync(snapshot, own, { recursive: true }); // it remembers what is withheld
  const options = ['--snapshot', own, '--dir', dist, '--site', SITE, '--to', to];
  await runMicroficheJson(['export', 'iiif', ...options], { cwd: directory });
  const files = readFiles(to);
  const text = [...files.values()].join('\n');
  expect(files.has('iiif/lica-ferry-1-2/manifest.json')).toBe(true);
  expect([...files.keys()].filter((path) => /lica-ferry-1-1(?!\d)/.test(path))).toEqual([]);
  expect(text).not.toMatch(/\/lica-ferry-1-1(?!\d)|Leif Vane Interview/);
  expect(text).not.toContain('search_hidden');
  for (const id of privateRecords()) expect([id, text.includes(id)]).toEqual([id, false]);
});

/** Returns the IDs of the sample's private records. */
function privateRecords(): string[] {
  const objects = readFiles('content/sample/objects');
  const ids = [...objects.values()]
    .map((body) => JSON.parse(body.toString()) as { id?: string; public?: unknown })
    .flatMap(({ id, public: isPublic }) => (id !== undefined && String(isPublic) === '0' ? [id] : []));
  expect(ids.length).toBeGreaterThan(0);
  return ids;
}

it('is not made without the URL of the site, or without a site', async () => {
  const directory = createTestDirectory();
  const to = join(directory, 'out');
  const usage = await runMicrofiche(['export', 'iiif', '--snapshot', snapshot, '--dir', dist, '--to', to]);
  expect([usage.code, usage.stderr]).toEqual([
    2,
    expect.stringMatching(/needs the URL where it will be hosted\. Give it with --site\./),
  ]);
  const options = ['--snapshot', snapshot, '--site', SITE, '--to', to];
  const missing = await runMicrofiche(['export', 'iiif', ...options, '--dir', join(directory, 'nothing')]);
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringMatching(/^microfiche: No site was found in /)]);
  expect(existsSync(to)).toBe(false);
});

describe('pages', () => {
  const page = (name: string, directory = dist) => readFileSync(join(directory, name), 'utf8');

  it('link to the IIIF manifests with a name in each language', async () => {
    const directory = await sharedSite('--languages', 'en,es,ja', '--site', SITE);
    for (const [prefix, { object }] of [
      ['', LANGUAGE_FILES.en],
      ['es/', LANGUAGE_FILES.es],
      ['ja/', LANGUAGE_FILES.ja],
    ] as const)
      for (const [name, path, label] of [
        ['objects/lica-ferry-1-1.html', 'iiif/lica-ferry-1-1/manifest.json', object.iiifManifest],
        ['objects/lica-ferry-1.html', 'iiif/lica-ferry-1/collection.json', object.iiifCollection],
        ['collections/index.html', 'iiif/collection.json', object.iiifCollection],
      ] as const) {
        const [, href, content = ''] =
          /<a href="([^"]*\/iiif\/[^"]*)"[^>]*>([\s\S]*?)<\/a>/.exec(page(`${prefix}${name}`, directory)) ?? [];
        expect([href, content.replace(/<svg[\s\S]*<\/svg>/, '').trim()]).toEqual([`${SITE}${path}`, label]);
        expect(content).toContain('<svg');
      }
    const linked = [...readFiles(join(directory, 'objects'))].filter(([, html]) => html.includes('/manifest.json"'));
    expect(linked.length).toBe(documents(directory).filter((path) => path.endsWith('manifest.json')).length);
  });

  it('do not link to anything without the URL of the site, nor in a kiosk', async () => {
    const directory = createTestDirectory();
    const small = join(directory, 'snapshot');
    await createSmallSnapshot(small);
    for (const options of [['--site', SITE], [], ['--kiosk', '--site', SITE]]) {
      const out = join(directory, `dist-${options.length}`);
      await runMicroficheJson(['build', '--snapshot', small, '--out', out, '--no-search', ...options]);
      const hasIiif = options.length === 2;
      const files = [...readFiles(out)];
      expect(files.some(([path]) => path.startsWith('iiif/'))).toBe(hasIiif);
      expect(files.some(([path, bytes]) => path.endsWith('.html') && bytes.includes('/iiif/'))).toBe(hasIiif);
    }
  });

  it('and IIIF manifests are written again only if they change', async () => {
    const directory = createTestDirectory();
    const out = join(directory, 'dist');
    const own = join(directory, 'snapshot');
    cpSync(snapshot, own, { recursive: true });
    const build = (options: string[] = []) =>
      runMicroficheJson<BuildReport>(['build', '--snapshot', own, '--out', out, '--site', SITE, '--no-search', ...options]);
    await build();
    const times = () => new Map(documents(out).map((path) => [path, statSync(join(out, 'iiif', path)).ino]));
    const before = times();
    expect((await build()).written).toBe(0);
    expect(times()).toEqual(before);
    const manifest = readFileSync(join(out, 'manifest-sha256.txt'), 'utf8');
    for (const path of documents(out)) expect(manifest).toContain(`  iiif/${path}\n`);
    await build(['--collection', 'lica-quay-1']);
    expect(documents(out).every((path) => /^(?:lica-quay-1[-/]|collection\.json)/.test(path))).toBe(true);
    expect((await runMicrofiche(['verify', '--snapshot', own, '--dir', out])).code).toBe(0);
  });
});

function pathOf(url: string): string {
  expect(url.startsWith(SITE)).toBe(true);
  return url.slice(SITE.length);
}
