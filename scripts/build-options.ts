/** The options of `build` that `update` has too, and what they mean. */
import { join, resolve, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { InvalidArgumentError, Option } from 'commander';
import type { CopyEncoding } from '../src/client/compressed-names.ts';
import { STRIP_METADATA, type StripMetadata } from '../src/derivatives/embedded-metadata.ts';
import { IMAGE_FORMATS, type ImageFormat } from '../src/derivatives/image-formats.ts';
import { UsageError, UserError } from '../src/model/errors.ts';
import type { BuildOptions } from '../src/pipeline/build-options.ts';
import { PROGRAM } from '../src/pipeline/module-file.ts';
import { isWithin } from '../src/platform/staging.ts';
import type { Language } from '../src/site/language/locale.ts';
import { OWN_KINDS } from '../src/site/own/own-content.ts';
import { createCompressOption } from './compress-option.ts';
import { createPlaceFinder, readSettings } from './config-file.ts';
import {
  choiceParser,
  createArchiveLanguageOption,
  createContentOption,
  createFeaturedOption,
  createLanguagesOption,
  createWithholdLessOption,
  DEFAULT_ARCHIVE_LANGUAGE,
  parseMinutes,
  parsePath,
} from './options.ts';

/** Values of the options of a build. */
export interface BuildFlags {
  snapshot: string;
  out: string;
  site?: string;
  clean?: boolean;
  languages: Language[];
  archiveLanguage?: string;
  search: boolean;
  packs: boolean;
  onlyPacks?: boolean;
  kiosk?: boolean;
  compact?: boolean;
  compress?: CopyEncoding[];
  pictures?: ImageFormat;
  stripMetadata?: StripMetadata;
  collection?: string[];
  featured?: string[];
  /** Undefined: no own pages. */
  content?: string;
  idleMinutes: number;
  sign?: string;
  withholdLess?: boolean;
}

/** Returns the option `--out`. */
export const createOutOption = () => new Option('--out <dir>', 'Site directory').argParser(parsePath).default('dist');
/** Returns the option `--clean`. */
export const createCleanOption = () =>
  new Option('--clean', 'Full build: discard the pages and derivatives that earlier builds of this site have cached');

/** Returns the options that determine what the site shows, apart from `--collection`. */
export const createSiteOptions = () => [
  new Option('--site <url>', 'URL where the site will be hosted; adds a sitemap, IIIF manifests and _headers').argParser(
    parseSiteUrl,
  ),
  createCompressOption(),
  createLanguagesOption(),
  createArchiveLanguageOption(),
  new Option('--pictures <format>', `Format of image derivatives: ${IMAGE_FORMATS.join(', ')}`)
    .argParser(choiceParser(IMAGE_FORMATS))
    .default('webp'),
  new Option('--strip-metadata <what>', `Remove from the published copies of media files: ${STRIP_METADATA.join(', ')}`)
    .argParser(choiceParser(STRIP_METADATA))
    .default('location'),
  createFeaturedOption(),
  createContentOption(),
  createWithholdLessOption(),
];

/** Returns the options of sites for kiosks and USB drives. */
export const createSpecialBuildOptions = () => [
  new Option('--kiosk', 'Kiosk mode: no external links, and an attract screen after the idle timeout'),
  new Option('--idle-minutes <n>', 'With --kiosk: idle timeout in minutes').argParser(parseMinutes).default(3),
  new Option('--compact', 'Compact build for USB drives: pages and thumbnails in packs, which require JavaScript'),
];

/** Returns the options of the search index. */
export const createSearchOptions = () => [
  new Option('--no-search', 'Leave out the search index'),
  new Option('--no-packs', 'Leave out the search packs, without which search does not work on file://'),
  new Option('--only-packs', 'Leave out the search files for HTTP; search then uses the packs there too'),
];

/**
 * Checks options that exclude each other.
 * @throws {UsageError} if they do
 */
export function assertBuildFlags({ compact, site, packs, onlyPacks, out, snapshot, content }: BuildFlags): void {
  assertBuildablePath();
  const others = [snapshot, ...(content === undefined ? [] : OWN_KINDS.map((kind) => join(content, kind)))];
  const within = others.find((directory) => isWithin(resolve(out), resolve(directory)));
  if (within !== undefined)
    throw new UsageError(`${out} is within ${within}, which is not for sites. Choose another directory with --out.`);
  if (resolve(out).split(sep).includes('node_modules'))
    throw new UsageError(`${out} is within node_modules, which npm may delete. Choose another directory with --out.`);
  if (compact && site) throw new UsageError('--compact builds have no pages for search engines: leave out --site.');
  if (compact && !packs) throw new UsageError('--compact requires the search packs: leave out --no-packs.');
  if (onlyPacks && !packs) throw new UsageError('--only-packs and --no-packs exclude each other: leave one out.');
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

/** Returns what to build, as the options say it. */
export function toBuildOptions(
  flags: BuildFlags,
  {
    withholding,
    design,
    components,
    own,
    notices,
  }: Pick<BuildOptions, 'withholding' | 'design' | 'components' | 'own' | 'notices'>,
): BuildOptions {
  return {
    snapshot: flags.snapshot,
    out: flags.out,
    site: flags.site,
    clean: flags.clean === true,
    languages: [...new Set(flags.languages)],
    archiveLanguage: flags.archiveLanguage ?? DEFAULT_ARCHIVE_LANGUAGE,
    searchForms: { index: flags.search && !(flags.onlyPacks || flags.compact), packs: flags.search && flags.packs },
    compact: flags.compact === true,
    imageFormat: flags.pictures ?? 'webp',
    stripMetadata: flags.stripMetadata ?? 'location',
    compress: flags.compress ?? [],
    withholding,
    withholdLess: flags.withholdLess,
    design,
    components,
    own,
    notices,
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

function parseSiteUrl(typed: string): string {
  if (!/^https?:\/\//.test(typed) || !URL.canParse(typed))
    throw new InvalidArgumentError('Expected a URL that begins with http:// or https://.');
  const { origin, pathname } = new URL(typed);
  return `${origin}${pathname.replace(/\/*$/, '/')}`;
}
