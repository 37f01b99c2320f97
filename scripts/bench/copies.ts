/** The benchmark of copies: `sync` and an update of a site of which one record in a hundred has changed, against rsync. */
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { execa } from 'execa';
import { programFile } from '../setup/programs.ts';
import { changeTitles, SNAPSHOT_SETTLES_MS } from './builds.ts';
import { formatMemory, formatNumber, formatRatio, formatSeconds, printStep, secondsOf, tableRow } from './format.ts';
import { addMedia } from './generate-media.ts';
import { generateSnapshot } from './generate-snapshot.ts';
import { measureAll, measureCommand } from './measure.ts';
import { type BenchSize, runBuild, SCRIPT, sizeOf, withDirectory } from './program.ts';

/** Runs the benchmark, with `mediaBytes` of media files. */
export const benchCopies = ({ records, mediaBytes, runs }: BenchSize & { mediaBytes: number }) =>
  withDirectory('copies', async (directory) => {
    const path = (name: string) => join(directory, name);
    const [snapshot, site, before, copy] = ['snapshot', 'site', 'before', 'copy'].map(path) as [string, string, string, string];
    printStep(`generating ${records} records and their media`);
    generateSnapshot(snapshot, records, true);
    await addMedia(snapshot, mediaBytes);
    await runBuild(snapshot, site, []);
    await execa('cp', ['-a', site, before]);
    changeTitles(snapshot, records, records / 100, 1);
    await setTimeout(SNAPSHOT_SETTLES_MS);
    await runBuild(snapshot, site, []);
  });
