/** The benchmark of copies: `sync` and an update of a site of which one record in a hundred has changed, against rsync. */
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { execa } from 'execa';
import { startServer } from '../../src/api/server.ts';
import { parseChecksums, parseManifest } from '../../src/formats/manifest-lines.ts';
import { MANIFEST_FILE } from '../../src/publish/manifest.ts';
import { openSnapshot } from '../../src/snapshot/store.ts';
import { programFile } from '../setup/programs.ts';
import { changeTitles, SNAPSHOT_SETTLES_MS } from './builds.ts';
import { formatMemory, formatNumber, formatRatio, formatSeconds, printStep, secondsOf, tableRow } from './format.ts';
import { addMedia } from './generate-media.ts';
import { generateSnapshot } from './generate-snapshot.ts';
import { measureAll, measureCommand } from './measure.ts';
import { type BenchSize, runBuild, SCRIPT, sizeOf, withDirectory } from './program.ts';

/** The share of the bytes of media files that are recordings, so that thumbnails are made soon. */
const RECORDINGS = 0.98;

/** A command, and the bytes that it writes or sends, given what it printed. */
interface Contender {
  args: readonly string[];
  bytes: (output: string) => number;
}

/** Runs the benchmark, with `mediaBytes` of media files. */
export const benchCopies = ({ records, mediaBytes, runs }: BenchSize & { mediaBytes: number }) =>
  withDirectory('copies', async (directory) => {
    const path = (name: string) => join(directory, name);
    const [snapshot, site, before, copy, update] = ['snapshot', 'site', 'before', 'copy', 'update'].map(path) as [
      ...Record<0 | 1 | 2 | 3 | 4, string> & string[],
    ];
  });
