/** The benchmark of record pages: renders them, and compares that with Hugo, which gets finished heads and bodies. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import astro from 'astro/package.json' with { type: 'json' };
import { findProgram } from '../../src/platform/find-program.ts';
import * as format from './format.ts';
import { generateSnapshot } from './generate-snapshot.ts';
import { measureAll, measureCommand } from './measure.ts';
import { type BenchSize, setAside, withDirectory } from './program.ts';

/** Runs the benchmark. Prints a table. */
export const benchPages = ({ records, runs }: BenchSize) =>
  withDirectory('pages', async (directory) => {
    const snapshot = join(directory, 'snapshot');
    const aside = { old: join(directory, 'old') };
    format.printStep(`generating ${format.formatNumber(records)} records`);
    generateSnapshot(snapshot, records);
    const hugo = findProgram('hugo');
    const output = (name: string) => join(directory, `pages-${name}`);
    const [ownSite, project, hugoSite] = [join(output('own'), 'site'), output('hugo-project'), output('hugo')];
    let comparison = 'Hugo is not installed (Debian package hugo; "npm run setup -- --bench"), so it was left out.';
    const renderOwn = async () => {
      setAside(output('own'), aside);
      return measureCommand(process.execPath, [join(import.meta.dirname, 'astro.ts'), snapshot, output('own')]);
    };
    const renderWithHugo = async (run: number) => {
      if (run === 0) writeHugoProject(ownSite, project);
      setAside(hugoSite, aside);
      const args = ['--quiet', '--noBuildLock', '--source', project, '--destination', hugoSite];
      const measured = await measureCommand(hugo as string, args);
      if (run === 0) comparison = `Hugo: ${compareWithHugo(ownSite, hugoSite)}`;
      return measured;
    };
    const version = hugo && (await measureCommand(hugo, ['version'])).output;
    const ours = `Microfiche (Astro ${astro.version})`;
    const theirs = `Hugo ${/v(\d[\d.]*)/.exec(version ?? '')?.[1]}, with finished heads and bodies`;
    format.printStep('record pages');
    const measured = await measureAll(runs, { [ours]: renderOwn, ...(hugo ? { [theirs]: renderWithHugo } : {}) });
    const pages = readdirSync(join(ownSite, OBJECTS)).length;
    const row = ([title, all]: [string, format.Measurement[]]) => {
      const speed = format.formatNumber(Math.round(pages / format.median(format.secondsOf(all))));
      const ratio = title === ours ? '' : format.formatRatio(format.secondsOf(measured[ours] ?? []), format.secondsOf(all));
      return format.tableRow(title, format.formatSeconds(all), format.formatMemory(all), speed, ratio);
    };
    console.log(`
| ${format.formatNumber(pages)} record pages (medians of ${runs}) | seconds | peak memory | pages/s | Microfiche ÷ other |
| --- | ---: | ---: | ---: | --- |
${Object.entries(measured).map(row).join('\n')}

${comparison}
`);
  });

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

/** Compares all pages, byte by byte. Returns a sentence. */
function compareWithHugo(ours: string, theirs: string): string {
  const names = readdirSync(join(ours, OBJECTS));
  const count = readdirSync(join(theirs, OBJECTS)).length;
  const bytesOf = (site: string, name: string) => readFileSync(join(site, OBJECTS, name));
  const different = names.filter((name) => !bytesOf(ours, name).equals(bytesOf(theirs, name)));
  if (different.length === 0 && count === names.length) return `all ${format.formatNumber(count)} pages have the same bytes.`;
  return `NOT the same bytes: ${different.length} of ${names.length} pages (${different.slice(0, MAX_NAMED).join(', ')}); Hugo wrote ${count}.`;
}
