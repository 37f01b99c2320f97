/** `microfiche dev`: Astro's dev server over a snapshot. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import type { DevOptions } from '../../src/build/dev/open-dev-site.ts';
import { isExpected } from '../../src/model/errors.ts';
import { SAMPLE_DIRECTORY } from '../../src/snapshot/file-names.ts';
import { assertBuildablePath } from '../options/build-options.ts';
import { applyConfig, readConfigured, readConfiguredContent, readPageSettings } from '../options/config.ts';
import { addOptions, type Flags as FlagsOf, SNAPSHOT_DIRECTORY } from '../options/options.ts';
import { reportError } from '../report-error.ts';

type Flags = FlagsOf<'dev'>;

/** Runs the command `dev`. */
export async function startDev(flags: Flags) {
  assertBuildablePath();
  const { devSite, startDevServer } = await import('../../src/build/dev/dev.ts');
  const { port, host, json, quiet } = flags;
  const site = devSite(
    () => toDevOptions(flags),
    async (error) => exitOnUserError(error),
  );
  return { report: { url: await startDevServer(site, { port, host, quiet: json === true || quiet === true }) } };
}

/**
 * Returns what `astro dev` shows: the snapshot that the environment or the configuration names, otherwise that of the project or
 * the sample archive.
 * @throws {UsageError} if the configuration cannot be read
 */
export async function readDevOptions(): Promise<DevOptions> {
  const command = addOptions(new Command('dev')).action(() => undefined);
  await command.parseAsync([], { from: 'user' }); // reads the environment
  await applyConfig(command);
  return toDevOptions(command.opts<Flags>());
}

async function toDevOptions({ collection: collections, featured = [], ...flags }: Flags): Promise<DevOptions> {
  const { languages, archiveLanguage, content, withholdLess } = flags;
  const snapshot = flags.snapshot ?? (existsSync(SNAPSHOT_DIRECTORY) ? SNAPSHOT_DIRECTORY : SAMPLE_DIRECTORY);
  return {
    snapshot,
    languages,
    archiveLanguage,
    collections,
    featured,
    withholdLess,
    ...(await readPageSettings(languages)),
    components: await readConfigured('components'),
    contentDirectory: resolve(content),
    readOwn: () => readConfiguredContent(content, languages),
  };
}

/** Ends the process with one sentence if the error is the user's. Astro would print a stack trace. */
export function exitOnUserError(error: unknown): void {
  if (isExpected(error)) process.exit(reportError(error));
}
