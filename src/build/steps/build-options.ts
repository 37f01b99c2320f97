/** The options of a build. */
import type { PageProblems } from '../../catalogue/page-problems.ts';
import type { Withholding } from '../../catalogue/read/withholding.ts';
import type { TimeStep } from '../../derivatives/site-files.ts';
import type { CopyEncoding } from '../../formats/compressed-names.ts';
import type { Shard } from '../shards/shard.ts';
import type { PreparedSite, SiteSettings } from './prepare.ts';

/** Options of a build. */
export interface BuildOptions extends SiteSettings {
  snapshot: string;
  /** Directory of the site. */
  out: string;
  /** Makes a full build: ignores the caches of former builds. */
  clean: boolean;
  /** What to withhold, as the setting `withhold` lists it. */
  withholding: Withholding;
  /** Whether this may be less than before. */
  withholdLess?: boolean | undefined;
  /** IDs of the collections to show; undefined: all. */
  collections: readonly string[] | undefined;
  /** Where in the settings each featured record is, by its ID, if it is in a file with lines. */
  featuredAt?: Readonly<Record<string, string>>;
  /** Encodings of compressed copies, in addition to the files; none for a compact site or a kiosk. */
  compress: readonly CopyEncoding[];
  /** The part of the site to build; undefined: all of it. */
  shard?: Shard | undefined;
}

/** What the steps of a build share. */
export interface BuildState {
  prepared: PreparedSite;
  options: BuildOptions;
  cacheDirectory: string;
  buildKey: string;
  /** What fails is added. */
  pageProblems: PageProblems;
  timed: TimeStep;
}
