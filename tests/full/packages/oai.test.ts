/** OAI-PMH: a harvester of others reads all records with tokens, and nothing private or withheld is in any response. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { programFile } from '../../../scripts/setup/programs.ts';
import {
  createTestDirectory,
  runMicrofiche,
  runMicroficheJson,
  SAMPLE,
  spawnServe,
  startServe,
  upstreamOptions,
} from '../../support/commands.ts';
import { writeHostileArchive } from '../../support/hostile-records.ts';
import { addRecords, createRecord, startTestUpstream } from '../../support/test-upstream.ts';

const SCHEMA = join(import.meta.dirname, '../../support/schemas/oai-pmh.rng');
/** A schema that imports those of OAI-PMH and oai_dc, not in this repository; this variable's file is used too. */
const OFFICIAL_SCHEMA = process.env['OAI_XSD'];

/** Requests a verb of a server, checks the response with xmllint, and returns it. */
async function request(base: string, query: string, options?: RequestInit): Promise<string> {
  const response = await fetch(`${base}/oai${query === '' ? '' : `?${query}`}`, options);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/xml; charset=utf-8']);
  const xml = await response.text();
  const schemas = [['--relaxng', SCHEMA], ...(OFFICIAL_SCHEMA ? [['--schema', OFFICIAL_SCHEMA]] : [])];
  for (const schema of schemas) await execa(programFile('xmllint'), ['--noout', '--nonet', ...schema, '-'], { input: xml });
  return xml;
}

const all = (xml: string, element: string) =>
  [...xml.matchAll(new RegExp(`<${element}(?: [^>]*)?>([^<]*)</${element}>`, 'g'))].map(([, text = '']) => text);
const errorOf = (xml: string) => /<error code="(\w+)">/.exec(xml)?.[1];
const idsIn = (xml: string) => all(xml, 'identifier').map((identifier) => identifier.split(':').at(-1));

/** Returns the IDs of a complete list, page by page. */
async function harvest(base: string, verb: string, query = ''): Promise<string[][]> {
  const pages: string[][] = [];
  for (let token: string | undefined, next = `verb=${verb}&metadataPrefix=oai_dc${query}`; next !== ''; ) {
    const xml = await request(base, next);
    pages.push(idsIn(xml) as string[]);
    token = all(xml, 'resumptionToken')[0];
    next = token ? `verb=${verb}&resumptionToken=${encodeURIComponent(token)}` : '';
  }
  return pages;
}

/** Harvests all records with the program oai_pmh, which follows the tokens. Returns its output for each record. */
async function harvestWithPerl(base: string, ...options: string[]): Promise<string[]> {
  const { stdout } = await execa(programFile('oai_pmh'), [
    '-X',
    'ListRecords',
    '--metadataPrefix',
    'oai_dc',
    ...options,
    `${base}/oai`,
  ]);
  return stdout.split('\f').filter((record) => record.includes('identifier: '));
}

