/** The benchmark of large archives. Its parts can be run one by one; each prints its tables as soon as it has ended. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../../src/platform/find-program.ts';
import { formatMemory, formatNumber, formatRatio, formatSeconds, printMeasured, printStep, tableRow } from './format.ts';
import { type Measurement, measureCommand, median, readOutput } from './measure.ts';
import { countObjects } from './pages.ts';
import { renderOwnPages, setAside, versionOf } from './program.ts';
import { benchBuilds } from './scale-builds.ts';
import { benchIdentity } from './scale-identity.ts';
import { benchSearchAtScale } from './scale-search.ts';
import { openWork, type ScaleWork } from './scale-work.ts';

/** The parts of the benchmark, in the order in which they run: search first, because it needs a site built from scratch. */
export const SCALE_PARTS = ['search', 'builds', 'pages', 'identity'] as const;
/** A part of the benchmark. */
export type ScalePart = (typeof SCALE_PARTS)[number];

/** Runs this part. */
async function benchPageRendering({ few, runs, directory, options, snapshotOf }: ScaleWork): Promise<void> {
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

/** Only pages: Hugo makes nothing else. */
const SETTINGS = `baseURL = "https://mirror.example/"
disableKinds = ["home", "section", "taxonomy", "term", "RSS", "sitemap", "robotsTXT", "404"]
uglyURLs = true
disablePathToLower = true
enableGitInfo = false
[build]
writeStats = false
noJSConfigInAssets = true
[outputs]
page = ["HTML"]
`;

const PAGE = /^(.*?<head>)(.*?)(<\/head>.*?<body>)(.*)(<\/body>.*)$/s;
const OBJECTS = 'objects';
const MAX_NAMED = 5;

/** Returns the version of Hugo; undefined if it is not installed. */
async function hugoVersion(): Promise<string | undefined> {
  const hugo = findProgram('hugo');
  if (hugo === undefined) return undefined;
  const text = await readOutput(hugo, ['version']);
  return /v(\d[\d.]*)/.exec(text)?.[1] ?? text.trim();
}

/**
 * Writes a project in `directory` for the record pages of a rendered site: settings, one layout, and one content file per page.
 * The head is in the front matter, which is JSON, and the body is the content, which the layout outputs as it is: of the forms
 * that Hugo has for this, the fastest (with both in the front matter, it took 1.5 times as long, as YAML 2.2 times). What is
 * around them is in the layout, and the same in all pages.
 * @throws {Error} if it is not
 */
function writeHugoProject(site: string, directory: string): void {
  for (const part of [`content/${OBJECTS}`, 'layouts/_default']) mkdirSync(join(directory, part), { recursive: true });
  writeFileSync(join(directory, 'config.toml'), SETTINGS);
  let layout: string | undefined;
  for (const name of readdirSync(join(site, OBJECTS))) {
    const [, start, head, middle, body, end] = PAGE.exec(readFileSync(join(site, OBJECTS, name), 'utf8')) ?? [];
    const around = `${start}{{ .Params.head | safeHTML }}${middle}{{ .RawContent | safeHTML }}${end}`;
    layout ??= around;
    if (body === undefined || layout !== around) throw new Error(`The layout of ${name} differs from that of other pages`);
    writeFileSync(join(directory, 'content', OBJECTS, name), `${JSON.stringify({ head })}\n${body}`);
  }
  writeFileSync(join(directory, 'layouts/_default/single.html'), layout ?? '');
}

/** Renders a project to the directory `out`. */
function renderWithHugo(project: string, out: string): Promise<Measurement> {
  return measureCommand('hugo', ['--quiet', '--noBuildLock', '--source', project, '--destination', out]);
}

/** Compares all pages, byte by byte. Returns a sentence. */
function compareWithHugo(ours: string, theirs: string): string {
  const names = readdirSync(join(ours, OBJECTS));
  const count = readdirSync(join(theirs, OBJECTS)).length;
  const bytesOf = (site: string, name: string) => readFileSync(join(site, OBJECTS, name));
  const different = names.filter((name) => !bytesOf(ours, name).equals(bytesOf(theirs, name)));
  if (different.length === 0 && count === names.length) return `all ${formatNumber(count)} pages have the same bytes.`;
  return `NOT the same bytes: ${different.length} of ${names.length} pages (${different.slice(0, MAX_NAMED).join(', ')}); Hugo wrote ${count}.`;
}

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
  const workDirectory = join(directory, 'microfiche-bench-scale');
  rmSync(workDirectory, { recursive: true, force: true });
  mkdirSync(workDirectory, { recursive: true });
  const work = openWork(workDirectory, records, runs);
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
    rmSync(workDirectory, { recursive: true, force: true });
  }
}
