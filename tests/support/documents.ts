/** Builds sites of one document: images of its pages, and files with their text. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { BuildReport } from '../../src/build/steps/build-report.ts';
import { createTestDirectory, runMicroficheJson } from './commands.ts';
import {
  computeChecksums,
  createFileRecord,
  createHarvestedSnapshot,
  createImage,
  fileHandler,
  runMedia,
} from './file-server.ts';
import { startTestUpstream } from './test-upstream.ts';

/** The ID of the document. */
export const DOCUMENT = 'demo-org-1-1';

/** A file of the document. */
export interface DocumentFile {
  title: string;
  bytes: Buffer;
}

/** Harvests a document, downloads its files and builds its site with options and settings. `ids` are those of its files. */
export async function publishDocument(
  images: readonly DocumentFile[],
  texts: readonly DocumentFile[],
  { options = [], settings }: { options?: string[]; settings?: Record<string, unknown> } = {},
) {
  const upstream = await startTestUpstream();
  const records = [...images, ...texts].map(({ title, bytes }, i) => {
    const role = i < images.length ? 'mezzanine' : 'transcript';
    const id = `${DOCUMENT}-${role}-${computeChecksums(bytes).sha1.slice(0, 10)}`;
    const url = `${upstream.url}/files/${i}`;
    upstream.routes.set(`/files/${i}`, fileHandler({ bytes }));
    const links = role === 'mezzanine' ? { img: url, download: url } : { download: url };
    return createFileRecord(id, url, { title, role, parent_id: DOCUMENT, sort: i, links });
  });
  const objects = records.map(({ id, title }) => ({ id, model: 'file', title }));
  upstream.routes.set(`/api/0.2/${DOCUMENT}/files/`, { total: objects.length, next_offset: null, objects });
  const links = { 'children-files': `${upstream.url}/api/0.2/${DOCUMENT}/files/` };
  const document = { id: DOCUMENT, model: 'entity', title: 'A letter', format: 'doc', links };
  const snapshot = await createHarvestedSnapshot(upstream, [document, ...records]);
  expect((await runMedia(snapshot, '--kinds', 'image,transcript')).failures).toEqual([]);
  const cwd = createTestDirectory();
  const out = join(cwd, 'dist');
  if (settings) writeFileSync(join(cwd, 'microfiche.config.json'), JSON.stringify(settings));
  const report = await runMicroficheJson<BuildReport>(['build', '--snapshot', snapshot, '--out', out, ...options], { cwd });
  const page = readFileSync(join(out, `objects/${DOCUMENT}.html`), 'utf8');
  return { out, report, page, ids: records.map(({ id }) => String(id)) };
}

/** Returns an image for each title. */
export const createLeaves = (titles: readonly string[]) =>
  Promise.all(titles.map(async (title, i): Promise<DocumentFile> => ({ title, bytes: await createImage(400 + i, 200) })));

/** Returns a file in ALTO with lines of words: every tenth of the page, 8 % wide and 5 % high. */
export function createAlto(...pages: string[][]): Buffer {
  const stringOf = (word: string, x: number, y: number) =>
    `<String CONTENT="${word}" HPOS="${x * 100}" VPOS="${y * 100}" WIDTH="80" HEIGHT="50"/>`;
  const lineOf = (line: string, y: number) =>
    `<TextLine>${line
      .split(' ')
      .map((word, x) => stringOf(word, x, y))
      .join('<SP/>')}</TextLine>`;
  const pageOf = (lines: string[]) =>
    `<Page WIDTH="1000" HEIGHT="1000"><PrintSpace><TextBlock>${lines.map(lineOf).join('')}</TextBlock></PrintSpace></Page>`;
  const layout = `<Layout>${pages.map(pageOf).join('')}</Layout>`;
  return Buffer.from(`<?xml version="1.0"?><alto xmlns="http://www.loc.gov/standards/alto/ns-v4#">${layout}</alto>`);
}
