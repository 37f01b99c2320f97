/** The build key, which all pages share: under another one, every page is rendered again. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SiteFacts } from '../catalogue/catalogue.ts';
import type { Withholding } from '../catalogue/withholding.ts';
import { listFiles } from '../snapshot/directory-files.ts';
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
  }: SiteSettings & { withholding: Withholding },
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
    withholding.persons,
    archiveLanguage,
    namedLanguages,
  ];
  return createHash('sha256').update(JSON.stringify(shared)).update(hashOfProgram()).digest('hex');
}

/** Returns a hash of the program: its files, its packages, and the version of Node. */
export function hashOfProgram(): string {
  const hash = createHash('sha256').update(process.version);
  const code = [...listFiles(join(ROOT, 'src')), ['lock', join(ROOT, 'package-lock.json')] as const];
  for (const [, file] of code) hash.update(readFileSync(file));
  return hash.digest('hex');
}
