/** `microfiche build`: builds the site and its search index from a snapshot. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { PICTURE_FORMATS, type PictureFormat } from '../src/derivatives/picture-formats.ts';
import { UsageError } from '../src/model/errors.ts';
import type { BuildReport } from '../src/pipeline/build.ts';
import { formatBytes } from '../src/platform/durations.ts';
import { counted, grouped } from '../src/platform/lines.ts';
import { LANGUAGES, type Language } from '../src/site/language/edition.ts';
import { withholding } from './config.ts';
import { choice, choices, HELP_OPTION, jsonOption, minutes, objectIds, snapshotOption } from './options.ts';
import { createProgress } from './progress.ts';

interface Flags {
  snapshot: string;
  out: string;
  site?: string;
  clean?: boolean;
  languages: Language[];
  search: boolean;
  packs: boolean;
  onlyPacks?: boolean;
  kiosk?: boolean;
  compact?: boolean;
  pictures?: PictureFormat;
  collection?: string[];
  idleMinutes: number;
  json?: boolean;
}

/** Returns the command `build`. */
export function buildCommand(): Command {
  return new Command('build')
    .summary('Build the site from the snapshot')
    .description('Build the site and its search index from the snapshot, without using the network.')
    .helpOption(...HELP_OPTION)
    .addOption(snapshotOption())
    .addOption(new Option('--out <dir>', 'Site directory').default('dist'))
    .option('--clean', 'Full build: discard the pages and derivatives that earlier builds of this site have cached')
    .optionsGroup('Site:')
    .option('--site <url>', 'URL where the site will be hosted; adds a sitemap', siteUrl)
    .addOption(
      new Option('--languages <list>', `Interface languages, comma-separated, main language first: ${LANGUAGES.join(', ')}`)
        .argParser(choices(LANGUAGES))
        .default(['en'], 'en'),
    )
    .addOption(
      new Option('--pictures <format>', `Format of image derivatives: ${PICTURE_FORMATS.join(', ')}`)
        .argParser(choice(PICTURE_FORMATS))
        .default('webp'),
    )
    .option(
      '--collection <ids...>',
      'Show only these collections, their ancestors, and the guide pages that mention their records',
      objectIds,
    )
    .optionsGroup('Special builds:')
    .option('--kiosk', 'Kiosk mode: no external links, and an attract screen after the idle timeout')
    .option('--idle-minutes <n>', 'With --kiosk: idle timeout in minutes', minutes, 3)
    .option('--compact', 'Compact build for USB drives: pages and thumbnails in packs, which require JavaScript')
    .optionsGroup('Search:')
    .option('--no-search', 'Leave out the search index')
    .option('--no-packs', 'Leave out the search packs, without which search does not work on file://')
    .option('--only-packs', 'Leave out the search files for HTTP; search then uses the packs there too')
    .optionsGroup('Options:')
    .addOption(jsonOption())
    .action(async (flags: Flags) => {
      if (flags.compact && flags.site)
        throw new UsageError('--compact builds have no pages for search engines: leave out --site.');
      if (flags.compact && !flags.packs) throw new UsageError('--compact requires the search packs: leave out --no-packs.');
      if (flags.onlyPacks && !flags.packs) throw new UsageError('--only-packs and --no-packs exclude each other: leave one out.');
      const report = await runBuild(flags, flags.json === true);
      if (flags.json) console.log(JSON.stringify({ out: flags.out, ...report }));
      else for (const line of [...buildLines(report, flags.out), ...robotsLines(flags.site)]) console.log(line);
    });
}

