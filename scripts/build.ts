/** `microfiche build`: builds the site and its search index from a snapshot. */
import { Command, InvalidArgumentError, Option } from 'commander';
import type { CopyEncoding } from '../src/client/compressed-names.ts';
import { IMAGE_FORMATS, type ImageFormat } from '../src/derivatives/image-formats.ts';
import { UsageError } from '../src/model/errors.ts';
import type { BuildReport } from '../src/pipeline/build-report.ts';
import type { Shard } from '../src/pipeline/shard.ts';
import { formatBytes } from '../src/platform/quantities.ts';
import { formatCount, groupLines } from '../src/platform/text-lines.ts';
import { signManifest } from '../src/publish/signature.ts';
import { LANGUAGES, type Language } from '../src/site/language/locale.ts';
import { chooseEncodings, compressedLines, createCompressOption } from './compress-option.ts';
import { readConfiguredDesign, readConfiguredWithholding } from './config.ts';
import {
  choiceParser,
  choicesParser,
  commandLineOnly,
  createArchiveLanguageOption,
  createFeaturedOption,
  createJsonOption,
  createSignOption,
  createSnapshotOption,
  DEFAULT_ARCHIVE_LANGUAGE,
  HELP_OPTION,
  parseMinutes,
  parseObjectIds,
} from './options.ts';
import { createProgress } from './progress.ts';

interface Flags {
  snapshot: string;
  out: string;
  site?: string;
  clean?: boolean;
  languages: Language[];
  archiveLanguage?: string;
  search: boolean;
  packs: boolean;
  onlyPacks?: boolean;
  kiosk?: boolean;
  compact?: boolean;
  compress?: CopyEncoding[];
  pictures?: ImageFormat;
  collection?: string[];
  featured?: string[];
  idleMinutes: number;
  shard?: Shard;
  sign?: string;
  json?: boolean;
}

/** Returns the command `build`. */
export function buildCommand(): Command {
  return new Command('build')
    .summary('Build the site from the snapshot')
    .description('Build the site and its search index from the snapshot, without using the network.')
    .helpOption(...HELP_OPTION)
    .addOption(createSnapshotOption())
    .addOption(new Option('--out <dir>', 'Site directory').default('dist'))
    .option('--clean', 'Full build: discard the pages and derivatives that earlier builds of this site have cached')
    .optionsGroup('Site:')
    .option('--site <url>', 'URL where the site will be hosted; adds a sitemap, IIIF manifests and _headers', parseSiteUrl)
    .addOption(createCompressOption())
    .addOption(
      new Option('--languages <list>', `Interface languages, comma-separated, main language first: ${LANGUAGES.join(', ')}`)
        .argParser(choicesParser(LANGUAGES))
        .default(['en'], 'en'),
    )
    .addOption(createArchiveLanguageOption())
    .addOption(
      new Option('--pictures <format>', `Format of image derivatives: ${IMAGE_FORMATS.join(', ')}`)
        .argParser(choiceParser(IMAGE_FORMATS))
        .default('webp'),
    )
    .option(
      '--collection <ids...>',
      'Show only these collections, their ancestors, and the guide pages that mention their records',
      parseObjectIds,
    )
    .addOption(createFeaturedOption())
    .optionsGroup('Special builds:')
    .option('--kiosk', 'Kiosk mode: no external links, and an attract screen after the idle timeout')
    .option('--idle-minutes <n>', 'With --kiosk: idle timeout in minutes', parseMinutes, 3)
    .option('--compact', 'Compact build for USB drives: pages and thumbnails in packs, which require JavaScript')
    .addOption(
      commandLineOnly(
        new Option(
          '--shard <k/n>',
          'Build only shard K of N, counted from 0, into the directory of --out; "microfiche merge" makes a site of all of them',
        ).argParser(parseShard),
      ),
    )
    .optionsGroup('Search:')
    .option('--no-search', 'Leave out the search index')
    .option('--no-packs', 'Leave out the search packs, without which search does not work on file://')
    .option('--only-packs', 'Leave out the search files for HTTP; search then uses the packs there too')
    .optionsGroup('Options:')
    .addOption(createSignOption())
    .addOption(createJsonOption())
    .action(async (flags: Flags, command: Command) => {
      assertCompatible(flags, command.getOptionValueSource('out') !== 'default');
      const { compress, notes } = chooseEncodings(flags, command.getOptionValueSource('compress') === 'config');
      const report = await runBuild({ ...flags, compress }, flags.json === true);
      report.notes.push(...notes);
      if (flags.sign !== undefined) await signManifest(flags.out, flags.sign);
      if (flags.json) console.log(JSON.stringify({ out: flags.out, ...report }));
      else for (const line of [...buildLines(report, flags.out), ...robotsLines(flags.site)]) console.log(line);
    });
}

