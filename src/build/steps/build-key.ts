/** The build key, which all pages share: under another one, every page is rendered again. */
import { hash } from 'node:crypto';
import type { Catalogue, SiteFacts } from '../../catalogue/catalogue.ts';
import { hashOfWithholding } from '../../catalogue/read/withholding.ts';
import { decisiveLanguages } from '../../model/text/text-language.ts';
import { menuOf } from '../../site/own/own-content.ts';
import { hashOfProgram } from '../cache/program-hash.ts';
import type { BuildOptions } from './build-options.ts';
import type { SiteSettings } from './prepare.ts';

export { hashOfProgram } from '../cache/program-hash.ts';

/** Returns a hash of everything that all pages share: the program's files, the version of Node, options, and facts about the archive. */
export function computeBuildKey(
  options: Pick<BuildOptions, keyof SiteSettings | 'withholding' | 'collections'>,
  facts: SiteFacts,
): string {
  const { site, languages, kiosk, searchForms, compact: isCompact, collections, archiveLanguage, own } = options;
  const chosen = [site, languages, kiosk, searchForms, isCompact, collections, archiveLanguage, own && menuOf(own.content)];
  const hashes = [hashOfWithholding(options.withholding), options.design?.design.hash, options.components?.hash];
  // How frequent languages are may change with each record.
  const archive = [facts.title, facts.authorsUrl, facts.catalogUrl, decisiveLanguages(facts.languages)];
  return hash('sha256', JSON.stringify([chosen, hashes, archive, hashOfProgram()]));
}

/** Returns a hash of the facts about an archive, which pages show that show data of all of it. */
export function hashOfFacts({ facts, withdrawn }: Pick<Catalogue, 'facts' | 'withdrawn'>): string {
  return hash('sha256', JSON.stringify([{ ...facts, emptyFiles: [...facts.emptyFiles] }, withdrawn]));
}
