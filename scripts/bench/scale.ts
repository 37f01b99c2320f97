/** The benchmark of large archives. Its parts can be run one by one; each prints its tables as soon as it has ended. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { printStep } from './format.ts';
import { benchBuilds } from './scale-builds.ts';
import { benchIdentity } from './scale-identity.ts';
import { benchPageRendering } from './scale-pages.ts';
import { benchSearchAtScale } from './scale-search.ts';
import { openWork, type ScaleWork } from './scale-work.ts';

/** The parts of the benchmark, in the order in which they run: search first, because it needs a site that was built from scratch. */
export const SCALE_PARTS = ['search', 'builds', 'pages', 'identity'] as const;
/** A part of the benchmark. */
export type ScalePart = (typeof SCALE_PARTS)[number];

const RUN: Record<ScalePart, (work: ScaleWork) => Promise<void>> = {
  search: benchSearchAtScale,
  builds: benchBuilds,
  pages: benchPageRendering,
  identity: benchIdentity,
};

/** What to measure. */
export interface ScaleOptions {
  /** Records of the large archive. Some measurements use a fifth of them. */
  records: number;
  runs: number;
  parts: readonly ScalePart[];
  /** Contains the files of the benchmark, in a directory of its own. */
  directory: string;
}

/** Runs the benchmark. If a part fails, the others run nevertheless, and the exit code is 1. */
export async function benchScale({ records, runs, parts, directory }: ScaleOptions): Promise<void> {
  const own = join(directory, 'microfiche-bench-scale');
  rmSync(own, { recursive: true, force: true });
  mkdirSync(own, { recursive: true });
  const work = openWork(own, records, runs);
  try {
    for (const part of SCALE_PARTS.filter((name) => parts.includes(name))) {
      printStep(`part ${part}`);
      try {
        await RUN[part](work);
      } catch (error) {
        console.error(`The part ${part} failed:`, error);
        process.exitCode = 1;
      }
    }
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}