describe('of the sample', () => {
  let server: Awaited<ReturnType<typeof startServe>>;
  beforeAll(async () => {
    server = await startServe(['--snapshot', inject('mirror').snapshot, '--admin-email', 'keeper@lantern-islands.example']);
  });
  afterAll(() => server.stop());

  it('identifies itself', async () => {
    const xml = await request(server.url, 'verb=Identify');
    expect(all(xml, 'repositoryName')).toEqual(['Lantern Islands Community Archive']);
    expect(all(xml, 'adminEmail')).toEqual(['keeper@lantern-islands.example']);
    expect(all(xml, 'baseURL')).toEqual([`${server.url}/oai`]);
    expect(all(await request(server.url, 'verb=ListMetadataFormats'), 'metadataPrefix')).toEqual(['oai_dc']);
    const sets = await request(server.url, 'verb=ListSets');
    expect(all(sets, 'setSpec')).toEqual([
      'lica-ferry-1',
      'lica-ferry-1000',
      'lica-ferry-2',
      'lica-quay-1',
      'lica-quay-2',
      'lica-quay-3',
    ]);
    expect(all(sets, 'setName')).toContain('Harbour Photographs');
  });

  it('lists each public collection, item and segment once', async () => {
    const records = readdirSync(join(SAMPLE, 'objects')).map(
      (name) => JSON.parse(readFileSync(join(SAMPLE, 'objects', name), 'utf8')) as Record<string, string>,
    );
    const isListed = ({ model, public: isPublic }: Record<string, string>) =>
      /collection|entity|segment/.test(model ?? '') && isPublic !== '0';
    const expected = records.filter(isListed).map(({ id }) => id);
    const pages = await harvest(server.url, 'ListRecords');
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flat().sort()).toEqual(expected.sort());
    expect((await harvest(server.url, 'ListIdentifiers')).flat().sort()).toEqual(expected);
    const ofSet = (await harvest(server.url, 'ListIdentifiers', '&set=lica-quay-1')).flat();
    expect(ofSet.sort()).toEqual(expected.filter((id) => /^lica-quay-1(?:-|$)/.test(id ?? '')));
  });

  it('is read by a harvester of Debian', async () => {
    const harvested = await harvestWithPerl(server.url);
    const listed = (await harvest(server.url, 'ListIdentifiers')).flat();
    expect(harvested.map((record) => /identifier: \S+:(\S+)/.exec(record)?.[1])).toEqual(listed);
    const record = harvested.find((one) => one.includes(':lica-quay-1-1\n')) ?? '';
    for (const element of [
      '<dc:title>Nets drying on the quay</dc:title>',
      '<dc:creator>Hugo Fairtide</dc:creator>',
      '<dc:date>1942</dc:date>',
      '<dc:type>StillImage</dc:type>',
      '<dc:relation>Harbour Photographs</dc:relation>',
      '<dc:rights>https://rightsstatements.org/vocab/InC/1.0/</dc:rights>',
    ])
      expect(record).toContain(element);
    expect((await harvestWithPerl(server.url, '--set', 'lica-quay-1')).length).toBe(
      listed.filter((id) => /^lica-quay-1(?:-|$)/.test(id)).length,
    );
  });

  it('returns one record, also by POST', async () => {
    const [identifier = ''] = all(await request(server.url, 'verb=ListIdentifiers&metadataPrefix=oai_dc'), 'identifier');
    const query = `verb=GetRecord&metadataPrefix=oai_dc&identifier=${encodeURIComponent(identifier)}`;
    const byGet = await request(server.url, query);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const byPost = await request(server.url, '', { method: 'POST', body: query, headers });
    expect(all(byGet, 'identifier')[0]).toBe(identifier);
    expect(all(byPost, 'identifier')).toEqual(all(byGet, 'identifier'));
    const large = await fetch(`${server.url}/oai`, { method: 'POST', body: 'x'.repeat(20_000), headers });
    expect(large.status).toBe(413);
    expect((await fetch(`${server.url}/oai`, { method: 'DELETE' })).status).toBe(405);
  });

  it('selects by datestamp, with days and seconds', async () => {
    const list = 'verb=ListIdentifiers&metadataPrefix=oai_dc';
    const [time = ''] = all(await request(server.url, list), 'datestamp');
    const day = time.slice(0, 10);
    const count = async (bounds: string) => idsIn(await request(server.url, `${list}${bounds}`)).length;
    const total = await count('');
    expect(await count(`&from=${day}&until=9999-12-31`)).toBe(total);
    expect(await count(`&from=${time}`)).toBe(total);
    expect(await count(`&until=${time}`)).toBeGreaterThan(0);
    expect(errorOf(await request(server.url, `${list}&until=2000-01-01`))).toBe('noRecordsMatch');
    expect(errorOf(await request(server.url, `${list}&from=9999-01-01`))).toBe('noRecordsMatch');
  });

  it.each([
    ['', 'badVerb'],
    ['verb=Steal', 'badVerb'],
    ['verb=__proto__', 'badVerb'],
    ['verb=Identify&verb=Identify', 'badVerb'],
    ['verb=Identify&set=a', 'badArgument'],
    ['verb=ListRecords', 'badArgument'],
    ['verb=ListRecords&metadataPrefix=oai_dc&metadataPrefix=oai_dc', 'badArgument'],
    ['verb=ListRecords&metadataPrefix=oai_dc&from=yesterday', 'badArgument'],
    ['verb=ListRecords&metadataPrefix=oai_dc&from=2026-02-30', 'badArgument'],
    ['verb=ListRecords&metadataPrefix=oai_dc&from=2026-01-01&until=2026-01-02T00:00:00Z', 'badArgument'],
    ['verb=ListRecords&metadataPrefix=oai_dc&from=2026-01-02&until=2026-01-01', 'badArgument'],
    ['verb=ListRecords&metadataPrefix=oai_dc&set=%3Cset%3E', 'badArgument'],
    ['verb=ListRecords&metadataPrefix=oai_dc&resumptionToken=x', 'badArgument'],
    ['verb=ListRecords&metadataPrefix=oai_dc&set=no-such-1', 'noRecordsMatch'],
    ['verb=ListRecords&metadataPrefix=marc', 'cannotDisseminateFormat'],
    ['verb=ListRecords&metadataPrefix=%3C%22%26', 'cannotDisseminateFormat'],
    ['verb=GetRecord&identifier=oai:x:y', 'badArgument'],
    ['verb=GetRecord&identifier=oai:x:y&metadataPrefix=marc', 'cannotDisseminateFormat'],
    ['verb=GetRecord&identifier=oai:x:y&metadataPrefix=oai_dc', 'idDoesNotExist'],
    ['verb=GetRecord&identifier=%3Cscript%3E%00&metadataPrefix=oai_dc', 'idDoesNotExist'],
    ['verb=ListMetadataFormats&identifier=oai:x:__proto__', 'idDoesNotExist'],
    ['verb=ListRecords&resumptionToken=%3Cscript%3E%01', 'badResumptionToken'],
    ['verb=ListRecords&resumptionToken=!!!2026-01-01T00:00:00Z!demo-org-1!0', 'badResumptionToken'],
    ['verb=ListRecords&resumptionToken=!!!9999-01-01T00:00:00Z!demo-org-1!100', 'badResumptionToken'],
    ['verb=ListRecords&resumptionToken=!!..!2026-01-01T00:00:00Z!demo-org-1!100', 'badResumptionToken'],
    ['verb=ListSets&resumptionToken=demo!x', 'badResumptionToken'],
    ['verb=ListSets&resumptionToken=zzz-1-1!500', 'badResumptionToken'],
  ])('reports %s as %s', async (query, code) => {
    expect(errorOf(await request(server.url, query))).toBe(code);
  });
});

