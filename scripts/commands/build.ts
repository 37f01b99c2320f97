/** `microfiche build`: builds the site and its search index from a snapshot. */
import type { Command } from 'commander';
import type { Shard } from '../../src/build/shards/shard.ts';
import type { BuildReport } from '../../src/build/steps/build-report.ts';
import { COPY_ENCODINGS, type CopyEncoding } from '../../src/formats/compressed-names.ts';
import { UsageError } from '../../src/model/errors.ts';
import { formatBytes } from '../../src/platform/quantities.ts';
import { formatCount, groupLines, lineIf } from '../../src/platform/text-lines.ts';
import type { SiteLock } from '../../src/publish/files/site-lock.ts';
import { signDirectory } from '../../src/publish/signature.ts';
import { assertBuildFlags, type BuildFlags, toBuildOptions } from '../options/build-options.ts';
import { openConfiguredComponents, readConfiguredContent, readPageSettings } from '../options/config.ts';
import type { Flags } from '../options/options.ts';
import { createProgress, type Progress } from '../progress.ts';

/** Runs the command `build`. */
export async function buildFromSnapshot(flags: Flags<'build'>, command: Command) {
  if (flags.shard && command.getOptionValueSource('out') === 'default')
    throw new UsageError('--shard requires --out: name a directory for this shard.');
  assertBuildFlags(flags);
  chooseEncodings(flags, command.getOptionValueSource('compress') === 'config');
  const report = await runBuild(flags, flags.json === true);
  return { report: { out: flags.out, ...report }, lines: buildLines(report, flags) };
}

/** Builds a site with progress on the terminal, and signs it if a key is given. `lock` locks its directory, if already held. */
export async function runBuild(
  flags: BuildFlags & { shard?: Shard | undefined; leavesOut?: boolean },
  quiet: boolean,
  lock?: SiteLock,
): Promise<BuildReport> {
  const { buildSite } = await import('../../src/build/build.ts'); // loads Astro, which is slow, only for a build
  using closing = new DisposableStack();
  const bars = new Map<string, Progress>();
  const onProgress = (step: string, done: number, total: number) => {
    const bar = bars.get(step) ?? closing.use(createProgress(step, quiet));
    bars.set(step, bar);
    bar.update(done, total);
    if (done === total) bar.stop();
  };
  const { compress, notes } = chooseEncodings(flags, true);
  const own = flags.content === undefined ? undefined : await readConfiguredContent(flags.content, flags.languages);
  const settings = {
    ...(await readPageSettings(flags.languages)),
    components: await openConfiguredComponents(own),
    own,
  };
  const options = {
    ...toBuildOptions({ ...flags, compress }, settings),
    shard: flags.shard,
    leavesOut: flags.leavesOut,
    onProgress,
  };
  const report = await buildSite(options, lock);
  report.notes.push(...notes);
  if (flags.sign !== undefined) await signDirectory('site', flags.out, flags.sign);
  return report;
}

