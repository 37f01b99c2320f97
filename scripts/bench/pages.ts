/** The record pages of the benchmark of peers: renders them, Hugo gets finished heads and bodies, and Node only writes them. */
import { closeSync, cpSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import astro from 'astro/package.json' with { type: 'json' };
import { findProgram } from '../../src/platform/find-program.ts';
import type { Group } from './compare.ts';
import { formatNumber, printStep } from './format.ts';
import { generateSnapshot } from './generate-snapshot.ts';

const OBJECTS = 'objects';

/** Generates a snapshot in `directory`. Returns what makes its record pages; the first is Microfiche, which makes `own/site`. */
export function createRecordPages(directory: string, records: number): Group {
  const path = (name: string) => join(directory, name);
  printStep(`generating ${formatNumber(records)} records`);
  generateSnapshot(path('snapshot'), records);
  const site = path('own/site');
  const check = (out: string) => () => compareBytes(join(site, OBJECTS), out);
  const [project, pages, index] = [path('finished'), path('all-pages'), path('all-pages.json')];
  const script = (name: string) => join(import.meta.dirname, name);
  return [
    {
      title: `Microfiche (Astro ${astro.version}), record pages`,
      program: process.execPath,
      args: [script('astro.ts'), path('snapshot'), path('own')],
      out: [site, path('own')],
    },
    {
      title: 'Hugo, with finished heads and bodies',
      program: findProgram('hugo'),
      version: ['version'],
      args: ['--quiet', '--noBuildLock', '--source', project, '--destination', path('hugo-finished')],
      out: [path('hugo-finished')],
      prepare: () => writeHugoProject(site, project),
      check: check(path('hugo-finished/objects')),
      lacks: 'all but these pages, which it gets',
    },
    {
      title: 'Node, only writing the finished bytes',
      program: process.execPath,
      args: [script('write-pages.ts'), pages, index, path('written')],
      out: [path('written')],
      prepare: () => writePages(join(site, OBJECTS), pages, index),
      check: check(path('written')),
      lacks: 'all but these pages, which it gets',
    },
  ];
}

/** Writes all files of a directory into the file `pages`, and their names and lengths into `index`. */
function writePages(directory: string, pages: string, index: string): void {
  const file = openSync(pages, 'w');
  const lengths = readdirSync(directory).map((name) => [name, writeSync(file, readFileSync(join(directory, name)))]);
  closeSync(file);
  writeFileSync(index, JSON.stringify(lengths));
}

const PAGE = /^(.*?<head>)(.*?)(<\/head>.*?<body>)(.*)(<\/body>.*)$/s;

/**
 * Writes a project in `directory` for the record pages of a rendered site: settings, one layout, and one content file per page.
 * The head is in the front matter, which is JSON, and the body is the content, which the layout outputs as it is: of the forms
 * that Hugo has for this, the fastest (with both in the front matter, it took 1.5 times as long, as YAML 2.2 times). What is
 * around them is in the layout, and the same in all pages.
 * @throws {Error} if it is not
 */
function writeHugoProject(site: string, directory: string): void {
  for (const part of [`content/${OBJECTS}`, 'layouts/_default']) mkdirSync(join(directory, part), { recursive: true });
  cpSync(join(import.meta.dirname, 'peers/hugo-finished'), directory, { recursive: true });
  let layout: string | undefined;
  for (const name of readdirSync(join(site, OBJECTS))) {
    const [, start, head, middle, body, end] = PAGE.exec(readFileSync(join(site, OBJECTS, name), 'utf8')) ?? [];
    const around = `${start}{{ .Params.head | safeHTML }}${middle}{{ .RawContent | safeHTML }}${end}`;
    layout ??= around;
    if (body === undefined || layout !== around) throw new Error(`The layout of ${name} differs from that of other pages`);
    writeFileSync(join(directory, 'content', OBJECTS, name), `${JSON.stringify({ head })}\n${body}`);
  }
  writeFileSync(join(directory, 'layouts/_default/single.html'), layout ?? '');
}

/** Compares the pages of two directories, byte by byte. Returns a sentence. */
function compareBytes(ours: string, theirs: string): string {
  const [names, others] = [ours, theirs].map((directory) => readdirSync(directory)) as [string[], string[]];
  const same = others.filter((name) => readFileSync(join(ours, name)).equals(readFileSync(join(theirs, name))));
  return `${formatNumber(same.length)} of ${formatNumber(names.length)} pages have the same bytes.`;
}
