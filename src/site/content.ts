/** Reads content of a page that is not in the catalogue: response bodies and files' text. View models then need no I/O. */
import { READS } from '../catalogue/dependencies/read-keys.ts';
import type { ArticleEntry, AuthorEntry, ListedEntry } from '../catalogue/entries.ts';
import { readEntryRecord } from '../catalogue/read/object-entries.ts';
import type { CopiedFile } from '../derivatives/copied-files.ts';
import { readFileTexts } from '../derivatives/read-text.ts';
import { readArticle, readAuthor } from '../model/guide/guide.ts';
import { parseJson } from '../model/json.ts';
import type { ArchivalRecord } from '../model/records.ts';
import { isObject } from '../model/values.ts';
import { bodyText, readEarlierVersions, readPayload } from '../snapshot/read.ts';
import type { Store } from '../snapshot/store.ts';
import { findTranscripts } from './pages/transcript/transcript.ts';
import { pageSlice } from './parts/frame/page-parts.ts';
import { createLandReader } from './parts/map/land-outlines.ts';
import { findRecordingTexts, type RecordingText, type RecordingTexts } from './parts/media/recording-texts.ts';
import type { Site } from './site.ts';

/** The content of a record's page. */
export type ObjectContent = ReturnType<ContentReader['object']>;

/** The content of an author's page. */
export type AuthorContent = ReturnType<ContentReader['author']>;

/** The authors who are one person, and their content. */
export type PersonAuthors = ReadonlyArray<{ entry: AuthorEntry; content: AuthorContent }>;

/** The content of a guide page. */
export type ArticleContent = ReturnType<ContentReader['article']>;

/** Reads the content of one page of an entry; pages are counted from 1. All methods throw if the snapshot cannot be read. */
export type ContentReader = ReturnType<typeof createContentReader>;

/**
 * Returns a reader over an open snapshot. `site` may be in any language: relations and files are the same in all. `onRead` is
 * called with the key of each read (src/catalogue/dependencies/read-keys.ts).
 */
export function createContentReader(
  store: Store,
  site: Pick<Site, 'relations' | 'copiedFiles'>,
  onRead: (key: string) => void = () => undefined,
) {
  const land = createLandReader();
  const readEntry = (entry: ListedEntry) => {
    onRead(READS.entry(entry.id));
    return readEntryRecord(entry, store);
  };
  return {
    /** The outlines for maps. */
    land,
    /** The texts in a file that the site has; none if it is not text. */
    texts: (file: CopiedFile) => readFileTexts(file, store),
    /** A record to be cited, without anything else that its page shows. */
    cited(entry: ListedEntry) {
      const { record, stored } = readEntry(entry);
      return { record, receivedAt: stored?.fetchedAt };
    },
    object(entry: ListedEntry, page: number) {
      const { record, stored } = readEntry(entry);
      return {
        record,
        /** When the record's body was received (ISO 8601); undefined for a partial record. */
        receivedAt: stored?.fetchedAt,
        /** On the first page: the record's earlier versions, the latest first. */
        earlierVersions: stored && page === 1 ? compareVersions(store, record) : [],
        texts: readTexts(store, page === 1 ? findRecordingTexts(entry, site) : []),
        land,
      };
    },
    /** The transcripts of the segments of an interview. */
    transcripts: (entry: ListedEntry) =>
      readTexts(
        store,
        findTranscripts(entry, site).map(({ text }) => text),
      ),
    /** Without `author` if the body cannot be parsed. */
    author: ({ name }: AuthorEntry) => ({ author: readAuthor(readPayload(store, 'author', name)) }),
    /** Without `article` if the body cannot be parsed. */
    article({ name }: ArticleEntry, page: number) {
      const article = readArticle(readPayload(store, 'article', name));
      const sources = pageSlice(article?.sources ?? [], page);
      for (const { name: source } of sources) onRead(READS.lookup('source', source));
      return {
        article,
        /** The parsed bodies of the sources on this page, by name, in the guide page's order. */
        sources: new Map(sources.map((source) => [source.name, readPayload(store, 'source', source.name)])),
        land,
      };
    },
  };
}

/** Returns the texts of transcripts and glossaries whose file is in the site. */
function readTexts(store: Store, texts: readonly RecordingText[]): RecordingTexts {
  return new Map(texts.flatMap(({ file }) => (file ? [[file.path, readFileTexts(file, store)] as const] : [])));
}

/** Returns the earlier versions of a record: when each was received (ISO 8601), and the fields that the next one changed. */
function compareVersions(store: Store, { id, raw }: ArchivalRecord) {
  let next = raw;
  return readEarlierVersions(store, 'object', id).flatMap((stored) => {
    const payload = parseJson(bodyText(stored));
    if (!isObject(payload)) return [];
    const later = next;
    next = payload;
    const names = new Set([...Object.keys(later), ...Object.keys(payload)]);
    const changed = [...names].filter((name) => JSON.stringify(later[name]) !== JSON.stringify(payload[name]));
    return [{ receivedAt: stored.fetchedAt, changedLater: changed }];
  });
}