/** Builds a site with progress on the terminal. */
export async function runBuild(
  flags: Pick<
    Flags,
    | 'snapshot'
    | 'out'
    | 'site'
    | 'clean'
    | 'languages'
    | 'search'
    | 'compact'
    | 'pictures'
    | 'collection'
    | 'packs'
    | 'onlyPacks'
    | 'kiosk'
    | 'idleMinutes'
  >,
  quiet: boolean,
): Promise<BuildReport> {
  const { buildSite } = await import('../src/pipeline/build.ts'); // loads Astro, which is slow, only for a build
  const bars = new Map<string, ReturnType<typeof createProgress>>();
  try {
    return await buildSite({
      snapshot: flags.snapshot,
      out: flags.out,
      site: flags.site,
      clean: flags.clean === true,
      languages: [...new Set(flags.languages)],
      searchForms: { index: flags.search && !(flags.onlyPacks || flags.compact), packs: flags.search && flags.packs },
      compact: flags.compact === true,
      pictureFormat: flags.pictures ?? 'webp',
      withholding: await withholding(),
      collections: flags.collection,
      kiosk: flags.kiosk ? { idle: flags.idleMinutes } : undefined,
      onProgress(step, done, total) {
        const bar = bars.get(step) ?? createProgress(step, quiet);
        bars.set(step, bar);
        bar.update(done, total);
        if (done === total) bar.stop();
      },
    });
  } finally {
    for (const bar of bars.values()) bar.stop();
  }
}

/** Returns the report of a build as text. `out` is the site directory. */
export function buildLines(report: BuildReport, out: string): string[] {
  const { problems, refused, interrupted, unportable, pageProblems } = report;
  const total = Object.values(report.seconds).reduce((all, seconds) => all + seconds, 0);
  return [
    ...(interrupted
      ? [
          `Warning: the last harvest was interrupted or is still running, with ${counted(interrupted.waiting, 'resource')} queued. The site contains what was harvested so far.`,
        ]
      : []),
    ...report.notes,
    `Built in ${total.toFixed(1)} s: ${counted(report.pages, 'page')}, ${counted(report.pictures, 'image')}, ${counted(report.documents, 'search document')}.`,
    `Site in ${out}: ${counted(report.files, 'file')}, ${formatBytes(report.bytes)}. Written: ${report.written}, deleted: ${report.removed}.`,
    `On a USB drive with clusters of 128 KB: ${formatBytes(report.onStick)}.`,
    ...listed(`Left out (${refused.length}), since the paths are not portable:`, refused),
    ...listed(`Not accepted by every file system (${unportable.length}):`, unportable),
    ...(pageProblems.length > 0
      ? [
          `Problems with single records (${pageProblems.length}); the rest of the site is complete:`,
          ...grouped(pageProblems, { group: ({ cause }) => cause, line: ({ page }) => page, rest: JSON_OUTPUT }),
        ]
      : []),
    ...(problems.length > 0
      ? [
          `Unusable media files (${problems.length}); pages show placeholders for images:`,
          ...grouped(problems, { group: ({ cause }) => cause, line: ({ owner, url }) => `${owner} (${url})`, rest: JSON_OUTPUT }),
        ]
      : []),
    ...report.lacking.map(
      ({ tool, files }) =>
        `Not installed: ${tool}, which ${counted(files, 'file needs', 'files need')}. Pages show placeholders for their images, without the data that it extracts.`,
    ),
  ];
}

/** What has the complete lists. */
const JSON_OUTPUT = 'the output of --json';

function listed(heading: string, files: BuildReport['unportable']): string[] {
  return files.length === 0
    ? []
    : [heading, ...grouped(files, { group: ({ problem }) => problem, line: ({ path }) => path, rest: JSON_OUTPUT })];
}

/** Crawlers read robots.txt only at the root of a host. */
function robotsLines(site: string | undefined): string[] {
  if (site === undefined || new URL(site).pathname === '/') return [];
  return [
    `Crawlers do not read ${site}robots.txt. Add its line "Sitemap: ${site}sitemap-index.xml" to ${new URL('/robots.txt', site).href}.`,
  ];
}

function siteUrl(typed: string): string {
  if (!/^https?:\/\//.test(typed) || !URL.canParse(typed))
    throw new InvalidArgumentError('Expected a URL that begins with http:// or https://.');
  const { origin, pathname } = new URL(typed);
  return `${origin}${pathname.replace(/\/*$/, '/')}`;
}
