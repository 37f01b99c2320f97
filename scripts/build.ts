/** `microfiche build`: site and search index. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { PICTURE_FORMATS, type PictureFormat } from '../src/derivatives/picture-formats.ts';
import { UsageError } from '../src/model/errors.ts';
import type { BuildReport } from '../src/pipeline/build.ts';
import { formatBytes } from '../src/platform/durations.ts';
import { counted, grouped } from '../src/platform/lines.ts';
import { LANGUAGES, type Language } from '../src/site/language/edition.ts';
import { withholding } from './config.ts';
import { choice, choices, jsonOption, minutes, objectIds, snapshotOption } from './options.ts';
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

export function buildCommand(): Command {
  return new Command('build')
    .description('Builds the site and its search index from the snapshot. The network is not used.')
    .addOption(snapshotOption())
    .addOption(new Option('--out <dir>', 'the folder for the site').default('dist'))
    .option('--site <url>', 'the address where the mirror will be hosted; adds a sitemap', siteUrl)
    .addOption(
      new Option('--languages <list>', `languages of the interface, the first one at the top: ${LANGUAGES.join(',')}`)
        .argParser(choices(LANGUAGES))
        .default(['en'], 'en'),
    )
    .option('--kiosk', 'for a kiosk: no link leads out of the mirror, and it goes back to its beginning when nobody uses it')
    .option('--compact', 'pages and thumbnails in few files, for a stick: they then need JavaScript')
    .addOption(
      new Option('--pictures <format>', `what pictures are made as: ${PICTURE_FORMATS.join(', ')}`)
        .argParser(choice(PICTURE_FORMATS))
        .default('webp'),
    )
    .option(
      '--collection <ids...>',
      'show only these collections, with what stands above them and the guide pages that lead into them',
      objectIds,
    )
    .option('--idle-minutes <n>', 'with --kiosk: minutes without a visitor before it goes back', minutes, 3)
    .option('--clean', 'forget what earlier builds of this site have left, its pictures too, and make everything anew')
    .option('--no-search', 'leave the search index out')
    .option('--no-packs', 'leave out the packs by which search works on file://')
    .option('--only-packs', 'leave out the files by which search works over HTTP: it then uses the packs there too')
    .addOption(jsonOption())
    .action(async (flags: Flags) => {
      if (flags.compact && flags.site)
        throw new UsageError('--compact is for sticks and has no pages that a search engine could find: leave --site out.');
      if (flags.compact && !flags.packs) throw new UsageError('--compact searches by packs: leave --no-packs out.');
      if (flags.onlyPacks && !flags.packs)
        throw new UsageError('--only-packs and --no-packs cannot be meant both: leave one out.');
      const report = await runBuild(flags, flags.json === true);
      if (flags.json) console.log(JSON.stringify({ out: flags.out, ...report }));
      else for (const line of [...buildLines(report, flags.out), ...robotsLines(flags.site)]) console.log(line);
    });
}

/** Builds with progress on the terminal. */
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
  const { buildSite } = await import('../src/pipeline/build.ts'); // Astro is heavy: only a build pays for it
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

export function buildLines(report: BuildReport, out: string): string[] {
  const { problems, refused, interrupted } = report;
  const total = Object.values(report.seconds).reduce((sum, one) => sum + one, 0);
  return [
    ...(interrupted
      ? [
          `The last harvest was interrupted or is still running: ${counted(interrupted.waiting, 'resource is', 'resources are')} waiting. The site has what is there.`,
        ]
      : []),
    ...report.notes,
    `Built ${counted(report.pages, 'page')}, ${counted(report.pictures, 'picture')} and a search index of ${counted(report.documents, 'document')} in ${total.toFixed(1)} s.`,
    `${out}: ${counted(report.files, 'file')}, ${formatBytes(report.bytes)}; ${report.written} written, ${report.removed} removed.`,
    `On a stick with clusters of 128 KB it takes ${formatBytes(report.onStick)}.`,
    ...listed(
      `${counted(refused.length, 'file was', 'files were')} left out, since no file system takes such a path everywhere:`,
      refused,
    ),
    ...listed(`Not every file system takes ${counted(report.unportable.length, 'file')}:`, report.unportable),
    ...(report.pageProblems.length > 0
      ? [
          `${counted(report.pageProblems.length, 'problem')} with single records; everything else is there:`,
          ...grouped(report.pageProblems, { group: ({ cause }) => cause, line: ({ page }) => page, rest: JSON_OUTPUT }),
        ]
      : []),
    ...(problems.length > 0
      ? [
          `${counted(problems.length, 'file')} could not be used; where ${problems.length === 1 ? 'it is a picture' : 'one is a picture'}, the page shows a placeholder:`,
          ...grouped(problems, { group: ({ cause }) => cause, line: ({ owner, url }) => `${owner} (${url})`, rest: JSON_OUTPUT }),
        ]
      : []),
    ...report.lacking.map(
      ({ tool, files }) =>
        `This machine lacks ${tool}, which ${counted(files, 'file needs', 'files need')}: their pictures are placeholders, and what it would tell of them is left out.`,
    ),
  ];
}

/** Where all of a list is that was cut. */
const JSON_OUTPUT = 'the output of --json';

function listed(heading: string, files: BuildReport['unportable']): string[] {
  return files.length === 0
    ? []
    : [heading, ...grouped(files, { group: ({ problem }) => problem, line: ({ path }) => path, rest: JSON_OUTPUT })];
}

/** Crawlers read robots.txt at the top of a host only: one below a path has to be linked from there. */
function robotsLines(site: string | undefined): string[] {
  if (site === undefined || new URL(site).pathname === '/') return [];
  return [
    `Crawlers do not read ${site}robots.txt: add its line “Sitemap: ${site}sitemap-index.xml” to ${new URL('/robots.txt', site).href}.`,
  ];
}

function siteUrl(typed: string): string {
  if (!/^https?:\/\//.test(typed) || !URL.canParse(typed))
    throw new InvalidArgumentError('It must be an address that begins with http:// or https://.');
  const { origin, pathname } = new URL(typed);
  return `${origin}${pathname.replace(/\/*$/, '/')}`;
}