/** @throws {UsageError} if options exclude each other */
function assertCompatible({ shard, compact, site, packs, onlyPacks }: Flags, isOutNamed: boolean): void {
  if (shard && !isOutNamed) throw new UsageError('--shard requires --out: name a directory for this shard.');
  if (compact && site) throw new UsageError('--compact builds have no pages for search engines: leave out --site.');
  if (compact && !packs) throw new UsageError('--compact requires the search packs: leave out --no-packs.');
  if (onlyPacks && !packs) throw new UsageError('--only-packs and --no-packs exclude each other: leave one out.');
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
    | 'archiveLanguage'
    | 'search'
    | 'compact'
    | 'compress'
    | 'pictures'
    | 'collection'
    | 'featured'
    | 'packs'
    | 'onlyPacks'
    | 'kiosk'
    | 'idleMinutes'
    | 'shard'
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
      archiveLanguage: flags.archiveLanguage ?? DEFAULT_ARCHIVE_LANGUAGE,
      searchForms: { index: flags.search && !(flags.onlyPacks || flags.compact), packs: flags.search && flags.packs },
      compact: flags.compact === true,
      compress: flags.compress ?? [],
      imageFormat: flags.pictures ?? 'webp',
      withholding: await readConfiguredWithholding(),
      design: await readConfiguredDesign(),
      collections: flags.collection,
      featured: flags.featured ?? [],
      shard: flags.shard,
      kiosk: flags.kiosk ? { idleMinutes: flags.idleMinutes } : undefined,
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
  const { problems, refused, interrupted, unportable, pageProblems, unusablePositions } = report;
  const total = Object.values(report.seconds).reduce((all, seconds) => all + seconds, 0);
  return [
    ...(interrupted
      ? [
          `Warning: the last harvest was interrupted or is still running, with ${formatCount(interrupted.waiting, 'resource')} queued. The site contains what was harvested so far.`,
        ]
      : []),
    ...report.notes,
    `Built in ${total.toFixed(1)} s: ${formatCount(report.pages, 'page')}, ${formatCount(report.pictures, 'image')}, ${formatCount(report.documents, 'search document')}.`,
    rebuiltLine(report),
    `Site in ${out}: ${formatCount(report.files, 'file')}, ${formatBytes(report.bytes)}. Written: ${report.written}, deleted: ${report.removed}.`,
    ...compressedLines(report),
    `On a USB drive with clusters of 128 KB: ${formatBytes(report.onStick)}.`,
    ...pathList(`Left out (${refused.length}), because the paths are not portable:`, refused),
    ...pathList(`Not accepted by every file system (${unportable.length}):`, unportable),
    ...(pageProblems.length > 0
      ? [
          `Problems with single records (${pageProblems.length}); the rest of the site is complete:`,
          ...groupLines(pageProblems, { group: ({ cause }) => cause, line: ({ page }) => page, fullListFile: JSON_OUTPUT_LABEL }),
        ]
      : []),
    ...(report.unreadDates.length > 0
      ? [
          `Dates that could not be read (${report.unreadDates.length}); their records are listed by their periods, or as undated:`,
          ...groupLines(
            report.unreadDates.flatMap(({ text, records }) => records.map((id) => ({ text, id }))),
            { group: ({ text }) => text, line: ({ id }) => id, fullListFile: JSON_OUTPUT_LABEL },
          ),
        ]
      : []),
    ...(unusablePositions.length > 0
      ? [
          `Places without a usable position (${unusablePositions.length}); they are not on the map:`,
          ...groupLines(unusablePositions, {
            group: ({ position }) => position,
            line: ({ record, place }) => `${place} (${record})`,
            fullListFile: JSON_OUTPUT_LABEL,
          }),
        ]
      : []),
    ...(problems.length > 0
      ? [
          `Unusable media files (${problems.length}); pages show placeholders for images:`,
          ...groupLines(problems, {
            group: ({ cause }) => cause,
            line: ({ owner, url }) => `${owner} (${url})`,
            fullListFile: JSON_OUTPUT_LABEL,
          }),
        ]
      : []),
    ...(report.guessedCharsets.count > 0
      ? [
          `Texts whose encoding was guessed (${report.guessedCharsets.count}), because it is not declared, or because they are not text in the declared one:`,
          ...groupLines(report.guessedCharsets.files, {
            group: ({ charset, declared }) => (declared === undefined ? charset : `${charset}, declared as ${declared}`),
            line: ({ owner, url }) => `${owner} (${url})`,
            fullListFile: JSON_OUTPUT_LABEL,
          }),
        ]
      : []),
    ...report.lacking.map(
      ({ tool, files }) =>
        `Not installed: ${tool}, which ${formatCount(files, 'file needs', 'files need')}. Pages show placeholders for their images, without the data that it extracts.`,
    ),
  ];
}

