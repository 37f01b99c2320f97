/** Record pages rendered by Microfiche, and by Hugo, which only puts finished parts of pages into a layout. Prints a table. */
import { join } from 'node:path';
import { formatMemory, formatNumber, formatRatio, formatSeconds, printMeasured, printStep, tableRow } from './format.ts';
import { type Measurement, median } from './measure.ts';
import { renderOwnPages, versionOf } from './page-programs.ts';
import { countObjects } from './pages.ts';
import { setAside } from './program.ts';
import { compareWithHugo, hugoVersion, renderWithHugo, writeHugoProject } from './scale-hugo.ts';
import type { ScaleWork } from './scale-work.ts';

/** Runs this part. */
export async function benchPageRendering({ few, runs, directory, options, snapshotOf }: ScaleWork): Promise<void> {
  const snapshot = snapshotOf(few);
  const pages = countObjects(snapshot);
  const version = await hugoVersion();
  const output = (name: string) => join(directory, `pages-${name}`);
  const ours: Measurement[] = [];
  const theirs = new Map<string, Measurement[]>();
  const add = async (title: string, rendered: Promise<Measurement>) =>
    theirs.set(title, [...(theirs.get(title) ?? []), await printMeasured(title, rendered)]);
  const comparisons: string[] = [];
  // Both alternate, so that other load on the machine affects both.
  for (let run = 1; run <= runs; run++) {
    printStep(`run ${run} of ${runs}: ${formatNumber(pages)} record pages by each program`);
    ours.push(await printMeasured('Microfiche', renderOwnPages(snapshot, output('own'))));
    const ownSite = join(output('own'), 'site');
    if (version !== undefined) {
      if (run === 1) writeHugoProject(ownSite, output('hugo-project'));
      await add(`Hugo ${version}, with finished heads and bodies`, renderWithHugo(output('hugo-project'), output('hugo')));
    }
    if (run === 1 && version !== undefined) comparisons.push(`Hugo: ${compareWithHugo(ownSite, output('hugo'))}`);
    for (const name of ['own', 'hugo']) setAside(output(name), options);
  }
  const row = (title: string, measured: Measurement[], ratio: string) => {
    const seconds = median(measured.map((run) => run.seconds));
    return tableRow(title, formatSeconds(measured), formatMemory(measured), formatNumber(Math.round(pages / seconds)), ratio);
  };
  console.log(`
| ${formatNumber(pages)} record pages (medians of ${runs}) | seconds | peak memory | pages/s | Microfiche ÷ other |
| --- | ---: | ---: | ---: | --- |
${row(`Microfiche (Astro ${versionOf('astro')})`, ours, '')}
${Array.from(theirs, ([title, measured]) => row(title, measured, formatRatio(secondsOf(ours), secondsOf(measured)))).join('\n')}

${version === undefined ? 'Hugo is not installed (Debian package hugo; "npm run setup -- --bench"), so it was left out.\n' : ''}${comparisons.join('\n')}
`);
}

const secondsOf = (runs: readonly Measurement[]) => runs.map(({ seconds }) => seconds);
