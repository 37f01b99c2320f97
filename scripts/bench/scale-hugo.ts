/** Hugo's part of the benchmark of large archives: it gets the finished head and body of each page, and only puts them into its layout. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../../src/platform/find-program.ts';
import { formatNumber } from './format.ts';
import { type Measurement, measureCommand, readOutput } from './measure.ts';

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
export async function hugoVersion(): Promise<string | undefined> {
  const hugo = findProgram('hugo');
  if (hugo === undefined) return undefined;
  const text = await readOutput(hugo, ['version']);
  return /v(\d[\d.]*)/.exec(text)?.[1] ?? text.trim();
}

/**
 * Writes a project in `directory` for the record pages of a rendered site: settings, one layout, and one content file per page. The head is in the
 * front matter, which is JSON, and the body is the content, which the layout outputs as it is: of the forms that Hugo has for this, the fastest
 * (with both in the front matter, it took 1.5 times as long, as YAML 2.2 times). What is around them is in the layout, and the same in all pages.
 * @throws {Error} if it is not
 */
export function writeHugoProject(site: string, directory: string): void {
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
export function renderWithHugo(project: string, out: string): Promise<Measurement> {
  return measureCommand('hugo', ['--quiet', '--noBuildLock', '--source', project, '--destination', out]);
}

/** Compares all pages, byte by byte. Returns a sentence. */
export function compareWithHugo(ours: string, theirs: string): string {
  const names = readdirSync(join(ours, OBJECTS));
  const count = readdirSync(join(theirs, OBJECTS)).length;
  const bytesOf = (site: string, name: string) => readFileSync(join(site, OBJECTS, name));
  const different = names.filter((name) => !bytesOf(ours, name).equals(bytesOf(theirs, name)));
  if (different.length === 0 && count === names.length) return `all ${formatNumber(count)} pages have the same bytes.`;
  return `NOT the same bytes: ${different.length} of ${names.length} pages (${different.slice(0, MAX_NAMED).join(', ')}); Hugo wrote ${count}.`;
}