/** Returns the report of a build as text. */
export function buildLines(
  report: BuildReport,
  { out, site, stripMetadata }: Pick<BuildFlags, 'out'> & Partial<Pick<BuildFlags, 'site' | 'stripMetadata'>>,
): string[] {
  const { problems, refused, interrupted, unportable, pageProblems, unusablePositions, compressed, stripped } = report;
  const total = Object.values(report.seconds).reduce((all, seconds) => all + seconds, 0);
  return [
    ...(interrupted
      ? [
          `Warning: the last harvest was interrupted or is still running, with ${formatCount(interrupted.waiting, 'resource')} queued. The site contains what was harvested so far.`,
        ]
      : []),
    ...report.notes,
    `Built in ${total.toFixed(1)} s: ${formatCount(report.pages, 'page')}, ${formatCount(report.images, 'image')}, ${formatCount(report.documents, 'search document')}.`,
    rebuiltLine(report),
    `Site in ${out}: ${formatCount(report.files, 'file')}, ${formatBytes(report.bytes)}. Written: ${report.written}, deleted: ${report.removed}.`,
    ...lineIf(
      compressed.files,
      `Compressed copies among them: ${compressed.files}, ${formatBytes(compressed.bytes)}. Made: ${compressed.made}.`,
    ),
    ...lineIf(
      stripped,
      `${stripMetadata === 'all' ? 'All known metadata' : 'The location'} was removed from ${formatCount(stripped, 'published media file')}. The snapshot has it still.`,
    ),
    `On a USB drive with clusters of 128 KB: ${formatBytes(report.bytesOnUsbDrive)}.`,
    ...pathList(`Left out (${refused.length}), because the paths are not portable:`, refused),
    ...pathList(`Not accepted by every file system (${unportable.length}):`, unportable),
    ...groupLines(pageProblems, {
      heading: `Problems with single pages (${pageProblems.length}); the rest of the site is complete:`,
      group: ({ cause }) => cause,
      line: ({ page, setting }) => (setting === undefined ? page : `${page} (${setting})`),
    }),
    ...dateLines(
      report.unreadDates.filter(({ isAmbiguous }) => !isAmbiguous),
      (count) => `Dates that could not be read (${count}); their records are listed by their periods, or as undated:`,
    ),
    ...dateLines(
      report.unreadDates.filter(({ isAmbiguous }) => isAmbiguous),
      (count) =>
        `Dates that could be two days (${count}); pages show them as written, and lists use their years if these are certain:`,
    ),
    ...groupLines(unusablePositions, {
      heading: `Places without a usable position (${unusablePositions.length}); they are not on the map:`,
      group: ({ position }) => position,
      line: ({ record, place }) => `${place} (${record})`,
    }),
    ...groupLines(problems, {
      heading: `Unusable media files (${problems.length}); pages show placeholders for images:`,
      group: ({ cause }) => cause,
      line: ({ owner, url }) => `${owner} (${url})`,
    }),
    ...groupLines(report.guessedCharsets.files, {
      heading: `Texts whose encoding was guessed (${report.guessedCharsets.count}), because it is not declared, or because they are not text in the declared one:`,
      group: ({ charset, declared }) => (declared === undefined ? charset : `${charset}, declared as ${declared}`),
      line: ({ owner, url }) => `${owner} (${url})`,
    }),
    ...pathList(
      `Scans without text (${report.blankScans.count}); their pages say so:`,
      report.blankScans.files.map(({ owner: path }) => ({ path, problem: 'no text was recognized' })),
    ),
    ...report.lacking.map(
      ({ tool, files }) =>
        `Not installed: ${tool}, which ${formatCount(files, 'file needs', 'files need')}. Pages show placeholders for their images, without the data that it extracts.`,
    ),
    ...robotsLines(site),
  ];
}

/** Says what was made again, and why. */
function rebuiltLine({ rebuilt, pages }: BuildReport): string {
  const { reason, records, index } = rebuilt;
  const reasons: Record<typeof reason, string> = {
    clean: 'because of --clean',
    'first build': 'because no earlier build of this site is known',
    'program or options': 'because the program, the options, or what is withheld changed',
    changes: records
      ? `with ${formatCount(records.added, 'new record')}, ${records.changed} changed and ${records.removed} removed since the last build`
      : 'because their content changed',
  };
  const made = `${index.made} of ${formatCount(index.parts, 'part')} made`;
  const search = index.parts === 0 ? '' : ` Search index: ${index.made === 0 ? 'unchanged' : made}.`;
  return `Rendered ${rebuilt.pages} of ${formatCount(pages, 'page')}, ${reasons[reason]}.${search}`;
}

/** Lists dates with the records that state them; nothing if there are none. */
function dateLines(dates: BuildReport['unreadDates'], heading: (count: number) => string): string[] {
  const lines = dates.flatMap(({ text, records }) => records.map((id) => ({ text, id })));
  return groupLines(lines, { heading: heading(dates.length), group: ({ text }) => text, line: ({ id }) => id });
}

function pathList(heading: string, files: BuildReport['unportable']): string[] {
  return groupLines(files, { heading, group: ({ problem }) => problem, line: ({ path }) => path });
}

/** Crawlers read robots.txt only at the root of a host. */
function robotsLines(site: string | undefined): string[] {
  if (site === undefined || new URL(site).pathname === '/') return [];
  return [
    `Crawlers do not read ${site}/robots.txt. Add its line "Sitemap: ${site}/sitemap-index.xml" to ${new URL('/robots.txt', site).href}.`,
  ];
}

/**
 * Returns the encodings of the copies that a build makes. If a setting names some for a site that no web server sends, there are
 * none, and a note that reports it.
 * @throws {UsageError} if the command line names some for such a site
 */
export function chooseEncodings(
  { compact, kiosk, compress = [] }: Partial<Pick<BuildFlags, 'compact' | 'kiosk' | 'compress'>>,
  isSetting: boolean,
): { compress: CopyEncoding[]; notes: string[] } {
  const kind = compact ? '--compact' : kiosk ? '--kiosk' : undefined;
  if (kind === undefined || compress.length === 0)
    return { compress: COPY_ENCODINGS.filter((encoding) => compress.includes(encoding)), notes: [] };
  if (!isSetting)
    throw new UsageError(`${kind} builds are not for web servers, which use compressed copies: leave out --compress.`);
  return {
    compress: [],
    notes: [`The setting "compress" is for web servers, so this ${kind} build has no compressed copies.`],
  };
}
