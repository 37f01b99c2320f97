/** The benchmark of peers: sites of the same records by Microfiche and by other generators, each with templates of its own. */
import { join } from 'node:path';
import { siteCacheDirectory } from '../../src/derivatives/cache-directories.ts';
import { findProgram } from '../../src/platform/find-program.ts';
import { fileOf } from '../setup/programs.ts';
import { type Contender, compare, type Group } from './compare.ts';
import { formatNumber } from './format.ts';
import { createPayloads } from './generate-snapshot.ts';
import { createRecordPages } from './pages.ts';
import { writePeerProjects } from './peer-projects.ts';
import { type BenchSize, ROOT, SCRIPT, withDirectory } from './program.ts';

/** Runs the benchmark. Prints a table. */
export const benchPeers = ({ records, runs, directory: parent }: BenchSize & { directory: string }) =>
  withDirectory('peers', (directory) => {
    const pages = createRecordPages(directory, records);
    writePeerProjects([...createPayloads(records)], join(directory, 'projects'));
    return compare(
      `sites of ${formatNumber(records)} records`,
      [pages, createSites(directory), [createPagefind(directory)]],
      directory,
      runs,
    );
  });

/** What the templates for Hugo do not make. */
const LACKS =
  'search but a JSON file of all records; parsed dates and names; maps, timelines and A–Z; three citation styles; saved items; checksums; incremental builds';
/** What the templates in Liquid do not make. */
const LACKS_LIQUID = `${LACKS.replace('three', 'six')}; related records; a feed; \`file://\``;

/** Returns what makes whole sites: first Microfiche, then those that other generators make of the same data, and Pagefind. */
function createSites(directory: string): Group {
  const path = (name: string) => join(directory, name);
  const [site, cache] = [path('site'), path('cache')];
  const project = (name: string) => join(directory, 'projects', name);
  const hugo = {
    program: findProgram('hugo'),
    version: ['version'],
    args: ['--quiet', '--noBuildLock', '--source', project('hugo'), '--destination', path('hugo')],
    out: [path('hugo')],
  } as const;
  return [
    {
      title: 'Microfiche, `build`',
      program: process.execPath,
      args: [SCRIPT, 'build', '--clean', '--snapshot', path('snapshot'), '--out', site],
      options: { env: { MICROFICHE_CACHE: cache } },
      out: [site, siteCacheDirectory(cache, site)],
      lacks: '',
    },
    { ...hugo, title: 'Hugo, templates', lacks: LACKS },
    {
      ...hugo,
      title: 'Hugo, templates, without related records',
      options: { env: { HUGO_PARAMS_RELATED: 'false' } },
      lacks: `${LACKS}; related records`,
    },
    {
      title: 'Eleventy, templates',
      program: fileOf({ name: 'eleventy', variable: 'ELEVENTY', purpose: 'the benchmark of peers' }),
      version: ['--version'],
      args: [`--output=${path('eleventy')}`],
      options: { cwd: project('eleventy') },
      out: [path('eleventy')],
      lacks: `${LACKS_LIQUID}`,
    },
    {
      title: 'Jekyll, templates',
      program: findProgram('jekyll'),
      version: ['--version'],
      args: ['build', '--quiet', '--source', project('jekyll'), '--destination', path('jekyll')],
      out: [path('jekyll')],
      lacks: LACKS_LIQUID,
    },
  ];
}

/** Pagefind's own program, over the record pages of Microfiche. */
function createPagefind(directory: string): Contender {
  const out = join(directory, 'pagefind');
  return {
    title: 'Pagefind, over the record pages',
    program: join(ROOT, 'node_modules/.bin/pagefind'),
    version: ['--version'],
    args: ['--quiet', '--site', join(directory, 'own/site'), '--output-path', out],
    out: [out],
    lacks: 'all but search; of that: `file://`, filters, dates, spellings of names and typing mistakes',
  };
}
