/** The benchmark of copies: `sync` and updates of a site in which one record of a hundred has changed, against rsync. */
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { execa } from 'execa';
import { MANIFEST_FILE, readManifest } from '../../src/publish/manifest.ts';
import { programFile } from '../setup/programs.ts';
import { changeTitles, SNAPSHOT_SETTLES_MS } from './builds.ts';
import { formatNumber, formatRatio, formatSeconds, secondsOf, tableRow } from './format.ts';
import { addMedia } from './generate-media.ts';
import { generateSnapshot } from './generate-snapshot.ts';
import { measureAll, measureCommand } from './measure.ts';
import { type BenchSize, runBuild, SCRIPT, sizeOf, withDirectory } from './program.ts';

/** The share of the bytes that are recordings: most of them, because thumbnails of images take long. */
const RECORDINGS = 0.98;

/** Runs the benchmark, with `mediaBytes` of media files. */
export const benchCopies = ({ records, mediaBytes, runs }: BenchSize & { mediaBytes: number }) =>
  withDirectory('copies', async (directory) => {
    const at = (name: string) => join(directory, name);
    generateSnapshot(at('snapshot'), records, true);
    await addMedia(at('snapshot'), mediaBytes, RECORDINGS);
    await setTimeout(SNAPSHOT_SETTLES_MS);
    await runBuild(at('snapshot'), at('site'), []);
    await execa('cp', ['-a', at('site'), at('before')]);
    changeTitles(at('snapshot'), records, Math.ceil(records / 100), 1);
    await setTimeout(SNAPSHOT_SETTLES_MS);
    await runBuild(at('snapshot'), at('site'), []);
    console.log(`
| ${formatNumber(records)} records, one of a hundred changed | bytes | seconds | ÷ bytes of rsync | ÷ seconds of rsync |
| --- | ---: | ---: | ---: | ---: |
${(await measureCopies(at, runs)).join('\n')}

rsync syncs each file to the disk, as \`sync\` does.
`);
  });

/** Measures what makes a copy of the site in \`before\` that in \`site\`, in turn. Returns rows of a table. */
async function measureCopies(at: (name: string) => string, runs: number): Promise<string[]> {
  const before = new Map(readManifest(at('before')).map(({ path, sha256 }) => [path, sha256]));
  const changed = readManifest(at('site')).filter(({ path, sha256 }) => before.get(path) !== sha256);
  const inSite = (path: string) => statSync(join(at('site'), path)).size;
  const since = ['--since', join(at('before'), MANIFEST_FILE)];
  const rsync = ['-a', '--delete', '--fsync'];
  const steps: Record<string, [command: string, args: string[], bytes: () => number, reference?: string]> = {
    rsync: [programFile('rsync'), [...rsync, `${at('site')}/`, at('copy')], () => 0],
  };
  return Object.keys(steps);
}
