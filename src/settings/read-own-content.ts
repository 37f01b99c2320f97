/** Reads an archive's own pages and exhibits, and checks what can be checked without the archive. */
import { createHash, hash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { extname, join, posix } from 'node:path';
import sharp from 'sharp';
import { UserError } from '../model/errors.ts';
import { formatBytes } from '../platform/quantities.ts';
import { toPrintable } from '../platform/text-lines.ts';
import { walkDirectory } from '../platform/walk.ts';
import type { SiteImage } from '../site/images.ts';
import { LANGUAGES, type Language } from '../site/language/locale.ts';
import { CONTENT_DIRECTORY } from '../site/own/content-directory.ts';
import { isOfArchive } from '../site/own/directives.ts';
import { type AtLine, parseMarkdown } from '../site/own/markdown.ts';
import { OWN_KINDS, type OwnContent, type OwnKind, type OwnPage, type OwnVersion } from '../site/own/own-content.ts';
import { pathInContent } from '../site/own/own-links.ts';
import { listFiles } from '../snapshot/directory-files.ts';

/** Own pages and their files. */
export type ReadOwnContent = NonNullable<Awaited<ReturnType<typeof readOwnContent>>>;

/** A mistake. */
export type OwnProblem = AtLine<{ file: string; problem: string }>;

/** Larger images make pages slow. */
const MAX_IMAGE_BYTES = 10_000_000;
const MAX_TEXT_BYTES = 2_000_000;
const IMAGE_EXTENSIONS: Readonly<Record<string, string>> = { jpeg: 'jpg', png: 'png', webp: 'webp', gif: 'gif', heif: 'avif' };
/** Extensions of texts that are not read. */
const OTHER_MARKDOWN: ReadonlySet<string> = new Set(['.mdx', '.markdown', '.mdown', '.mkd']);
const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const MAX_SLUG_LENGTH = 80;
const INVALID_SLUG =
  'the name must have only a to z, 0 to 9 and hyphens, because it is the address of the page, as in harbor-life.md.';
/** Names of addresses, and of devices on Windows. */
const RESERVED = /^(?:index|images|con|prn|aux|nul|com\d|lpt\d)$/;

/**
 * Reads the own pages in a directory; undefined if it has none. A text without a language in its name is in the first of
 * `languages`.
 * @throws {UserError} that names each mistake, with its file and line
 */
export async function readOwnContent(directory: string, languages: readonly Language[]) {
  if (directory !== CONTENT_DIRECTORY && !existsSync(directory))
    throw new UserError(`${toPrintable(directory, 200)} does not exist. Name the directory of the own pages with --content.`);
  const kinds = OWN_KINDS.filter((kind) => existsSync(join(directory, kind)));
  if (kinds.length === 0) return undefined;
  const problems: OwnProblem[] = [];
  for (const kind of kinds) reportLinks(join(directory, kind), problems);
  throwOwnProblems(problems);
  const drafts = kinds.flatMap((kind) => listFiles(join(directory, kind)).map(([path, file]) => ({ kind, path, file })));
  for (const { kind, path } of drafts)
    if (OTHER_MARKDOWN.has(extname(path)) && !isHidden(path))
      problems.push({ file: shownPath(directory, kind, path), line: 1, problem: 'the name must end in .md.' });
  const read = drafts
    .filter(({ path }) => extname(path) === '.md' && !isHidden(path))
    .flatMap((found) => readText(found, directory, languages, problems) ?? []);
  const shown = read.filter(({ frontMatter }) => frontMatter.draft !== true);
  reportTwins(shown, problems);
  const { images, files } = await readImages(shown, directory, problems);
  throwOwnProblems(problems);
  if (shown.length === 0) return undefined;
  const markdown = createHash('sha256');
  for (const { kind, entry, hash: own } of read) markdown.update(JSON.stringify([kind, entry, own]));
  const content: OwnContent = { pages: toPages(shown, languages, images), images };
  return {
    content,
    /** The directory with `pages` and `exhibits`. */
    directory,
    /** Images: path in the site → file. */
    files,
    /** What has to be checked against the archive. */
    texts: shown,
    /** Hash of what Astro renders. */
    markdownHash: markdown.digest('hex'),
    /** Hash of everything. */
    hash: hash('sha256', JSON.stringify(content)),
  };
}

const shownPath = (directory: string, ...path: string[]) => toPrintable(posix.join(directory.replaceAll('\\', '/'), ...path));

/** Whether the name of a file or of one of its directories begins with a dot. Editors store their own files there. */
const isHidden = (path: string) => path.split('/').some((name) => name.startsWith('.'));

/** Reports symbolic links: their target may be outside of the project. */
function reportLinks(directory: string, problems: OwnProblem[]): void {
  const problem = 'this is a symbolic link. Put the file itself here.';
  for (const [path, entry] of walkDirectory(directory))
    if (entry.isSymbolicLink() && !isHidden(path)) problems.push({ file: shownPath(directory, path), line: 1, problem });
}

/** @throws {UserError} that names each mistake. Does nothing if there is none */
export function throwOwnProblems(problems: readonly OwnProblem[]): void {
  const lines = problems.map(({ file, line, problem }) => `${file}, line ${line}: ${problem.replace(/(?<![.?!])$/, '.')}`);
  if (lines.length === 1) throw new UserError(lines[0]);
  if (lines.length > 1)
    throw new UserError([`The own pages have ${lines.length} problems:`, ...lines.map((line) => `  ${line}`)].join('\n'));
}

type ReadText = NonNullable<ReturnType<typeof readText>>;

/** Reads a file, whose path is below the directory of the kind, with slashes. */
function readText(
  { kind, path, file }: Record<'path' | 'file', string> & { kind: OwnKind },
  directory: string,
  languages: readonly Language[],
  problems: OwnProblem[],
) {
  const shownFile = shownPath(directory, kind, path);
  const add = (problem: string, line = 1): undefined => void problems.push({ file: shownFile, line, problem });
  const name = readName(path, languages);
  if ('problem' in name) return add(name.problem);
  const { size } = statSync(file);
  if (size > MAX_TEXT_BYTES)
    return add(`the file has ${formatBytes(size)}, and at most ${formatBytes(MAX_TEXT_BYTES)} are allowed.`);
  const bytes = readFileSync(file);
  const source = bytes.toString('utf8');
  if (!source.isWellFormed() || source.includes('\ufffd'))
    return add('the text is not in UTF-8. Save the file in this encoding.');
  const parsed = parseMarkdown(source.replace(/^\ufeff/, ''));
  for (const { line, problem } of parsed.problems) add(problem, line);
  if (!parsed.frontMatter) return undefined;
  const entry = path.slice(0, -'.md'.length);
  const { frontMatter } = parsed;
  // The file is named as in messages.
  return { ...parsed, ...name, frontMatter, kind, entry, file: shownFile, hash: hash('sha256', bytes) };
}

/** Returns what a text's path says. A page in Spanish has the ending `.es` in its name, or is in the directory `es`. */
function readName(path: string, languages: readonly Language[]): { slug: string; language: Language } | { problem: string } {
  const known: readonly Language[] = [...new Set([...LANGUAGES, ...languages])];
  const isKnown = (name: string): name is Language => known.includes(name as Language);
  const [first = '', ...rest] = path.split('/');
  const [file = '', directory] = rest.length === 0 ? [first, undefined] : [rest.join('/'), first];
  if (file.includes('/') || (directory !== undefined && !isKnown(directory)))
    return { problem: `the file must be in this directory itself, or in that of a language: ${known.join(', ')}.` };
  const [slug = '', suffix, ...others] = file.slice(0, -'.md'.length).split('.');
  if (others.length > 0 || (suffix !== undefined && !isKnown(suffix)))
    return { problem: `the name has "${[suffix, ...others].join('.')}", which is not a language: ${known.join(', ')}.` };
  if (suffix !== undefined && directory !== undefined && suffix !== directory)
    return { problem: `the name is that of a text in "${suffix}", and the directory that of texts in "${directory}".` };
  if (!SLUG.test(slug) || slug.length > MAX_SLUG_LENGTH) return { problem: INVALID_SLUG };
  if (RESERVED.test(slug)) return { problem: `the name "${slug}" is reserved. Choose another one.` };
  return { slug, language: (suffix as Language | undefined) ?? (directory as Language | undefined) ?? languages[0] ?? 'en' };
}

/** Reports texts of one page in one language. */
function reportTwins(texts: readonly ReadText[], problems: OwnProblem[]): void {
  for (const same of Map.groupBy(texts, ({ kind, slug, language }) => `${kind}/${slug} ${language}`).values()) {
    const [first, second] = same;
    if (first && second)
      problems.push({
        file: second.file,
        line: 1,
        problem: `${first.file} is the same page in "${first.language}". Name the language of one of them, as in ${first.slug}.en.md.`,
      });
  }
}

async function readImages(texts: readonly ReadText[], directory: string, problems: OwnProblem[]) {
  const images: Record<string, SiteImage> = {};
  const files = new Map<string, string>();
  for (const { kind, entry, embeds, file } of texts)
    for (const { line, embed } of embeds) {
      if (embed.kind !== 'image-file') continue;
      const key = pathInContent(kind, entry, embed.src);
      const found =
        key === undefined
          ? 'is not a file of the own pages: it must be below pages or exhibits, and not hidden.'
          : (images[key] ?? (await readImage(join(directory, key), kind)));
      if (typeof found === 'string') problems.push({ file, line, problem: `the image ${toPrintable(embed.src, 200)} ${found}` });
      else if (key !== undefined) {
        images[key] = { path: found.path, width: found.width, height: found.height };
        files.set(found.path, join(directory, key));
      }
    }
  return { images, files };
}

async function readImage(file: string, kind: OwnKind): Promise<SiteImage | string> {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile()) return 'does not exist. Paths are relative to the directory of the text.';
  if (stats.size > MAX_IMAGE_BYTES)
    return `has ${formatBytes(stats.size)}, and at most ${formatBytes(MAX_IMAGE_BYTES)} are allowed. Make it smaller.`;
  const bytes = readFileSync(file);
  try {
    const { format, compression, autoOrient } = await sharp(bytes).metadata();
    const extension = IMAGE_EXTENSIONS[format];
    // The photographs of some phones, which browsers do not show.
    if (format === 'heif' && compression !== 'av1') return 'is in HEIC. Save it as JPEG.';
    if (extension !== undefined)
      return {
        path: `${kind}/images/${hash('sha256', bytes).slice(0, 16)}.${extension}`,
        width: autoOrient.width,
        height: autoOrient.height,
      };
  } catch {
    // reported below
  }
  return 'is not an image in JPEG, PNG, WebP, AVIF or GIF.';
}

