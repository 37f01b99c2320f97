/** EAD3 finding aids: valid by the schema, complete, the same bytes each time, without anything private or withheld. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { beforeAll, expect, inject, it } from 'vitest';
import { programFile } from '../../../scripts/setup/programs.ts';
import { readCatalogue } from '../../../src/catalogue/catalogue.ts';
import { createVisibleStore } from '../../../src/catalogue/read/visible-store.ts';
import { NOTHING_WITHHELD } from '../../../src/catalogue/read/withholding.ts';
import { writeEad } from '../../../src/export/ead/ead.ts';
import type { ExportReport } from '../../../src/export/export-context.ts';
import { openPackage } from '../../../src/export/package/package-writer.ts';
import { openSnapshot } from '../../../src/snapshot/store.ts';
import {
  createSharedDirectory,
  createTestDirectory,
  readFiles,
  runMicroficheJson,
  SAMPLE,
  upstreamOptions,
} from '../../support/commands.ts';
import { writeHostileArchive } from '../../support/hostile-records.ts';
import { addRecords, createRecord, startTestUpstream } from '../../support/test-upstream.ts';

const SCHEMA = join(import.meta.dirname, '../../support/schemas/ead3.rng');
/** The schema of the Society of American Archivists, which is not in this repository; this variable's file is used too. */
const OFFICIAL_SCHEMA = process.env['EAD3_XSD'];

const { path: shared } = createSharedDirectory();
const aids = join(shared, 'aids');
let report: ExportReport;

const exportTo = (to: string, ...more: string[]) =>
  runMicroficheJson<ExportReport>(['export', 'ead', '--snapshot', inject('mirror').snapshot, '--to', to, ...more]);
const xmlFiles = (directory: string) =>
  readdirSync(directory)
    .filter((name) => name.endsWith('.xml'))
    .map((name) => join(directory, name));
const readAid = (directory: string, id: string) => readFileSync(join(directory, `${id}.xml`), 'utf8');

/** Validates files with xmllint. Throws with its messages if one is invalid. */
async function validate(files: string[]): Promise<void> {
  const schemas = [['--relaxng', SCHEMA], ...(OFFICIAL_SCHEMA ? [['--schema', OFFICIAL_SCHEMA]] : [])];
  for (const schema of schemas) await execa(programFile('xmllint'), ['--noout', '--nonet', ...schema, ...files]);
}

/** Returns the strings that an XPath selects. */
async function select(file: string, xpath: string): Promise<string[]> {
  return (await execa(programFile('xmllint'), ['--xpath', xpath, file])).stdout.split('\n');
}
const COMPONENT = "*[local-name()='c']";

beforeAll(async () => {
  report = await exportTo(aids);
});

it('has a valid finding aid for each collection', async () => {
  const ids = ['lica-ferry-1', 'lica-ferry-1000', 'lica-ferry-2', 'lica-quay-1', 'lica-quay-2', 'lica-quay-3'];
  expect(readdirSync(aids).sort()).toEqual([...ids.map((id) => `${id}.xml`), 'manifest-sha256.txt', 'microfiche-export.json']);
  expect(report).toMatchObject({ format: 'ead', files: ids.length + 2, notes: [] });
  await validate(xmlFiles(aids));
});

it('has each public item and segment once, below its parent', async () => {
  const records = readdirSync(join(SAMPLE, 'objects')).map(
    (name) => JSON.parse(readFileSync(join(SAMPLE, 'objects', name), 'utf8')) as Record<string, string>,
  );
  const described = records.filter(({ model, public: isPublic }) => /entity|segment/.test(model ?? '') && isPublic !== '0');
  const found = (
    await Promise.all(
      xmlFiles(aids).map((file) => select(file, `//${COMPONENT}/*[1]/*[local-name()='unitid'][not(@localtype)]/text()`)),
    )
  ).flat();
  expect(new Set(found).size).toBe(found.length);
  expect(described.map(({ id }) => id).filter((id) => !found.includes(id ?? ''))).toEqual([]);
  const [segments] = await select(
    join(aids, 'lica-ferry-1.xml'),
    `string(count(//${COMPONENT}[@level='file']/${COMPONENT}[@otherlevel='segment']))`,
  );
  expect(Number(segments)).toBeGreaterThan(5);
});

