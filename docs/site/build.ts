/**
 * `npm run docs:site`: builds the documents, the pages of `docs/site/pages` and a demo of the sample archive as one static site,
 * in `dist-docs/` or the directory that is named. Astro reads what is written into `.microfiche/docs-site/`. SITE_URL is where
 * the site will be hosted.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, createWriteStream, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import starlight from '@astrojs/starlight';
import { build } from 'astro';
import { ZipFile } from 'yazl';
import { listFiles } from '../../src/snapshot/directory-files.ts';
import { SIDEBAR } from './sidebar.ts';

const ROOT = join(import.meta.dirname, '../..');
const WORK = join(ROOT, '.microfiche/docs-site');
const PAGES = join(WORK, 'src/content/docs');
/** On the file system of the repository, because Astro moves files there. */
const BUILT = join(WORK, 'dist');
const SITE = resolve(process.argv[2] ?? join(ROOT, 'dist-docs'));
/** The archive's own pages in the demo. */
const DEMO = join(import.meta.dirname, 'demo');
/** Documents that are not in `docs`. */
const OTHERS = ['CONTRIBUTING.md', 'CHANGELOG.md', 'CODE_OF_CONDUCT.md'];
const DOCUMENT = /^(?:decisions\/|site\/pages\/)?[\w-]+\.md$/;
/** The documents by their path in the repository: the path of their page. */
const SLUGS: ReadonlyMap<string, string> = new Map(
  [...listFiles(join(ROOT, 'docs')).flatMap(([path]) => (DOCUMENT.test(path) ? [`docs/${path}`] : [])), ...OTHERS].map((path) => [
    path,
    slugOf(path),
  ]),
);
/** Files that pages link to, and that the site has as they are. */
const FILES = /^docs\/(?:examples|faces)\//;
/** Code, in which nothing is a link, or a link. */
const CODE_OR_LINK = /^ *```[\s\S]*?^ *```$|`[^`\n]+`|(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)/gm;

function slugOf(path: string): string {
  const slug = path.toLowerCase().replace(/\.md$/, '').replaceAll('_', '-');
  return slug.replace(/^docs\/(?:site\/pages\/)?/, '').replace(/(?:^|\/)(?:readme|index)$/, '');
}

process.env['ASTRO_TELEMETRY_DISABLED'] = '1';
rmSync(WORK, { recursive: true, force: true });
if (process.argv[2] === undefined) rmSync(SITE, { recursive: true, force: true });
writePages();
const { SITE_URL } = process.env;
const url = SITE_URL === undefined ? undefined : new URL(SITE_URL.replace(/\/*$/, '/'));
await build({
  root: WORK,
  outDir: BUILT,
  ...(url && { site: url.origin, base: url.pathname }),
  logLevel: 'warn',
  integrations: [
    starlight({
      title: 'Microfiche',
      description: "Turns an archive's JSON API into an offline copy: a static, searchable website.",
      sidebar: SIDEBAR,
      credits: false,
      lastUpdated: false,
    }),
  ],
});
await addDemo();
cpSync(BUILT, SITE, { recursive: true });

/** Writes the documents as Starlight reads them: with a title, and links between pages. */
function writePages(): void {
  mkdirSync(PAGES, { recursive: true });
  cpSync(join(ROOT, 'docs/images'), join(PAGES, 'images'), { recursive: true });
  cpSync(join(ROOT, 'public/assets/icon.svg'), join(WORK, 'public/favicon.svg'));
  for (const directory of ['examples', 'faces'])
    cpSync(join(ROOT, 'docs', directory), join(WORK, 'public', directory), { recursive: true });
  writeFileSync(
    join(WORK, 'src/content.config.ts'),
    `import { defineCollection } from 'astro:content';
import { docsLoader } from '@astrojs/starlight/loaders';
import { docsSchema } from '@astrojs/starlight/schema';
export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };
`,
  );
  for (const [path, slug] of SLUGS) {
    const text = readFileSync(join(ROOT, path), 'utf8');
    const [, title, body = text] = /^# (.+)\n([\s\S]*)$/.exec(text) ?? [];
    const head = title === undefined ? '' : `---\ntitle: ${JSON.stringify(title)}\n---\n`;
    const file = join(PAGES, sourceOf(slug));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${head}${relink(body, path, slug)}`);
  }
}

/** The file of a page. The paths of directories are those of their indexes. */
function sourceOf(slug: string): string {
  return slug === '' || slug === 'decisions' ? posix.join(slug, 'index.md') : `${slug}.md`;
}

/** Changes links to documents into links to their pages. What the site does not have stays as text, without a link. */
function relink(text: string, path: string, slug: string): string {
  return text.replace(CODE_OR_LINK, (link, mark: string, words: string, address?: string) => {
    if (address === undefined || /^(?:[a-z]+:|#)/.test(address)) return link;
    const [place = '', anchor] = address.split('#');
    const target = posix.join(posix.dirname(path), place);
    const below = target.replace(/^docs\//, '');
    // Astro reads and resizes images, relative to the file of the page.
    if (mark !== '') return `![${words}](./${posix.relative(posix.dirname(sourceOf(slug)), below)})`;
    if (FILES.test(target)) return `[${words}](${posix.relative(slug, below)})`;
    const page = SLUGS.get(target);
    return page === undefined
      ? words
      : `[${words}](${posix.relative(slug, page) || '.'}/${anchor === undefined ? '' : `#${anchor}`})`;
  });
}

/** Adds the site of the sample archive, with an exhibit, as `demo/`, the same for a kiosk, and a compact one to download. */
async function addDemo(): Promise<void> {
  const run = (...args: string[]) =>
    execFileSync(
      process.execPath,
      [join(ROOT, 'scripts/bin.mjs'), 'build', '--snapshot', join(ROOT, 'content/sample'), '--content', DEMO, ...args],
      {
        cwd: WORK,
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
  run('--out', join(BUILT, 'demo'), '--languages', 'en,es,ja,fr,ar');
  run('--out', join(BUILT, 'demo-kiosk'), '--languages', 'en,es,ja', '--kiosk');
  const compact = join(WORK, 'compact');
  run('--out', compact, '--compact');
  const zip = new ZipFile();
  for (const [path, file] of listFiles(compact)) zip.addFile(file, `microfiche-demo/${path}`, { mtime: new Date(2026, 0, 1) });
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(join(BUILT, 'microfiche-demo.zip')));
}
