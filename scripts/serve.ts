/** `microfiche serve`: serves the built site, and both APIs and the media files from the snapshot. */
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { type RunningServer, startServer } from '../src/api/server.ts';
import { FAULTS, type Fault } from '../src/api/simulated-faults.ts';
import { unmatchedLine } from '../src/catalogue/withholding.ts';
import { UserError } from '../src/model/errors.ts';
import { protectSnapshot } from '../src/publish/withheld-before.ts';
import { openArchive } from '../src/sample/archive.ts';
import { readConfiguredWithholding } from './config.ts';
import {
  commandLineOnly,
  createDirOption,
  createJsonOption,
  createSnapshotOption,
  createWithholdLessOption,
  HELP_OPTION,
  integerParser,
  parseEmail,
  parseHosts,
} from './options.ts';

interface Flags {
  dir: string;
  snapshot: string;
  port: number;
  host: string;
  allowHost?: string[];
  fault?: Fault[];
  adminEmail?: string;
  private: boolean;
  withholdLess?: boolean;
  json?: boolean;
}

/** Path of the embedded sample archive. */
export const SAMPLE = join(import.meta.dirname, '../content/sample');

const PRIVACY_HELP = `
Private records, everything below them and their media files are withheld if a
site is served, or if other machines can connect (--host, --allow-host). With
--snapshot alone on the default host, the entire snapshot is served, including
private records, so that it can be harvested again; but not to requests in which
a proxy names itself. Behind any other proxy or tunnel, add --no-private.`;

/** Returns the command `serve`. */
export function serveCommand(): Command {
  return new Command('serve')
    .summary('Serve the site, both APIs and the media files')
    .description(
      'Serve the built site at /, both APIs from the snapshot at /api/3.0/ and /api/0.2/, the public records as OAI-PMH at /oai, and the media files of the snapshot at their own paths. With --snapshot alone, no site is served. Without a snapshot, the embedded sample archive is served.',
    )
    .helpOption(...HELP_OPTION)
    .addOption(createDirOption())
    .addOption(createSnapshotOption())
    .addOption(createWithholdLessOption())
    .option('--port <n>', 'Port; 0 chooses a free one', integerParser(0, 65535), 4321)
    .addOption(new Option('--admin-email <address>', 'Your e-mail address, for harvesters of OAI-PMH').argParser(parseEmail))
    .option('--host <host>', 'Host name or IP address to listen on', '127.0.0.1')
    .addOption(
      commandLineOnly(
        new Option(
          '--allow-host <hosts...>',
          'Additional host names to accept in requests, for example of a reverse proxy; other names are rejected',
        ).argParser(parseHosts),
      ),
    )
    .option('--no-private', 'Withhold private records in any case')
    .addOption(new Option('--fault <faults...>', 'Faults to simulate, for tests of a harvest').choices([...FAULTS]))
    .addOption(createJsonOption())
    .addHelpText('after', PRIVACY_HELP)
    .action(async (flags: Flags, command: Command) => {
      const isOnCommandLine = (option: string) => command.getOptionValueSource(option) === 'cli';
      const dir = siteDirectory(flags.dir, command.getOptionValueSource('dir') !== 'default', isOnCommandLine('snapshot'));
      const useSample = command.getOptionValueSource('snapshot') === 'default' && !existsSync(flags.snapshot);
      const store = openArchive(useSample ? SAMPLE : flags.snapshot);
      const withholding = await readConfiguredWithholding();
      const { remember } = protectSnapshot(store, withholding, flags.withholdLess);
      const server = await startServer({
        store,
        dir,
        port: flags.port,
        host: flags.host,
        allowHosts: flags.allowHost ?? [],
        faults: new Set(flags.fault ?? []),
        withholding,
        servesPrivate: flags.private,
        adminEmail: flags.adminEmail,
      });
      if (flags.json) console.log(JSON.stringify({ url: server.url }));
      for (const line of [...remember(), ...server.unmatched.map(unmatchedLine)]) process.stderr.write(`${line}\n`);
      if (!flags.json)
        for (const line of servingLines(server, useSample ? 'the sample archive' : flags.snapshot, dir)) console.log(line);
      const stop = () => void server.close().then(() => store.close());
      process.once('SIGINT', stop);
      process.once('SIGTERM', stop);
    });
}

/** Returns the site to serve; undefined if none exists, or if only --snapshot is given. Throws a UserError if the site in --dir does not exist. */
function siteDirectory(dir: string, isNamed: boolean, isSnapshotNamed: boolean): string | undefined {
  if (existsSync(dir)) return isNamed || !isSnapshotNamed ? dir : undefined;
  if (!isNamed) return undefined;
  throw new UserError(`Directory not found: ${dir}. First run "microfiche build --out ${dir}".`);
}

function servingLines({ url, withholds, everywhere }: RunningServer, archive: string, dir: string | undefined): string[] {
  return [
    `Serving ${archive} at ${url}/ (press Ctrl-C to stop)`,
    dir === undefined ? 'No site is served at /. To serve one, add --dir.' : `Site: ${dir}`,
    withholds
      ? 'Private records are withheld.'
      : 'The entire snapshot is served, including private records: only this machine can connect. Behind a proxy or tunnel, add --no-private.',
    ...(everywhere
      ? [`Accepted hosts: the addresses of this machine, and ${hostname()}. To accept other names, add --allow-host.`]
      : []),
  ];
}
