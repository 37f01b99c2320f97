/** `microfiche serve`: the built site at `/`, and both APIs from the snapshot. */
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { FAULTS, type Fault } from '../src/api/faults.ts';
import { listen, type RunningServer } from '../src/api/server.ts';
import { unmatchedLine } from '../src/catalogue/withholding.ts';
import { UserError } from '../src/model/errors.ts';
import { openArchive } from '../src/sample/archive.ts';
import { withholding } from './config.ts';
import { commandLineOnly, dirOption, hostNames, jsonOption, snapshotOption, wholeNumber } from './options.ts';

interface Flags {
  dir: string;
  snapshot: string;
  port: number;
  host: string;
  allowHost?: string[];
  fault?: Fault[];
  json?: boolean;
}

export const SAMPLE = join(import.meta.dirname, '../content/sample');

const PRIVACY = `
Private records, what is below them, and their media are left out where a site
is served or other machines can ask (--host, --allow-host). With --snapshot
alone on the default host the whole snapshot answers, private records too, so
that it can be harvested again.`;

export function serveCommand(): Command {
  return new Command('serve')
    .summary('Serves the built site, both APIs, and the snapshot’s media.')
    .description(
      'Serves the built site at /, both APIs at /api/3.0/ and /api/0.2/ from the snapshot, and the snapshot’s media at their own paths. With --snapshot alone no site is served. Where there is no snapshot yet, the embedded sample archive answers.',
    )
    .addOption(dirOption())
    .addOption(snapshotOption())
    .option('--port <n>', 'the port; 0 takes any free one', wholeNumber(0, 65535), 4321)
    .option('--host <host>', 'the address to listen on', '127.0.0.1')
    .addOption(
      commandLineOnly(
        new Option(
          '--allow-host <hosts...>',
          'further host names to answer to, such as that of a reverse proxy; a request with any other Host is refused',
        ).argParser(hostNames),
      ),
    )
    .addOption(new Option('--fault <faults...>', 'misbehave on purpose, for tests of a harvest').choices([...FAULTS]))
    .addOption(jsonOption())
    .addHelpText('after', PRIVACY)
    .action(async (flags: Flags, command: Command) => {
      const typed = (option: string) => command.getOptionValueSource(option) === 'cli';
      const dir = siteFolder(flags.dir, command.getOptionValueSource('dir') !== 'default', typed('snapshot'));
      const useSample = command.getOptionValueSource('snapshot') === 'default' && !existsSync(flags.snapshot);
      const store = openArchive(useSample ? SAMPLE : flags.snapshot);
      const server = await listen({
        store,
        dir,
        port: flags.port,
        host: flags.host,
        allowHosts: flags.allowHost ?? [],
        faults: new Set(flags.fault ?? []),
        withholding: await withholding(),
      });
      if (flags.json) console.log(JSON.stringify({ url: server.url }));
      for (const entry of server.unmatched) process.stderr.write(`${unmatchedLine(entry)}\n`);
      if (!flags.json)
        for (const line of servingLines(server, useSample ? 'the sample archive' : flags.snapshot, dir)) console.log(line);
      const stop = () => void server.close().then(() => store.close());
      process.once('SIGINT', stop);
      process.once('SIGTERM', stop);
    });
}

/** The site to serve; undefined where there is none, or the snapshot alone is named. @throws UserError when a named one is not there */
function siteFolder(dir: string, named: boolean, snapshotAlone: boolean): string | undefined {
  if (existsSync(dir)) return named || !snapshotAlone ? dir : undefined;
  if (!named) return undefined;
  throw new UserError(`There is no folder ${dir}: run “microfiche build --out ${dir}” first.`);
}

function servingLines({ url, withholds, everywhere }: RunningServer, archive: string, dir: string | undefined): string[] {
  return [
    `Serving ${archive} at ${url}/ (Ctrl-C stops)`,
    dir === undefined ? 'There is no site at /: name its folder with --dir.' : `The site is in ${dir}.`,
    withholds ? 'Private records are left out.' : 'The whole snapshot answers, private records too: only this machine can ask.',
    ...(everywhere
      ? [`It answers to this machine’s addresses and to the name ${hostname()}; --allow-host adds other names.`]
      : []),
  ];
}
