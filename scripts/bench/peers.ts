/** The benchmark of peers: sites of the same records by Microfiche and by other generators, each with templates of its own. */
import { join } from 'node:path';
import { siteCacheDirectory } from '../../src/derivatives/cache-directories.ts';
import { findProgram } from '../../src/platform/find-program.ts';
import { fileOf } from '../setup/programs.ts';
import { type Contender, compare, type Group } from './compare.ts';
import { formatNumber } from './format.ts';
import { generateRecords } from './generate-snapshot.ts';
import { createRecordPages } from './pages.ts';
import { writePeerProjects } from './peer-projects.ts';
import { type BenchSize, ROOT, SCRIPT, withDirectory } from './program.ts';

/** Runs the benchmark. Prints a table. */
export const benchPeers = ({ records, runs, dir }: BenchSize) =>
  withDirectory('peers', dir, (directory) => {
    const pages = createRecordPages(directory, records);
    writePeerProjects([...generateRecords(records)].flat(), join(directory, 'projects'));
    const pagefind = createPagefind(pages[0].out[0], join(directory, 'pagefind'));
    const groups: Group[] = [pages, createSites(directory), [pagefind]];
    return compare(`sites of ${formatNumber(records)} records`, groups, join(directory, 'old'), runs);
  });

/** What the templates for Hugo do not make. */
const LACKS =
  'search but a JSON file of all records; parsed dates and names; maps, timelines and A–Z; three citation styles; saved items; checksums; incremental builds';
/** What those in Liquid do not make. */
const LACKS_LIQUID = `${LACKS.replace('three', 'six')}; related records; long lists in pages; a feed; \`file://\``;

/** Returns what makes whole sites: first Microfiche, then those that other generators make of the same data. */
function createSites(directory: string): Group {
  const path = (name: string) => join(directory, name);
  const project = (name: string) => join(directory, 'projects', name);
  const [site, cache] = [path('site'), path('cache')];
  const peer = (title: string, name: string, args: readonly string[], more: Partial<Contender>): Contender => ({
    title,
    program: findProgram(name),
    version: ['--version'],
    args,
    out: [path(name)],
    lacks: LACKS_LIQUID,
    ...more,
  });
  const hugo = (title: string, to: string, lacks: string, env = {}) => {
    const args = ['--quiet', '--noBuildLock', '--source', project('hugo'), '--destination', path(to)];
    return peer(title, 'hugo', args, { version: ['version'], options: { env }, out: [path(to)], lacks });
  };
  return [
    {
      title: 'Microfiche, `build`',
      program: process.execPath,
      args: [SCRIPT, 'build', '--clean', '--snapshot', path('snapshot'), '--out', site],
      options: { env: { MICROFICHE_CACHE: cache } },
      out: [site, siteCacheDirectory(cache, site)],
    },
    hugo('Hugo, templates', 'hugo', LACKS),
    // The variable sets `params.related` of its settings.
    hugo('Hugo, templates, without related records', 'hugo-unrelated', `${LACKS}; related records`, {
      HUGO_PARAMS_RELATED: 'false',
    }),
    peer('Eleventy, templates', 'eleventy', [`--output=${path('eleventy')}`], {
      program: fileOf({ name: 'eleventy', variable: 'ELEVENTY', purpose: 'this benchmark' }),
      options: { cwd: project('eleventy') },
    }),
    peer('Jekyll, templates', 'jekyll', ['build', '--quiet', '--source', project('jekyll'), '--destination', path('jekyll')], {}),
  ];
}

/** Pagefind's own program, over the record pages of Microfiche. */
const createPagefind = (site: string, out: string): Contender => ({
  title: 'Pagefind, over the record pages',
  program: join(ROOT, 'node_modules/.bin/pagefind'),
  version: ['--version'],
  args: ['--quiet', '--site', site, '--output-path', out],
  out: [out],
  lacks: 'all but search; of that, `file://`, filters, dates, spellings of names',
});