it('describes a collection in the words of its record', () => {
  const aid = readAid(aids, 'lica-quay-1');
  for (const part of [
    '<recordid instanceurl="',
    '<agencyname>Lantern Islands Community Archive</agencyname>',
    '<eventdatetime standarddatetime="2015-02-11T09:13:07">',
    '<unitid>lica-quay-1</unitid><unittitle>Harbour Photographs</unittitle>',
    '<unitdate unitdatetype="inclusive" normal="1908/1961">1908-1961</unitdate>',
    '<unitdate unitdatetype="bulk" normal="1938/1951">1938-1951</unitdate>',
    '<physdescstructured physdescstructuredtype="materialtype" coverage="whole"><quantity>40</quantity><unittype>items</unittype>',
    '<langmaterial><language langcode="eng">English</language></langmaterial>',
    '<origination><corpname relator="author"><part>Quayside History Circle</part></corpname></origination>',
    '<physloc>Loft shelf 4, boxes 1–6</physloc>',
    '<bioghist><p>The quay was built in 1871 and has burned <emph render="italic">twice</emph>.</p><p>',
    '<acqinfo><p>Gifts of 31 families, 2009 to 2014.</p></acqinfo>',
  ])
    expect(aid).toContain(part);
});

it('describes an item: date, names by kind, subjects, places, rights and files', () => {
  const [, item = ''] = readAid(aids, 'lica-quay-1').split('<c id="c-lica-quay-1-1" level="item">');
  for (const part of [
    '<unitdate certainty="approximate" normal="1942">c. 1942</unitdate>',
    '<persname relator="photographer"><part>Hugo Fairtide</part></persname>',
    '<subject identifier="12"><part>Work and livelihood</part><part>Fishing</part></subject>',
    '<geographiccoordinates coordinatesystem="WGS84">44.28, -62.91</geographiccoordinates>',
    '<ref href="https://rightsstatements.org/vocab/InC/1.0/" show="new" actuate="onrequest">',
    '<dao daotype="unknown" localtype="image" href="http',
    '<p>image/jpeg, 184254 bytes, SHA-256 7a715629c16f1d6ce2d1f6e90fd1e70968af7bd716f4e12a003ddbd0c675413f</p>',
  ])
    expect(item).toContain(part);
});

it('with --site, links to the pages of the site', async () => {
  const directory = join(createTestDirectory(), 'aids');
  await exportTo(directory, '--site', 'https://mirror.example/archive/', '--collection', 'lica-quay-1');
  expect(readdirSync(directory).sort()).toEqual(['lica-quay-1.xml', 'manifest-sha256.txt', 'microfiche-export.json']);
  await validate(xmlFiles(directory));
  const aid = readAid(directory, 'lica-quay-1');
  expect(aid).toContain('<recordid instanceurl="https://mirror.example/archive/objects/lica-quay-1.html">');
  expect(aid).toContain('<ref href="https://mirror.example/archive/objects/lica-quay-1-9.html"');
});

it('in a package with the media files, links to them', async () => {
  const directory = createTestDirectory();
  const opened = openSnapshot(inject('mirror').snapshot);
  try {
    const publicStore = createVisibleStore(opened, { withholding: NOTHING_WITHHELD, publicOnly: true });
    const catalogue = readCatalogue(publicStore);
    const context = {
      store: publicStore,
      publicStore,
      scope: { collections: undefined, hasWithheld: false },
      catalogue,
      title: 'Archive',
      siteUrl: undefined,
      keyFile: undefined,
      snapshot: '',
      dir: '',
      archiveLanguage: 'en',
      notices: [],
      withSource: false,
    };
    const to = join(directory, 'package');
    const writer = await openPackage(to, { form: 'directory', isOwn: () => Promise.resolve(false) });
    const { files, notes } = await writeEad(context, writer, 'data/finding-aids/', { mediaBase: '../' });
    await writer.finish();
    expect([files.length, notes]).toEqual([6, []]);
    expect(files[0]).toEqual({
      path: 'data/finding-aids/lica-ferry-1.xml',
      digest: expect.objectContaining({ size: expect.any(Number) }),
    });
    await validate(xmlFiles(join(to, 'data/finding-aids')));
    const aid = readAid(join(to, 'data/finding-aids'), 'lica-quay-1');
    const links = [...aid.matchAll(/<dao [^>]*localtype="image" href="([^"]+)"/g)].map(([, href = '']) => href);
    const stored = links.filter((href) => href.startsWith('../'));
    expect(stored.length).toBeGreaterThan(10);
    expect(stored.filter((href) => !existsSync(join(inject('mirror').snapshot, href.slice(3))))).toEqual([]);
    // The others are files that could not be downloaded.
    expect(links.filter((href) => !stored.includes(href) && !href.startsWith('http'))).toEqual([]);
  } finally {
    opened.close();
  }
});

