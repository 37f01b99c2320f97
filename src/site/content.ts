/** Reads the content of one page that is not in the catalogue: response bodies and the text of files. View models are then computed without I/O. */
import { join } from 'node:path';
import type { ArticleEntry, AuthorEntry, ObjectEntry } from '../catalogue/entries.ts';
import { recordBehind } from '../catalogue/object-entries.ts';
import type { MirroredFile } from '../derivatives/mirrored.ts';
import { type Article, type Author, readArticle, readAuthor } from '../model/guide.ts';
import { decodeBody } from '../model/json.ts';
import { LONGEST_FILE_TEXT } from '../model/limits.ts';
import type { ArchivalRecord } from '../model/records.ts';
import { beginningOf } from '../platform/beginning.ts';
import { payloadOf } from '../snapshot/read.ts';
import type { Store } from '../snapshot/store.ts';
import type { Site } from './site.ts';
import { slice } from './views/page.ts';
import { readingsOf } from './views/recording.ts';

/** The content of a record's page. */
export interface ObjectContent {
  record: ArchivalRecord;
  /** When the record's body was received (ISO 8601); undefined for a partial record. */
  receivedAt: string | undefined;
  /** The text of the transcripts and glossaries on the page, by the file's path in the site. */
  texts: ReadonlyMap<string, string>;
}

/** The content of an author's page. */
export interface AuthorContent {
  /** Undefined if the body cannot be parsed. */
  author: Author | undefined;
}

/** The content of a guide page. */
export interface ArticleContent {
  /** Undefined if the body cannot be parsed. */
  article: Article | undefined;
  /** The parsed bodies of the sources on this page, by name, in the guide page's order. */
  sources: ReadonlyMap<string, unknown>;
}

/** Reads the content of one page of an entry; pages are counted from 1. All methods throw if the snapshot cannot be read. */
export interface ContentReader {
  object(entry: ObjectEntry, page: number): ObjectContent;
  author(entry: AuthorEntry): AuthorContent;
  article(entry: ArticleEntry, page: number): ArticleContent;
}

/** Returns a reader over an open snapshot. `site` may be in any language: relations and files are the same in all. */
export function createContentReader(store: Store, site: Pick<Site, 'relations' | 'mirrored'>): ContentReader {
  return {
    object(entry, page) {
      const { record, stored } = recordBehind(entry, store);
      const files = page === 1 ? readingsOf(entry, site).flatMap(({ file }) => file ?? []) : [];
      const texts = files.flatMap((file) => {
        const text = readText(file, store);
        return text === undefined ? [] : [[file.path, text] as const];
      });
      return { record, receivedAt: stored?.fetchedAt, texts: new Map(texts) };
    },
    author: ({ name }) => ({ author: readAuthor(payloadOf(store, 'author', name)) }),
    article({ name }, page) {
      const article = readArticle(payloadOf(store, 'article', name));
      const sources = slice(article?.sources ?? [], page);
      return { article, sources: new Map(sources.map((source) => [source.name, payloadOf(store, 'source', source.name)])) };
    },
  };
}

/** Returns the text of a file in any encoding, from its first `LONGEST_FILE_TEXT` bytes; undefined if it has no readable text. */
function readText({ source, mimetype, words }: MirroredFile, { dir, view }: Store): string | undefined {
  const redacted = (text: string) => view?.redactText?.(text) ?? text;
  const read = (file: string) => redacted(decodeBody(beginningOf(file, LONGEST_FILE_TEXT)));
  if (words !== undefined) return read(words);
  return mimetype.startsWith('text/') ? read(join(dir, source)) : undefined;
}
