/** `microfiche dev`: Astro's dev server over a snapshot. */
import { join } from 'node:path';
import { Command, Option } from 'commander';
import type { DevOptions } from '../src/pipeline/dev.ts';
import { LANGUAGES, type Language } from '../src/site/language/locale.ts';
import { readConfiguredWithholding, readSettings } from './config.ts';
import { choicesParser, HELP_OPTION, integerParser, parseObjectIds } from './options.ts';
import { SAMPLE } from './serve.ts';

/** The environment variable with the snapshot directory. It takes precedence over the setting `snapshot`; the default is the sample archive. */
export const SNAPSHOT_VARIABLE = 'MICROFICHE_SNAPSHOT';

const ROOT = join(import.meta.dirname, '..');

interface Flags {
  snapshot: string;
  languages: Language[];
  collection?: string[];
  port: number;
  host: string;
}

/** Returns the command `dev`. */
export function devCommand(): Command {
  return new Command('dev')
    .summary('Start the dev server over a snapshot')
    .description(
      "Start Astro's dev server over a snapshot. Pages are rendered on request, and reload when a source file changes.",
    )
    .helpOption(...HELP_OPTION)
    .addOption(new Option('--snapshot <dir>', 'Snapshot directory').env(SNAPSHOT_VARIABLE).default(SAMPLE, 'the sample archive'))
    .addOption(
      new Option('--languages <list>', `Interface languages, comma-separated, main language first: ${LANGUAGES.join(', ')}`)
        .argParser(choicesParser(LANGUAGES))
        .default(['en'], 'en'),
    )
    .option('--collection <ids...>', 'Show only these collections', parseObjectIds)
    .option('--port <n>', 'Port; 0 chooses a free one', integerParser(0, 65535), 4321)
    .option('--host <name>', 'Host name or IP address to listen on', 'localhost')
    .action(async (flags: Flags) => {
      const { startDevServer } = await import('../src/pipeline/dev.ts');
      const { snapshot, languages, collection: collections, port, host } = flags;
      await startDevServer(
        ROOT,
        async () => ({ snapshot, languages, collections, withholding: await readConfiguredWithholding() }),
        {
          port,
          host,
        },
      );
    });
}

/**
 * Returns what `astro dev` shows: the snapshot that the environment or the configuration names, otherwise the sample archive.
 *
 * @throws {UsageError} if the configuration cannot be read
 */
export async function devOptions(): Promise<DevOptions> {
  const { snapshot } = readSettings();
  return {
    snapshot: process.env[SNAPSHOT_VARIABLE] || (typeof snapshot === 'string' ? snapshot : SAMPLE),
    languages: ['en'],
    collections: undefined,
    withholding: await readConfiguredWithholding(),
  };
}
