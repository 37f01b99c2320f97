/** The build key, which all pages share: under another one, every page is rendered again. */
import { createHash, hash } from 'node:crypto';
import type { Catalogue, SiteFacts } from '../catalogue/catalogue.ts';
import { hashOfWithholding } from '../catalogue/withholding.ts';
import { decisiveLanguages } from '../model/text-language.ts';
import { menuOf } from '../site/own/own-content.ts';
import type { BuildOptions } from './build-options.ts';
import type { SiteSettings } from './prepare.ts';
import { hashOfProgram } from './program-hash.ts';

export { hashOfProgram } from './program-hash.ts';

/** Returns a hash of everything that all pages share: the program's files, the version of Node, options, and facts about the archive. */
export function computeBuildKey(
  {
    site,
    languages,
    archiveLanguage,
    design,
    components,
    own,
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
    design?.design.hash,
    components?.hash,
    own && menuOf(own.content),
    // How frequent languages are may change with each record.
    decisiveLanguages(namedLanguages),
  ];
  return createHash('sha256').update(JSON.stringify(shared)).update(hashOfProgram()).digest('hex');
}

/** Returns a hash of the facts about an archive, which pages show that show data of all of it. */
export function hashOfFacts({ facts, withdrawn }: Pick<Catalogue, 'facts' | 'withdrawn'>): string {
  return hash('sha256', JSON.stringify([{ ...facts, emptyFiles: [...facts.emptyFiles] }, withdrawn]));
}
