/** What the options of a build mean. */
import { join, resolve, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { BuildOptions } from '../../src/build/steps/build-options.ts';
import { UsageError, UserError } from '../../src/model/errors.ts';
import { PROGRAM } from '../../src/platform/module-file.ts';
import { isWithin } from '../../src/platform/staging.ts';
import { OWN_KINDS } from '../../src/site/own/own-content.ts';
import { createPlaceFinder, readSettings } from './config-file.ts';
import type { Flags } from './options.ts';

/** Values of the options of a build, which `update` has too. */
export type BuildFlags = Omit<Pick<Flags<'build'>, keyof Flags<'build'> & keyof Flags<'update'>>, 'content'> & {
  /** Undefined: no own pages. */
  content: string | undefined;
};

/**
 * Checks options that exclude each other.
 * @throws {UsageError} if they do
 */
export function assertBuildFlags({ compact, site, out, snapshot, content }: BuildFlags): void {
  assertBuildablePath();
  const others = [snapshot, ...(content === undefined ? [] : OWN_KINDS.map((kind) => join(content, kind)))];
  const within = others.find((directory) => isWithin(resolve(out), resolve(directory)));
  if (within !== undefined)
    throw new UsageError(`${out} is within ${within}, which is not for sites. Choose another directory with --out.`);
  if (resolve(out).split(sep).includes('node_modules'))
    throw new UsageError(`${out} is within node_modules, which npm may delete. Choose another directory with --out.`);
  if (compact && site) throw new UsageError('--compact builds have no pages for search engines: leave out --site.');
}

/**
 * Checks that Astro can build pages in the working directory: it reads some signs in paths as parts of an address or a pattern.
 * @throws {UserError} if not
 */
export function assertBuildablePath(): void {
  const path = [process.cwd(), PROGRAM].find((each) => UNBUILDABLE.test(each));
  const [sign] = UNBUILDABLE.exec(path ?? '') ?? [];
  if (path !== undefined)
    throw new UserError(
      `${path} has the sign ${sign} in its path, with which pages cannot be built. Rename or move the directory.`,
    );
}

const UNBUILDABLE = process.platform === 'win32' ? /[#?*]/ : /[#?*\\]/;

/** Returns what to build, as the options say it. `read` are the settings with files of their own. */
export function toBuildOptions(
  flags: BuildFlags,
  read: Pick<BuildOptions, 'withholding' | 'words' | 'design' | 'components' | 'own' | 'notices'>,
): BuildOptions {
  return {
    ...read,
    snapshot: flags.snapshot,
    out: flags.out,
    site: flags.site && `${flags.site}/`,
    clean: flags.clean === true,
    languages: [...new Set(flags.languages)],
    archiveLanguage: flags.archiveLanguage,
    search: flags.search,
    compact: flags.compact === true,
    imageFormat: flags.pictures,
    stripMetadata: flags.stripMetadata,
    compress: flags.compress ?? [],
    withholdLess: flags.withholdLess,
    collections: flags.collection,
    featured: [...new Set(flags.featured)],
    featuredAt: placesOfFeatured(flags.featured ?? []),
    kiosk: flags.kiosk ? { idleMinutes: flags.idleMinutes } : undefined,
  };
}

/** Returns where in the file with the settings the featured records are, by ID; nothing if they are from the command line. */
function placesOfFeatured(featured: readonly string[]): Readonly<Record<string, string>> {
  const { featured: set } = readSettings();
  if (!isDeepStrictEqual(set, featured)) return {};
  const placeOf = createPlaceFinder();
  const places = featured.map((id, i) => [id, placeOf(['featured', String(i)])] as const);
  return Object.fromEntries(places.filter((place): place is [string, string] => place[1] !== undefined));
}
