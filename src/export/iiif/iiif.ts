/** Exports a site's images and recordings for IIIF viewers (Presentation API 3). Manifests link to the site's own files. */
import { readFileSync } from 'node:fs';
import { openRelations } from '../../catalogue/lists/relations.ts';
import { errorMessage } from '../../catalogue/page-problems.ts';
import { cacheRootDirectory, derivativesDirectory } from '../../derivatives/cache-directories.ts';
import { describeTiles } from '../../derivatives/iiif.ts';
import { IMAGE_FORMATS, type ImageFormat } from '../../derivatives/image-formats.ts';
import { prepareSiteFiles, type SiteFiles } from '../../derivatives/site-files.ts';
import { UserError } from '../../model/errors.ts';
import { isLanguage } from '../../model/text/language-tag.ts';
import { lookupIn } from '../../platform/lookup.ts';
import { toSafeDirectory } from '../../platform/safe-directory.ts';
import { readManifest } from '../../publish/manifest.ts';
import {
  describeArchive,
  isSameArchive,
  readArchiveIdentity,
  readSiteIdentity,
  snapshotFingerprint,
} from '../../publish/site-identity.ts';
import { createContentReader } from '../../site/content.ts';
import type { Language } from '../../site/language/locale.ts';
import { applyToArchive, openNotices } from '../../site/notices/notices.ts';
import { createSites } from '../../site/site.ts';
import { computeFingerprint } from '../../snapshot/fingerprint.ts';
import type { ExportContext, PackageReport } from '../export-context.ts';
import { formatIdentity, IDENTITY_FILE } from '../identity.ts';
import { addFileList } from '../own-files.ts';
import type { PackagedFile } from '../package/manifest.ts';
import type { PackageWriter } from '../package/package-writer.ts';
import { describeScope, type ExportScope, wrap } from '../scope.ts';
import { listIiifDocuments } from './iiif-documents.ts';
import type { IiifSource } from './iiif-parts.ts';
import { createIiifTexts } from './iiif-text.ts';

/**
 * Writes the documents, and the `info.json` of tiled images with their absolute URLs.
 * @throws {UserError} if the directory has no site of the archive, to whose files the documents link.
 */
export async function writeIiif(context: ExportContext, writer: PackageWriter): Promise<PackageReport> {
  const { publicStore, scope, title, catalogue, onProgress } = context;
  const siteUrl = `${context.siteUrl}/`;
  const notes = checkSite(context);
  const { source, tiles } = await createSource(context, siteUrl, writer.workDirectory);
  const fingerprint = computeFingerprint(publicStore, { includesMedia: () => false });
  const files: PackagedFile[] = [];
  const add = async (path: string, text: string) => {
    files.push({ path, digest: await writer.add(path, Buffer.from(text)) });
  };
  await add(IDENTITY_FILE, formatIdentity({ format: 'iiif', fingerprint }));
  await add('README.txt', iiifReadme(title, scope, siteUrl));
  const documents = listIiifDocuments(catalogue.objects, source);
  for (const [i, { path, create }] of documents.entries()) {
    onProgress?.(i, documents.length);
    let text: string;
    try {
      text = create();
    } catch (error) {
      notes.push(`${path} could not be made: ${errorMessage(error)}.`);
      continue;
    }
    await add(path, text);
  }
  const described = new Map(Object.values(tiles).map((each) => [`${each.path}/info.json`, each]));
  for (const [path, each] of [...described].sort(([a], [b]) => (a < b ? -1 : 1))) await add(path, describeTiles(each, siteUrl));
  if (documents.length === 0) notes.push('The site has no images and no recordings, so no IIIF manifests were made.');
  return { ...(await addFileList(writer, '', files)), fingerprint, notes };
}

/**
 * Returns what the operator should know about the site.
 * @throws {UserError} if the directory has no site, or that of another archive.
 */
function checkSite({ publicStore, dir }: ExportContext): string[] {
  if (readManifest(dir).length === 0)
    throw new UserError(
      `No site was found in ${dir}, and the IIIF manifests link to its images and recordings. Build it first, or name its directory with --dir.`,
    );
  const identity = readSiteIdentity(dir);
  const archive = readArchiveIdentity(publicStore);
  if (identity && !isSameArchive(identity, archive))
    throw new UserError(
      `${dir} contains the site of ${describeArchive(identity)}, not of ${describeArchive(archive)}. Choose another one with --dir.`,
    );
  return identity && identity.snapshot === snapshotFingerprint(publicStore)
    ? []
    : [
        `The site in ${dir} was built from another state of the snapshot. What it does not have is left out. Build it, then export again.`,
      ];
}