/** Says what was made again, and why. */
function rebuiltLine({ rebuilt, pages }: BuildReport): string {
  const { reason, records, index } = rebuilt;
  const reasons: Record<typeof reason, string> = {
    clean: 'because of --clean',
    'first build': 'because nothing is known of an earlier build of this site',
    'program or options': 'because the program or the options changed',
    changes: records
      ? `with ${formatCount(records.added, 'new record')}, ${records.changed} changed and ${records.removed} removed since the last build`
      : 'because their content changed',
  };
  const made = `${index.made} of ${formatCount(index.parts, 'part')} made`;
  const search = index.parts === 0 ? '' : ` Search index: ${index.made === 0 ? 'unchanged' : made}.`;
  return `Rendered ${rebuilt.pages} of ${formatCount(pages, 'page')}, ${reasons[reason]}.${search}`;
}

/** Where the complete lists are. */
const JSON_OUTPUT_LABEL = 'the output of --json';

function pathList(heading: string, files: BuildReport['unportable']): string[] {
  return files.length === 0
    ? []
    : [
        heading,
        ...groupLines(files, { group: ({ problem }) => problem, line: ({ path }) => path, fullListFile: JSON_OUTPUT_LABEL }),
      ];
}

/** Crawlers read robots.txt only at the root of a host. */
function robotsLines(site: string | undefined): string[] {
  if (site === undefined || new URL(site).pathname === '/') return [];
  return [
    `Crawlers do not read ${site}robots.txt. Add its line "Sitemap: ${site}sitemap-index.xml" to ${new URL('/robots.txt', site).href}.`,
  ];
}

/** Parses K/N, with 0 ≤ K < N. */
function parseShard(typed: string): Shard {
  const [, number = 0, of = 0] = (/^(\d{1,6})\/(\d{1,6})$/.exec(typed.trim()) ?? []).map(Number);
  if (number >= of)
    throw new InvalidArgumentError('Expected K/N with K from 0 to N-1, for example 0/4 for the first of four shards.');
  return { number, of };
}

function parseSiteUrl(typed: string): string {
  if (!/^https?:\/\//.test(typed) || !URL.canParse(typed))
    throw new InvalidArgumentError('Expected a URL that begins with http:// or https://.');
  const { origin, pathname } = new URL(typed);
  return `${origin}${pathname.replace(/\/*$/, '/')}`;
}
