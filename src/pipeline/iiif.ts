/** Writes the descriptions of a site's images and records for IIIF viewers. */
import { hash } from 'node:crypto';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PageProblems } from '../catalogue/page-problems.ts';
import { errorMessage } from '../catalogue/page-problems.ts';
import { describeTiles, type Tiles } from '../derivatives/iiif.ts';
import { listIiifDocuments } from '../export/iiif/iiif-documents.ts';
import { createIiifTexts } from '../export/iiif/iiif-text.ts';
import { toSafeDirectory } from '../platform/safe-directory.ts';
import { listFiles } from '../snapshot/directory-files.ts';
import type { Prepared } from './prepare.ts';
import { findCurrent, type KnownFile, openSiteState, type SiteState, stampOf } from './site-state.ts';

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
  const state = openSiteState(join(directory, 'state.sqlite'), buildKey);
  try {
    const source = { site: { ...site, siteUrl: site.siteUrl }, content, texts: createIiifTexts(site.archiveLanguages) };
    return updateDocuments(listIiifDocuments(catalogue.objects, source), files, state, problems);
  } finally {
    state.close();
  }
}

/** Writes the documents that changed to the directory `files`, and deletes obsolete ones. Returns all: path in the site → file on disk. */
function updateDocuments(
  documents: ReturnType<typeof listIiifDocuments>,
  files: string,
  state: SiteState,
  problems: PageProblems,
): ReadonlyMap<string, string> {
  const safeDir = toSafeDirectory(files);
  const failed = new Set<string>();
  const known: KnownFile[] = [];
  for (const document of documents) {
    const { path } = document;
    const key = document.key();
    if (findCurrent(state, safeDir, { path, key })) continue;
    try {
      const text = document.create();
      const file = join(files, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      const stats = statSync(file);
      known.push({
        ...{ path, sha256: hash('sha256', text), size: stats.size },
        ...{ stamp: stampOf(stats), sourceStamp: undefined, pageKey: key },
      });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw error;
      failed.add(path);
      problems.addDefect(path, `it could not be made: ${errorMessage(error)}`);
    }
  }
  const current = new Set(documents.flatMap(({ path }) => (failed.has(path) ? [] : [path])));
  const obsolete = listFiles(files).filter(([path]) => !current.has(path));
  for (const [, file] of obsolete) rmSync(file);
  state.update({ known, forgotten: obsolete.map(([path]) => path) });
  return new Map([...current].map((path) => [path, join(files, path)]));
}

/** Writes the `info.json` of all tiled images, for IIIF viewers. */
export function writeTileDescriptions(out: string, tiles: Tiles[], site: string | undefined): void {
  for (const image of tiles) {
    mkdirSync(join(out, image.path), { recursive: true });
    writeFileSync(join(out, image.path, 'info.json'), describeTiles(image, site));
  }
}
