/** Reads from the snapshot what one page shows beside the catalogue: bodies of records and of the guide, and the words of files. Views then only compute. */
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

export interface ObjectContent {
  record: ArchivalRecord;
  /** When the record's body was received (ISO 8601); undefined if the record itself is not in the snapshot. */
  receivedAt: string | undefined;
  /** The words of the transcripts and glossaries that the page shows, by the file's path in the site. */
  texts: ReadonlyMap<string, string>;
}

export interface AuthorContent {
  /** Undefined if the body cannot be read. */
  author: Author | undefined;
}

export interface ArticleContent {
  /** Undefined if the body cannot be read. */
  article: Article | undefined;
  /** The parsed bodies of the sources on this page, by name, in the article's order. */
  sources: ReadonlyMap<string, unknown>;
}

/** Reads the content of one page (from 1) of an entry. @throws if the snapshot cannot be read. */
export interface ContentReader {
  object(entry: ObjectEntry, page: number): ObjectContent;
  author(entry: AuthorEntry): AuthorContent;
  article(entry: ArticleEntry, page: number): ArticleContent;
}

/** Reads from an open snapshot. The relations and files of a site are the same in all languages. */
export function createContentReader(store: Store, site: Pick<Site, 'relations' | 'mirrored'>): ContentReader {
  return {
    object(entry, page) {
      const { record, stored } = recordBehind(entry, store);
      const files = page === 1 ? readingsOf(entry, site).flatMap(({ file }) => file ?? []) : [];
      const texts = files.flatMap((file) => {
        const words = textOf(file, store);
        return words === undefined ? [] : [[file.path, words] as const];
      });
      return { record, receivedAt: stored?.fetchedAt, texts: new Map(texts) };
    },
    author: ({ name }) => ({ author: readAuthor(payloadOf(store, 'author', name)) }),
    article({ name }, page) {
      const article = readArticle(payloadOf(store, 'article', name));
      const named = slice(article?.sources ?? [], page);
      return { article, sources: new Map(named.map((source) => [source.name, payloadOf(store, 'source', source.name)])) };
    },
  };
}

/** Returns the words of a file (at most `LONGEST_FILE_TEXT` bytes of it), in whatever encoding it was written; undefined if it has none that can be read. */
function textOf({ source, mimetype, words }: MirroredFile, { dir, view }: Store): string | undefined {
  const redacted = (text: string) => view?.redactText?.(text) ?? text;
  const read = (file: string) => redacted(decodeBody(beginningOf(file, LONGEST_FILE_TEXT)));
  if (words !== undefined) return read(words);
  return mimetype.startsWith('text/') ? read(join(dir, source)) : undefined;
}