/** Returns the format of a site's images. A compact site has no files of thumbnails. */
function imageFormatOf(paths: ReadonlySet<string>): ImageFormat {
  const images = [...paths].filter((path) => /^(?:thumbs|media)\//.test(path));
  return IMAGE_FORMATS.findLast((format) => images.some((path) => path.endsWith(`.${format}`))) ?? IMAGE_FORMATS[0];
}

/** Returns what the documents are made from. Images and recordings that the site does not have are left out. */
async function createSource(
  { publicStore, catalogue, dir, archiveLanguage, notices }: ExportContext,
  siteUrl: string,
  workDirectory: string,
): Promise<{ source: IiifSource; tiles: SiteFiles['tiles'] }> {
  const paths = new Set(readManifest(dir).map(({ path }) => path));
  const prepared = await prepareSiteFiles(publicStore, catalogue, {
    cacheDirectory: workDirectory,
    derivatives: derivativesDirectory(cacheRootDirectory()),
    imageFormat: imageFormatOf(paths),
    stripMetadata: 'none', // only the paths of the files are needed
  });
  const files = selectPublished(prepared, paths);
  const relations = openRelations(catalogue.db, catalogue);
  const [site] = createSites({
    notices: openNotices(applyToArchive(notices, catalogue.objects)),
    catalogue,
    relations,
    languages: readLanguages(dir, paths),
    archiveLanguage,
    siteUrl,
    images: lookupIn(files.images),
    tiles: lookupIn(files.tiles),
    copiedFiles: lookupIn(files.copiedFiles),
    emptyFiles: { get: () => undefined },
    kiosk: undefined,
    compact: false,
    featured: [],
    search: false,
  });
  if (!site) throw new Error('A site has at least one language');
  const content = createContentReader(publicStore, site);
  const source = { site: { ...site, siteUrl }, content, texts: createIiifTexts(site.archiveLanguages) };
  return { source, tiles: files.tiles };
}

/** Returns the images, tiles and media files that a site has, by its paths. */
function selectPublished(
  { images, tiles, copiedFiles }: Pick<SiteFiles, 'images' | 'tiles' | 'copiedFiles'>,
  paths: ReadonlySet<string>,
): Pick<SiteFiles, 'images' | 'tiles' | 'copiedFiles'> {
  return {
    images: Object.fromEntries(
      Object.entries(images).flatMap(([url, { page, thumb }]) =>
        paths.has(page.path) ? [[url, { page, thumb: paths.has(thumb.path) ? thumb : page }]] : [],
      ),
    ),
    tiles: Object.fromEntries(Object.entries(tiles).filter(([, { path }]) => paths.has(`${path}/info.json`))),
    copiedFiles: Object.fromEntries(
      Object.entries(copiedFiles).map(([url, file]) => [
        url,
        {
          ...file,
          isDownloadable: file.isDownloadable && paths.has(file.path),
          ...(file.exports && { exports: file.exports.filter(({ path }) => paths.has(path)) }),
        },
      ]),
    ),
  };
}

/** Returns the languages of a site, the one at the top first. */
function readLanguages(dir: string, paths: ReadonlySet<string>): Language[] {
  const home = paths.has('index.html') ? readFileSync(toSafeDirectory(dir).resolve('index.html'), 'utf8') : '';
  const [, top = ''] = /<html[^>]* lang="([A-Za-z\d-]+)"/.exec(home) ?? [];
  const others = [...paths].flatMap((path) => /^([^/]+)\/index\.html$/.exec(path)?.[1] ?? []);
  return [isLanguage(top) ? top : 'en', ...others.filter(isLanguage)];
}

/** Returns the README of IIIF documents. `siteUrl` ends with a slash. */
function iiifReadme(title: string, scope: ExportScope, siteUrl: string): string {
  return `${title}: IIIF manifests

${wrap(
  `These files describe the images and recordings of the archive for IIIF viewers (Presentation API 3). ${describeScope(scope)} The images and recordings themselves are in the site made by Microfiche at ${siteUrl}`,
)}

iiif/collection.json            all collections: open this one in a viewer
iiif/ID/collection.json         one collection
iiif/ID/manifest.json           one photograph, document, interview or segment
iiif/ID/record.json             its record, as the archive's API returns it
media/tiles/ID/info.json        large images in tiles (Image API 3, level 0)

Copy the directories iiif and media into the directory of the site. The host must allow other sites to read them:

  Access-Control-Allow-Origin: *

Any viewer opens them, for example Mirador, Universal Viewer or Clover: ${siteUrl}iiif/collection.json
`;
}
