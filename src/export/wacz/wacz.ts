/** Exports the snapshot as a WACZ: every exchange with the API and every media file as WARC records, with an index and pages. */
import { facetValues } from '../../catalogue/lists/facets.ts';
import { titleOf } from '../../catalogue/read/object-entries.ts';
import type { VisibleStore } from '../../catalogue/read/visible-store.ts';
import { parentOf } from '../../model/ancestors.ts';
import { CODED_FACETS, FACETS } from '../../model/facets.ts';
import { textOfSections } from '../../model/guide/article-fields.ts';
import { readArticle, readAuthor } from '../../model/guide/guide.ts';
import { type ArchivalRecord, parseRecord } from '../../model/records.ts';
import { toPlainText } from '../../model/text/text.ts';
import { toSafeDirectory } from '../../platform/safe-directory.ts';
import { toPrintable } from '../../platform/text-lines.ts';
import { readArchiveIdentity } from '../../publish/site-identity.ts';
import { readSearchedFields } from '../../search/searched-fields.ts';
import { createLocales } from '../../site/language/locale.ts';
import { computeFingerprint } from '../../snapshot/fingerprint.ts';
import { parseBody, readBodies, readLastRun } from '../../snapshot/read.ts';
import type { StoredBody } from '../../snapshot/row-types.ts';
import type { ExportContext, PackageReport } from '../export-context.ts';
import type { PackageWriter } from '../package/package-writer.ts';
import { checkMediaFile, readPortableMedia } from '../portable-media.ts';
import { describeBodies, isWhole } from '../scope.ts';
import { createFileReader } from '../tables/file-lines.ts';
import { waczReadme } from './readme.ts';
import { createWacz, UNKNOWN_TIME, type WaczPage } from './wacz-container.ts';
import { API_WARC, apiRecords, MEDIA_WARC, mediaRecords } from './wacz-records.ts';

/** Writes the files of a WACZ. */
export async function writeWacz(context: ExportContext, writer: PackageWriter): Promise<PackageReport> {
  const { store, title, scope, keyFile, onProgress } = context;
  const media = readPortableMedia(store).filter(({ state }) => state === 'stored');
  const included = new Set(media.map(({ url }) => url));
  const fingerprint = computeFingerprint(store, { includesMedia: (url) => included.has(url) });
  const archive = readArchiveIdentity(store);
  using wacz = await createWacz(writer, { format: 'wacz', fingerprint, archive }, waczReadme(title, scope));
  const notes: string[] = [];
  const onDamaged = (key: string) => notes.push(`An earlier version of ${toPrintable(key)} is damaged, and not in the WACZ.`);
  await wacz.addWarc(API_WARC, apiRecords(context, onDamaged));
  const { resolve } = toSafeDirectory(store.dir);
  await wacz.addWarc(MEDIA_WARC, mediaRecords(context, media, onProgress), (file, found) => {
    for (const row of media) if (row.source !== null && resolve(row.source) === file) checkMediaFile(row, found);
  });
  let mainPage: WaczPage | undefined;
  for (const page of readPages(context)) {
    mainPage ??= page;
    wacz.addPage(page);
  }
  const run = readLastRun(store);
  const written = await wacz.finish(
    {
      title,
      description: [
        isWhole(scope)
          ? `Every stored response of the API of ${title}, and its media files.`
          : `Responses of the API of ${title}, and its media files. ${describeBodies(scope)}`,
        'It may contain records that the archive does not publish.',
      ].join(' '),
      created: run?.finished_at ?? run?.started_at ?? UNKNOWN_TIME,
      mainPage,
    },
    keyFile,
  );
  return { ...written, fingerprint, notes };
}

/** Yields a page for each record, guide page and author, with its title and text, for the list and search of readers. */
function* readPages({ store }: ExportContext): Generator<WaczPage> {
  const readText = createRecordTextReader(store);
  for (const kind of ['object', 'article', 'author'] as const)
    for (const stored of readBodies(store, kind))
      yield { id: `${kind}:${stored.name}`, url: stored.url, ts: stored.fetchedAt, ...describePage(kind, stored, readText) };
}

function describePage(
  kind: 'object' | 'article' | 'author',
  stored: StoredBody,
  readText: (record: ArchivalRecord) => string,
): Pick<WaczPage, 'title' | 'text'> {
  const payload = parseBody(stored);
  if (kind === 'object') {
    const record = parseRecord(payload, { url: stored.url });
    return { title: record ? titleOf(record) : stored.name, text: record ? readText(record) : '' };
  }
  const article = kind === 'article' ? readArticle(payload) : undefined;
  const text = article ? textOfSections(article.sections) : toPlainText(readAuthor(payload)?.body);
  return { title: article?.title ?? stored.name, text };
}

/** Returns a reader of the text of records. A transcript is in the text of the record that names its file. */
function createRecordTextReader(store: VisibleStore): (record: ArchivalRecord) => string {
  const readFiles = createFileReader(store, [], () => undefined);
  const locales = createLocales(['en']);
  const withCodes: ReadonlySet<string> = new Set(CODED_FACETS);
  return (record) => {
    const facets = Object.fromEntries(FACETS.map((facet) => [facet, facetValues(facet, record)]));
    const { id, model } = record;
    const fields = readSearchedFields({ id, model, parent: parentOf(record), facets }, record, locales);
    const lines = readFiles(record).flatMap((file) => file.lines);
    return [
      toPlainText(record.description),
      ...fields.map(([name, text, words]) => (withCodes.has(name) ? (words ?? text) : text)),
      ...lines.map(({ speaker, text }) => (speaker === undefined ? text : `${speaker}: ${text}`)),
    ]
      .filter((text) => text !== '')
      .join('\n');
  };
}
