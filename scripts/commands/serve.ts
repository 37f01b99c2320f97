/** `microfiche serve`: serves the built site, and both APIs and the media files from the snapshot. */
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type RunningServer, startServer } from '../../src/api/server.ts';
import { unmatchedLine } from '../../src/catalogue/read/withholding.ts';
import { UsageError, UserError } from '../../src/model/errors.ts';
import { protectSnapshot } from '../../src/publish/withheld-before.ts';
import { SAMPLE_DIRECTORY } from '../../src/snapshot/file-names.ts';
import { openSnapshot } from '../../src/snapshot/store.ts';
import { readConfiguredWithholding } from '../options/config.ts';
import type { Flags } from '../options/options.ts';

/** Runs the command `serve`. */
export async function serve(flags: Flags<'serve'>, command: Command) {
  const { server, lines, dir, archive, close } = await openServer(flags, command);
  for (const line of lines) process.stderr.write(`${line}\n`);
  process.once('SIGINT', close);
  process.once('SIGTERM', close);
  return { report: { url: server.url }, lines: servingLines(server, archive, dir) };
}

/** Starts the server, and returns what to say of it. `close` stops it. */
export async function openServer(flags: Flags<'serve'>, command: Command) {
  const isOnCommandLine = (option: string) => command.getOptionValueSource(option) === 'cli';
  const { sample = false } = flags;
  if (sample && isOnCommandLine('snapshot'))
    throw new UsageError('--sample and --snapshot exclude each other: leave out one of them.');
  const isDirNamed = isOnCommandLine('dir') || (!sample && command.getOptionValueSource('dir') !== 'default');
  const dir = siteDirectory(flags.dir, isDirNamed, sample || isOnCommandLine('snapshot'));
  const lacksOwn = command.getOptionValueSource('snapshot') === 'default' && !existsSync(flags.snapshot);
  const isCheckout = resolve('content/sample') === SAMPLE_DIRECTORY;
  const useSample = sample || (lacksOwn && (dir !== undefined || isCheckout));
  const store = openSnapshot(useSample ? SAMPLE_DIRECTORY : flags.snapshot);
  const withholding = await readConfiguredWithholding();
  const { remember } = protectSnapshot(store, withholding, flags.withholdLess);
  const server = await startServer({
    ...flags,
    store,
    dir,
    allowHosts: flags.allowHost ?? [],
    faults: new Set(flags.fault ?? []),
    withholding,
    servesPrivate: flags.private,
  });
  return {
    server,
    dir,
    archive: useSample ? 'the sample archive' : flags.snapshot,
    lines: [...remember(), ...server.unmatched.map(unmatchedLine)],
    async close() {
      await server.close();
      store.close();
    },
  };
}

/**
 * Returns the site to serve; undefined if none exists, or with only --snapshot or --sample.
 * @throws {UserError} if --dir has no site
 */
function siteDirectory(dir: string, isNamed: boolean, isSnapshotNamed: boolean): string | undefined {
  if (existsSync(dir)) return isNamed || !isSnapshotNamed ? dir : undefined;
  if (!isNamed) return undefined;
  throw new UserError(`No site in ${dir}. First run "microfiche build --out ${dir}", or name another directory with --dir.`);
}

function servingLines({ url, withholds, everywhere }: RunningServer, archive: string, dir: string | undefined): string[] {
  return [
    `Serving ${archive} at ${url}/ (press Ctrl-C to stop)`,
    dir === undefined ? 'No site is served at /. First run "microfiche build", or name a site with --dir.' : `Site: ${dir}`,
    withholds
      ? 'Private records are withheld.'
      : 'The entire snapshot is served, including private records: only this machine can connect. Behind a proxy or tunnel, add --no-private.',
    ...(everywhere
      ? [`Accepted hosts: the addresses of this machine, and ${hostname()}. To accept other names, add --allow-host.`]
      : []),
  ];
}
