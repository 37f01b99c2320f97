/** `microfiche dev`: Astro's dev server over a snapshot. */
import { join } from 'node:path';
import { Command, Option } from 'commander';
import type { DevOptions } from '../src/pipeline/dev.ts';
import { LANGUAGES, type Language } from '../src/site/language/edition.ts';
import { readSettings, withholding } from './config.ts';
import { choices, objectIds, wholeNumber } from './options.ts';
import { SAMPLE } from './serve.ts';

/** Names the snapshot to show; the config's `snapshot` comes second, the sample archive last. */
export const SNAPSHOT_VARIABLE = 'MICROFICHE_SNAPSHOT';

const ROOT = join(import.meta.dirname, '..');

interface Flags {
  snapshot: string;
  languages: Language[];
  collection?: string[];
  port: number;
  host: string;
}

export function devCommand(): Command {
  return new Command('dev')
    .description(
      'Starts Astro’s dev server over a snapshot: pages are rendered when they are requested, and reload when a source changes.',
    )
    .addOption(
      new Option('--snapshot <dir>', 'the snapshot’s folder').env(SNAPSHOT_VARIABLE).default(SAMPLE, 'the sample archive'),
    )
    .addOption(
      new Option('--languages <list>', `languages of the interface, the first one at the top: ${LANGUAGES.join(',')}`)
        .argParser(choices(LANGUAGES))
        .default(['en'], 'en'),
    )
    .option('--collection <ids...>', 'show only these collections', objectIds)
    .option('--port <n>', 'the port to serve at', wholeNumber(0, 65535), 4321)
    .option('--host <name>', 'the address to listen on', 'localhost')
    .action(async (flags: Flags) => {
      const { startDevServer } = await import('../src/pipeline/dev.ts');
      const { snapshot, languages, collection: collections, port, host } = flags;
      await startDevServer(ROOT, async () => ({ snapshot, languages, collections, withholding: await withholding() }), {
        port,
        host,
      });
    });
}

/** Returns what `astro dev` shows: the snapshot that the environment or the config names, else the sample archive. @throws UsageError for a config that cannot be read */
export async function devOptions(): Promise<DevOptions> {
  const { snapshot } = readSettings();
  return {
    snapshot: process.env[SNAPSHOT_VARIABLE] || (typeof snapshot === 'string' ? snapshot : SAMPLE),
    languages: ['en'],
    collections: undefined,
    withholding: await withholding(),
  };
}