it('is valid for an archive with invalid, huge and hostile values', async () => {
  const directory = createTestDirectory();
  const archive = join(directory, 'archive');
  writeHostileArchive(archive);
  await runMicroficheJson(['export', 'ead', '--snapshot', archive, '--to', join(directory, 'aids')]);
  await validate(xmlFiles(join(directory, 'aids')));
});

it('writes parents in a circle and deep levels once, and names what is in no collection', async () => {
  const directory = createTestDirectory();
  const upstream = await startTestUpstream();
  const chain = Array.from({ length: 150 }, (_, n) => `demo-org-1-${n + 1}`);
  addRecords(upstream, 150, (id) => {
    const position = chain.indexOf(id);
    return { parent_id: position === 0 ? 'demo-org-1' : chain[position - 1] };
  });
  const circle = { model: 'entity', parent_id: 'demo-org-2-2' };
  upstream.routes.set('/api/0.2/demo-org-2-1/', createRecord(upstream, 'demo-org-2-1', circle));
  upstream.routes.set(
    '/api/0.2/demo-org-2-2/',
    createRecord(upstream, 'demo-org-2-2', { model: 'entity', parent_id: 'demo-org-2-1' }),
  );
  const snapshot = join(directory, 'snapshot');
  const roots = ['--root', 'demo-org-1,demo-org-2-1,demo-org-2-2'];
  await runMicroficheJson(['harvest', ...upstreamOptions(upstream.url), '--snapshot', snapshot, ...roots]);
  const to = join(directory, 'aids');
  const { notes } = await runMicroficheJson<ExportReport>(['export', 'ead', '--snapshot', snapshot, '--to', to]);
  expect(notes).toEqual([
    expect.stringMatching(/^2 records without a collection or parent in the snapshot are in none of the finding aids\.$/),
  ]);
  await validate(xmlFiles(to));
  expect(await select(join(to, 'demo-org-1.xml'), `string(count(//${COMPONENT}))`)).toEqual(['150']);
});

it('has nothing that is private or withheld', async () => {
  const directory = createTestDirectory();
  const upstream = await startTestUpstream();
  const secrets: Record<string, Record<string, unknown>> = {
    'demo-org-1-2': { title: 'quillwort', public: '0' },
    'demo-org-1-3': { title: 'samphire' },
    'demo-org-1-4': { description: 'thriftflower', creators: [{ namepart: 'Sea Holly', role: 'author' }] },
  };
  addRecords(upstream, 5, (id) => secrets[id] ?? {});
  const snapshot = join(directory, 'snapshot');
  const inDirectory = { cwd: directory };
  await runMicroficheJson(
    ['harvest', ...upstreamOptions(upstream.url), '--snapshot', snapshot, '--root', 'demo-org-1'],
    inDirectory,
  );
  const config = {
    withhold: [
      { id: 'demo-org-1-3', reason: 'At the family’s request.', date: '2026-10-01' },
      { id: 'demo-org-1-4', fields: 'description', reason: 'It names a neighbor.', date: '2026-10-02' },
      { person: 'Sea Holly', reason: 'By request.', date: '2026-10-04' },
    ],
  };
  writeFileSync(join(directory, 'microfiche.config.json'), JSON.stringify(config));
  const to = join(directory, 'aids');
  await runMicroficheJson(['export', 'ead', '--snapshot', snapshot, '--to', to], inDirectory);
  const text = [...readFiles(to).values()].join('\n');
  expect(text).toContain('Title of demo-org-1-5');
  expect(text).not.toMatch(/quillwort|samphire|thriftflower|Sea Holly|demo-org-1-[23]/);
});