function toPages(texts: readonly ReadText[], languages: readonly Language[], images: OwnContent['images']): OwnPage[] {
  const rank = ({ language }: ReadText) => (languages.indexOf(language) + languages.length + 1) % (languages.length + 1);
  const pages = [...Map.groupBy(texts, ({ kind, slug }) => `${kind}/${slug}`).values()].map((same): OwnPage => {
    const sorted = same.toSorted((a, b) => rank(a) - rank(b) || (a.entry < b.entry ? -1 : 1));
    const [first] = sorted as [ReadText];
    const { kind, slug, frontMatter } = first;
    const own = sorted.flatMap(({ entry, embeds }) =>
      embeds.map(({ embed }) => embed.kind === 'image-file' && images[pathInContent(kind, entry, embed.src) ?? '']),
    );
    return {
      kind,
      slug,
      versions: sorted.map(toVersion),
      order: frontMatter.order ?? Number.MAX_SAFE_INTEGER,
      date: frontMatter.date,
      image: frontMatter.image,
      isWhole: sorted.some(({ embeds }) => embeds.some(({ embed }) => isOfArchive(embed))),
      hash: hash('sha256', JSON.stringify([sorted.map(({ entry, language, hash: text }) => [entry, language, text]), own])),
    };
  });
  return pages.sort((a, b) => a.order - b.order || compareTitles(a, b) || (a.slug < b.slug ? -1 : 1));
}

function compareTitles(a: OwnPage, b: OwnPage): number {
  const [one, other] = [a, b].map(({ versions }) => versions[0]?.title.toLowerCase() ?? '') as [string, string];
  return one < other ? -1 : one > other ? 1 : 0;
}

function toVersion({ entry, language, frontMatter, text }: ReadText): OwnVersion {
  const { title, description, menu } = frontMatter;
  return { entry, language, title, description, menu: menu === true ? title : menu === false ? undefined : menu, text };
}
