/** `microfiche serve`: the built site at `/`, and both APIs from the snapshot. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { FAULTS, type Fault } from '../src/api/faults.ts';
import { listen } from '../src/api/server.ts';
import { UserError } from '../src/model/errors.ts';
import { openArchive } from '../src/snapshot/archive.ts';
import { dirOption, jsonOption, snapshotOption, wholeNumber } from './options.ts';

interface Flags {
  dir: string;
  snapshot: string;
  port: number;
  host: string;
  fault?: Fault[];
  json?: boolean;
}

export const SAMPLE = join(import.meta.dirname, '../content/sample');

export function serveCommand(): Command {
  return new Command('serve')
    .description(
      'Serves the built site at /, and both APIs at /api/3.0/ and /api/0.2/ from the snapshot. Where there is no snapshot yet, the embedded sample archive answers.',
    )
    .addOption(dirOption())
    .addOption(snapshotOption())
    .option('--port <n>', 'the port; 0 takes any free one', wholeNumber(0, 65535), 4321)
    .option('--host <host>', 'the address to listen on', '127.0.0.1')
    .addOption(new Option('--fault <faults...>', 'misbehave on purpose, for tests of a harvest').choices([...FAULTS]))
    .addOption(jsonOption())
    .action(async (flags: Flags, command: Command) => {
      const named = (option: string) => command.getOptionValueSource(option) !== 'default';
      if (named('dir') && !existsSync(flags.dir))
        throw new UserError(`There is no folder ${flags.dir}: run “microfiche build --out ${flags.dir}” first.`);
      const useSample = !named('snapshot') && !existsSync(flags.snapshot);
      const store = openArchive(useSample ? SAMPLE : flags.snapshot);
      const server = await listen({
        store,
        dir: existsSync(flags.dir) ? flags.dir : undefined,
        port: flags.port,
        host: flags.host,
        faults: new Set(flags.fault ?? []),
      });
      if (flags.json) console.log(JSON.stringify({ url: server.url }));
      else console.log(`Serving ${useSample ? 'the sample archive' : flags.snapshot} at ${server.url}/ (Ctrl-C stops)`);
      const stop = () => void server.close().then(() => store.close());
      process.once('SIGINT', stop);
      process.once('SIGTERM', stop);
    });
}
