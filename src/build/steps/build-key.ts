/** The build key, which all pages share: under another one, every page is rendered again. */
import { hash } from 'node:crypto';
import type { Catalogue, SiteFacts } from '../../catalogue/catalogue.ts';
import { decisiveLanguages } from '../../model/text/text-language.ts';
import { menuOf } from '../../site/own/own-content.ts';
import { hashOfProgram } from '../cache/program-cache.ts';
import type { BuildOptions } from './build-options.ts';
import { pickSiteSettings, type SiteSettings } from './prepare.ts';

/** Returns a hash of everything that all pages share: the program's files, Node's version, options, facts about the archive. */
export function computeBuildKey(
  options: Pick<BuildOptions, keyof SiteSettings | 'withholding' | 'collections'>,
  facts: SiteFacts,
): string {
  // Only the home page shows featured records, only some pages have notices, and of own pages all have the menu.
  const { design, components, own, notices: _notices, featured: _featured, ...settings } = pickSiteSettings(options);
  const chosen = [options.site, options.collections, settings, own && menuOf(own.content)];
  const hashes = [options.withholding.digest, design?.design.hash, components?.hash];
  // How frequent languages are may change with each record.
  const archive = [facts.title, facts.authorsUrl, facts.catalogUrl, decisiveLanguages(facts.languages)];
  return hash('sha256', JSON.stringify([chosen, hashes, archive, hashOfProgram()]));
}

/** Returns a hash of the facts about an archive, which pages show that show data of all of it. */
export function hashOfFacts({ facts, withdrawn }: Pick<Catalogue, 'facts' | 'withdrawn'>): string {
  return hash('sha256', JSON.stringify([{ ...facts, emptyFiles: [...facts.emptyFiles] }, withdrawn]));
}
