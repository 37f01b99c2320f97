/** The build key, which all pages share: under another one, every page is rendered again. */
import { createHash, hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Catalogue, SiteFacts } from '../catalogue/catalogue.ts';
import { hashOfWithholding } from '../publish/site-withholding.ts';
import { listFiles } from '../snapshot/directory-files.ts';
import type { BuildOptions } from './build-options.ts';
import type { SiteSettings } from './prepare.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Returns a hash of everything that all pages share: the program's files, the version of Node, options, and facts about the archive. */
export function computeBuildKey(
  {
    site,
    languages,
    archiveLanguage,
    kiosk,
    searchForms,
    compact: isCompact,
    withholding,
    collections,
  }: Pick<BuildOptions, keyof SiteSettings | 'withholding' | 'collections'>,
  { title, authorsUrl, catalogUrl, languages: namedLanguages }: SiteFacts,
): string {
  const shared = [
    site,
    languages,
    kiosk,
    searchForms,
    isCompact,
    title,
    authorsUrl,
    catalogUrl,
    hashOfWithholding(withholding),
    collections,
    archiveLanguage,
    namedLanguages,
  ];
  return createHash('sha256').update(JSON.stringify(shared)).update(hashOfProgram()).digest('hex');
}

/** Returns a hash of the facts about an archive, which pages show that show data of all of it. */
export function hashOfFacts({ facts, withdrawn }: Pick<Catalogue, 'facts' | 'withdrawn'>): string {
  return hash('sha256', JSON.stringify([{ ...facts, emptyFiles: [...facts.emptyFiles] }, withdrawn]));
}

/** Returns a hash of the program: its files, its packages, and the version of Node. */
export function hashOfProgram(): string {
  programHash ??= hashFiles();
  return programHash;
}

/** The program does not change while it runs. */
let programHash: string | undefined;

function hashFiles(): string {
  const program = createHash('sha256').update(process.version);
  const others = ['package-lock.json', 'astro.config.mjs'].map((name) => [name, join(ROOT, name)] as const);
  const code = [...listFiles(join(ROOT, 'src')), ...others];
  for (const [, file] of code) program.update(readFileSync(file));
  return program.digest('hex');
}
