/** `microfiche dev`: Astro's dev server over a snapshot. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { isExpected } from '../src/model/errors.ts';
import type { DevOptions } from '../src/pipeline/dev.ts';
import type { Language } from '../src/site/language/locale.ts';
import { assertBuildablePath } from './build-options.ts';
import {
  applyOwnSettings,
  readConfiguredComponents,
  readConfiguredContent,
  readConfiguredDesign,
  readConfiguredNotices,
  readConfiguredWithholding,
} from './config.ts';
import {
  createArchiveLanguageOption,
  createCollectionOption,
  createContentOption,
  createFeaturedOption,
  createJsonOption,
  createLanguagesOption,
  createWithholdLessOption,
  HELP_OPTION,
  integerParser,
  SNAPSHOT_DIRECTORY,
} from './options.ts';
import { reportError } from './report-error.ts';
import { SAMPLE } from './serve.ts';

/** The environment variable with the snapshot directory. It takes precedence over the setting `snapshot`. */
export const SNAPSHOT_VARIABLE = 'MICROFICHE_SNAPSHOT';

interface Flags {
  snapshot: string;
  languages: Language[];
  archiveLanguage: string;
  collection?: string[];
  featured?: string[];
  content: string;
  port: number;
  host: string;
  withholdLess?: boolean;
  json?: boolean;
}

/** The project's own snapshot, if it has one. */
function defaultSnapshot(): [directory: string, description: string] {
  const directory = existsSync(SNAPSHOT_DIRECTORY) ? SNAPSHOT_DIRECTORY : SAMPLE;
  return [directory, `"${SNAPSHOT_DIRECTORY}" if it exists, otherwise the sample archive`];
}

/** Returns the command `dev`. */
export function devCommand(): Command {
  return new Command('dev')
    .summary('Start the dev server over a snapshot')
    .description(
      "Start Astro's dev server over a snapshot. Pages are rendered on request, and reload when a source file changes.",
    )
    .helpOption(...HELP_OPTION)
    .addOption(new Option('--snapshot <dir>', 'Snapshot directory').env(SNAPSHOT_VARIABLE).default(...defaultSnapshot()))
    .addOption(createLanguagesOption())
    .addOption(createArchiveLanguageOption())
    .addOption(createCollectionOption('Show only these collections'))
    .addOption(createFeaturedOption())
    .addOption(createContentOption())
    .addOption(createWithholdLessOption())
    .option('--port <n>', 'Port; 0 chooses a free one', integerParser(0, 65535), 4321)
    .option('--host <name>', 'Host name or IP address to listen on', 'localhost')
    .addOption(createJsonOption())
    .action(async (flags: Flags) => {
      assertBuildablePath();
      const { devSite, startDevServer } = await import('../src/pipeline/dev.ts');
      const { port, host, json } = flags;
      const site = devSite(
        () => toDevOptions(flags),
        async (error) => exitOnUserError(error),
      );
      const url = await startDevServer(site, { port, host, quiet: json === true });
      if (json) console.log(JSON.stringify({ url }));
    });
}

/**
 * Returns what `astro dev` shows: the snapshot that the environment or the configuration names, otherwise that of the project or the sample archive.
 *
 * @throws {UsageError} if the configuration cannot be read
 */
export async function readDevOptions(): Promise<DevOptions> {
  const command = devCommand().action(() => undefined);
  await command.parseAsync([], { from: 'user' }); // reads the environment
  applyOwnSettings(command);
  return toDevOptions(command.opts<Flags>());
}

async function toDevOptions({ collection: collections, featured = [], ...flags }: Flags): Promise<DevOptions> {
  const { snapshot, languages, archiveLanguage, content, withholdLess } = flags;
  return {
    ...{ snapshot, languages, archiveLanguage, collections, featured, withholdLess },
    withholding: await readConfiguredWithholding(),
    design: await readConfiguredDesign(),
    notices: await readConfiguredNotices(),
    components: await readConfiguredComponents(),
    contentDirectory: resolve(content),
    readOwn: () => readConfiguredContent(content, languages),
  };
}

/** Ends the process with one sentence if the error is the user's. Astro would print a stack trace. */
export function exitOnUserError(error: unknown): void {
  if (isExpected(error)) process.exit(reportError(error));
}
