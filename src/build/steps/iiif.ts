/** Writes the descriptions of a site's images and records for IIIF viewers. */
import { hash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { toReads } from '../../catalogue/dependencies/stored-reads.ts';
import { errorMessage } from '../../catalogue/page-problems.ts';
import { describeTiles, type Tiles } from '../../derivatives/iiif.ts';
import { listIiifDocuments } from '../../export/iiif/iiif-documents.ts';
import { createIiifTexts } from '../../export/iiif/iiif-text.ts';
import type { SiteFile } from '../../publish/files/compare-files.ts';
import { RENDERED_DIRECTORY } from '../cache/build-caches.ts';
import { isFirst } from '../shards/shard.ts';
import type { BuildState } from './build-options.ts';
import { findStale, type PageStore, type RenderedPage, withKeys } from './page-store.ts';

/**
 * Makes the IIIF documents of a site that changed; the store `pages` has the others. Returns all. None if the site's URL is not
 * known, or for a kiosk. Of shards, the first makes them. A document that cannot be made is left out, and reported.
 */
export function updateIiifDocuments(
  pages: PageStore,
  { prepared: { catalogue, sites, content, changedKeys, recorder }, options, cacheDirectory, pageProblems }: BuildState,
): SiteFile[] {
  const [site] = sites;
  if (site.siteUrl === undefined || site.kiosk || !isFirst(options.shard)) return [];
  const source = { site: { ...site, siteUrl: site.siteUrl }, content, texts: createIiifTexts(site.archiveLanguages) };
  const documents = withKeys(listIiifDocuments(catalogue.objects, source), catalogue, []);
  const made = new Map<string, RenderedPage>();
  const failed = new Set<string>();
  for (const { path, create } of findStale(documents, pages, changedKeys)) {
    recorder.start();
    try {
      const text = create();
      const file = join(cacheDirectory, RENDERED_DIRECTORY, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      made.set(path, { file, sha256: hash('sha256', text), reads: toReads(recorder.end()) });
    } catch (error) {
      recorder.end();
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw error;
      failed.add(path);
      pageProblems.addDefect(path, `it could not be made: ${errorMessage(error)}`);
    }
  }
  return pages.keep(
    documents.filter(({ path }) => !failed.has(path)),
    made,
    () => false,
  );
}

/** Writes the `info.json` of all tiled images, for IIIF viewers. */
export function writeTileDescriptions(out: string, tiles: Tiles[], site: string | undefined): void {
  for (const image of tiles) {
    mkdirSync(join(out, image.path), { recursive: true });
    writeFileSync(join(out, image.path, 'info.json'), describeTiles(image, site));
  }
}
