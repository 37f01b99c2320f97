/** Exports a built site as a ZIM file, which Kiwix and other offline readers open. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { HOME_PATH } from '../../catalogue/urls.ts';
import { ICON_PATH } from '../../formats/icon-path.ts';
import { UserError } from '../../model/errors.ts';
import { concatenate } from '../../platform/in-parts.ts';
import { readSiteIdentity } from '../../publish/site-identity.ts';
import { type PackageReport, type SiteContext, SOFTWARE } from '../export-context.ts';
import type { PackageWriter } from '../package/package-writer.ts';
import { openSiteOfPages, type SiteFiles } from '../site-files.ts';
import { type ClusterBuilder, createClusterBuilder } from './clusters.ts';
import { addContent } from './content.ts';
import { createFullTextIndexer, XAPIAN_TYPE, type XapianIndex } from './full-text.ts';
import { createIllustration, createMetadata, ILLUSTRATION, SCRAPER } from './metadata.ts';
import { openZim } from './read-zim.ts';
import { layOutZim, MAIN_PAGE, type ZimEntry } from './write-zim.ts';

/**
 * Writes the ZIM file.
 * @throws {UserError} if the directory does not contain a complete site, or contains a compact build.
 */
export async function writeZim(options: SiteContext, writer: PackageWriter): Promise<PackageReport> {
  const site = openSiteOfPages(options);
  const indexer = options.fullText ? createFullTextIndexer(writer.workDirectory) : undefined;
  await using builder = createClusterBuilder(join(writer.workDirectory, 'clusters'));
  const content = await addContent(site, builder, { onPage: indexer?.addPage, onProgress: options.onProgress });
  const metadata = await describe(site, options, content);
  const indexes = (await indexer?.finish(metadata.language, metadata.illustration)) ?? [];
  const zim = await layOutZim(
    [
      ...content.entries,
      ...addMetadata(metadata, builder),
      ...indexes.map((index) => addIndex(index, builder)),
      { namespace: 'W', path: MAIN_PAGE, title: '', target: { redirect: HOME_PATH }, isPage: false },
    ],
    builder,
    uuidOf([
      content.sha256,
      Buffer.from(JSON.stringify([...metadata.texts])),
      metadata.illustration,
      ...indexes.map(({ sha256 }) => Buffer.from(sha256)),
    ]),
  );
  await writer.add('', zim);
  return { files: content.files, bytes: zim.size, fingerprint: site.fingerprint, notes: [] };
}

/** Returns the metadata, its illustration as PNG, and the ISO 639-3 code of the main language. */
async function describe(site: SiteFiles, { dir, fullText }: SiteContext, content: Awaited<ReturnType<typeof addContent>>) {
  const { home, languages, counter } = content;
  const icon = site.files.find(({ path }) => path === ICON_PATH);
  if (!icon) throw new UserError(`The site in ${dir} has no ${ICON_PATH}. Run "microfiche build" again, then export.`);
  const texts = createMetadata({
    title: home.siteTitle || home.title || SOFTWARE,
    description: home.description,
    identity: readSiteIdentity(dir) ?? {},
    pageLanguages: languages,
    hasFullText: fullText,
    counter,
  });
  const [language = ''] = (texts.get('Language') ?? '').split(',');
  return { texts, illustration: await createIllustration(site.readFile(icon)), language };
}

function addMetadata({ texts, illustration }: Awaited<ReturnType<typeof describe>>, builder: ClusterBuilder): ZimEntry[] {
  builder.endStored();
  const add = (path: string, mediaType: string, bytes: Uint8Array): ZimEntry => {
    const address = builder.addStored({ size: bytes.length, read: () => concatenate([[bytes]]) });
    return { namespace: 'M', path, title: '', target: { ...address, mediaType }, isPage: false };
  };
  return [
    ...[...texts].map(([name, text]) => add(name, 'text/plain;charset=utf-8', Buffer.from(text))),
    add(ILLUSTRATION, 'image/png', illustration),
  ];
}

/** Adds an index in a cluster of its own, because readers open it as a part of the ZIM file. */
function addIndex({ path, blob }: XapianIndex, builder: ClusterBuilder): ZimEntry {
  builder.endStored();
  const target = { ...builder.addStored(blob), mediaType: XAPIAN_TYPE };
  return { namespace: 'X', path, title: '', target, isPage: false };
}

/** Returns a UUID of version 8 (RFC 9562) that depends on the content alone. */
function uuidOf(parts: readonly Uint8Array[]): Uint8Array {
  const sha256 = createHash('sha256');
  for (const part of parts) sha256.update(`${part.length} `).update(part);
  const uuid = sha256.digest().subarray(0, 16);
  uuid[6] = ((uuid[6] as number) & 0x0f) | 0x80;
  uuid[8] = ((uuid[8] as number) & 0x3f) | 0x80;
  return uuid;
}

/** Returns whether a file is a ZIM file that Microfiche wrote. */
export function isOwnZim(file: string): boolean {
  using zim = openZim(file);
  const blob = zim?.find('M', SCRAPER);
  return blob !== undefined && zim?.read(blob, 100).toString() === SOFTWARE;
}