it('lists removed, withheld and purged records as deleted, and private ones not at all', async () => {
  const directory = createTestDirectory();
  const upstream = await startTestUpstream();
  const secrets: Record<string, Record<string, unknown>> = {
    'demo-org-1-2': { title: 'quillwort', public: '0' },
    'demo-org-1-3': { title: 'samphire' },
    'demo-org-1-4': { title: 'thriftflower' },
    'demo-org-1-5': { title: 'marramgrass' },
    'demo-org-1-6': { title: 'tormentil' },
    'demo-org-1-7': { creators: [{ namepart: 'Sea Holly', role: 'author' }] },
    'demo-org-1-8': { title: 'speedwell', public: '0' },
  };
  addRecords(upstream, 9, (id) => secrets[id] ?? {});
  upstream.routes.set(
    '/api/0.2/demo-org-1-2-1/',
    createRecord(upstream, 'demo-org-1-2-1', { model: 'segment', title: 'quillwort' }),
  );
  const snapshot = join(directory, 'snapshot');
  const inDirectory = { cwd: directory };
  const roots = ['--root', 'demo-org-1,demo-org-1-2-1'];
  const run = () =>
    runMicroficheJson(['harvest', ...upstreamOptions(upstream.url), '--snapshot', snapshot, '--full', ...roots], inDirectory);
  await run();
  upstream.routes.delete('/api/0.2/demo-org-1-6/');
  for (let i = 0; i < 2; i++) await run();
  await runMicroficheJson(['purge', 'demo-org-1-5', '--snapshot', snapshot, '--yes', '--reason', 'By request'], inDirectory);
  const config = {
    withhold: [
      { id: 'demo-org-1-3', reason: 'At the family’s request.', date: '2026-10-01' },
      { id: 'demo-org-1-4', reason: 'Lent.', date: '2026-10-03', page: 'none' },
      { id: 'demo-org-1-8', reason: 'Private in any case.', date: '2026-10-04' },
      { person: 'Sea Holly', reason: 'By request.', date: '2026-10-04' },
    ],
  };
  writeFileSync(join(directory, 'microfiche.config.json'), JSON.stringify(config));
  // The default host without a site: the records API serves private records, OAI-PMH does not.
  const server = await spawnServe(['--snapshot', snapshot], directory);
  try {
    const xml = await request(server.url, 'verb=ListRecords&metadataPrefix=oai_dc');
    const deleted = [...xml.matchAll(/status="deleted"><identifier>[^<]*:([^<:]*)</g)].map(([, id]) => id);
    expect(deleted.sort()).toEqual(['demo-org-1-3', 'demo-org-1-5', 'demo-org-1-6']);
    expect(xml).toContain('<datestamp>2026-10-01T23:59:59Z</datestamp>');
    const shown = idsIn(xml).filter((id) => !deleted.includes(id));
    expect(shown.sort()).toEqual(['demo-org-1', 'demo-org-1-1', 'demo-org-1-7', 'demo-org-1-9']);
    expect(xml).not.toMatch(/quillwort|samphire|thriftflower|marramgrass|tormentil|speedwell|Sea Holly/);
    for (const id of ['demo-org-1-2', 'demo-org-1-2-1', 'demo-org-1-4', 'demo-org-1-8']) {
      const one = await request(server.url, `verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:archive.invalid:${id}`);
      expect(errorOf(one)).toBe('idDoesNotExist');
    }
    const removed = await request(server.url, 'verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:archive.invalid:demo-org-1-6');
    expect(removed).toMatch(/<record><header status="deleted">.*<\/header><\/record>/);
  } finally {
    await server.stop();
  }
});

it('is valid for an archive with invalid, huge and hostile values', async () => {
  const archive = join(createTestDirectory(), 'archive');
  writeHostileArchive(archive);
  const server = await startServe(['--snapshot', archive]);
  try {
    const listed = (await harvest(server.url, 'ListIdentifiers')).flat();
    expect((await harvest(server.url, 'ListRecords')).flat()).toEqual(listed);
    expect(listed.length).toBeGreaterThan(50);
  } finally {
    await server.stop();
  }
});

it('rejects an invalid address of the operator', async () => {
  const { code, stderr } = await runMicrofiche(['serve', '--snapshot', SAMPLE, '--admin-email', 'keeper']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('Expected an e-mail address')]);
});
