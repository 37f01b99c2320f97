/** Writes the IIIF documents of a site whose URL is known. Those that would not change are not written again. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PageProblems } from '../catalogue/page-problems.ts';
import { errorMessage } from '../catalogue/page-problems.ts';
import { listIiifDocuments } from '../export/iiif/iiif-documents.ts';
import { createIiifTexts } from '../export/iiif/iiif-text.ts';
import { listFiles } from '../snapshot/directory-files.ts';
import { openPageCache } from './page-cache.ts';
import type { Prepared } from './prepare.ts';

/**
 * Returns the IIIF documents of a site: path in the site → file on disk, below the directory `cacheDirectory`. None if the site's URL is not
 * known, or for a kiosk. A document that cannot be made is left out, and reported.
 */
export function writeIiifDocuments(
  { catalogue, sites, content }: Pick<Prepared, 'catalogue' | 'sites' | 'content'>,
  { cacheDirectory, buildKey, problems }: { cacheDirectory: string; buildKey: string; problems: PageProblems },
): ReadonlyMap<string, string> {
  const [site] = sites;
  if (!site || site.siteUrl === undefined || site.kiosk) return new Map();
  const directory = join(cacheDirectory, 'iiif');
  const files = join(directory, 'files');
  mkdirSync(files, { recursive: true });
  const cache = openPageCache(directory, buildKey, (path) => existsSync(join(files, path)));
  const source = { site: { ...site, siteUrl: site.siteUrl }, content, texts: createIiifTexts(site.archiveLanguages) };
  const documents = listIiifDocuments(catalogue.objects, source).map((document) => ({ ...document, key: document.key() }));
  const failed = new Set<string>();
  for (const document of documents) {
    if (!cache.isStale(document)) continue;
    try {
      const text = document.create();
      mkdirSync(dirname(join(files, document.path)), { recursive: true });
      writeFileSync(join(files, document.path), text);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw error;
      failed.add(document.path);
      problems.addDefect(document.path, `it could not be made: ${errorMessage(error)}`);
    }
  }
  const current = new Set(documents.flatMap(({ path }) => (failed.has(path) ? [] : [path])));
  for (const [path, file] of listFiles(files)) if (!current.has(path)) rmSync(file);
  cache.store(documents, (path) => failed.has(path));
  return new Map([...current].map((path) => [path, join(files, path)]));
}
