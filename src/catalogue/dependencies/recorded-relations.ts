/** Relations that say what is read of them, so that it is known on what a page depends. */
import { urlKey } from '../catalogue-schema.ts';
import type { ListedEntry } from '../entries.ts';
import type { EntryList } from '../lists/entry-list.ts';
import type { Relations } from '../lists/relations.ts';
import { BLOCK_LENGTH, LISTS, READS } from './read-keys.ts';

/** Returns relations that call `onRead` with the key of each read. */
export function recordReads(relations: Relations, onRead: (key: string) => void): Relations {
  const read = <T>(key: string, result: T): T => {
    onRead(key);
    return result;
  };
  const listed = <T extends ListedEntry | undefined>(entry: T): T => {
    if (entry) onRead(READS.listed(entry.id));
    return entry;
  };
  const allListed = (entries: ListedEntry[]) => entries.map(listed);

  /** Returns a part of a list, of which the caller has read everything that decides what is in it. */
  const recordedPart = (list: EntryList): EntryList => ({
    length: list.length,
    slice: (from, to) => allListed(list.slice(from, to)),
    only: (model) => recordedPart(list.only(model)),
    except: (model) => recordedPart(list.except(model)),
    withMedia: () => recordedPart(list.withMedia()),
    indexOf: list.indexOf,
    *[Symbol.iterator]() {
      for (const entry of list) yield listed(entry);
    },
  });
  const recordedList = (key: string, list: EntryList): EntryList => ({
    get length() {
      return read(READS.count(key), list.length);
    },
    slice(from, to = list.length) {
      if (to >= list.length) onRead(READS.count(key));
      for (let block = Math.floor(from / BLOCK_LENGTH); block * BLOCK_LENGTH < Math.min(to, list.length); block++)
        onRead(READS.block(key, block));
      return allListed(list.slice(from, to));
    },
    only: (model) => read(READS.all(key), recordedPart(list.only(model))),
    except: (model) => read(READS.all(key), recordedPart(list.except(model))),
    withMedia: () => read(READS.all(key), recordedPart(list.withMedia())),
    indexOf: (id) => read(READS.all(key), list.indexOf(id)),
    *[Symbol.iterator]() {
      onRead(READS.all(key));
      for (const entry of list) yield listed(entry);
    },
  });
  return {
    object: (id) => read(READS.listed(id), relations.object(id)),
    entry: (id) => read(READS.entry(id), relations.entry(id)),
    has: (id) => read(READS.has(id), relations.has(id)),
    idOfPage: (name) => read(READS.page(name), relations.idOfPage(name)),
    children: (id) => recordedList(LISTS.children(id), relations.children(id)),
    files: (id) => recordedList(LISTS.files(id), relations.files(id)),
    recordsWith: (facet, slug) => recordedList(LISTS.withValue(facet, slug), relations.recordsWith(facet, slug)),
    countWithAny(facet, slugs) {
      for (const slug of slugs) onRead(READS.all(LISTS.withValue(facet, slug)));
      return relations.countWithAny(facet, slugs);
    },
    previousAndNext(entry) {
      const { previous, next } = read(READS.siblings(entry.id), relations.previousAndNext(entry));
      return { previous: listed(previous), next: listed(next) };
    },
    related(entry) {
      const related = read(READS.related(entry.id), relations.related(entry));
      for (const other of related) listed(other.entry);
      return related;
    },
    otherInterviews(entry, limit) {
      for (const narrator of entry.narrators) onRead(READS.narrator(narrator));
      return allListed(relations.otherInterviews(entry, limit));
    },
    interviewsWith: (person) => read(READS.narrator(person), allListed(relations.interviewsWith(person))),
    people: () => read(READS.people, relations.people()),
    person: (slug) => read(READS.person(slug), relations.person(slug)),
    personOfAuthor: (author) => read(READS.personOfAuthor(author), relations.personOfAuthor(author)),
    narratorOf: (id) => read(READS.lookup('narrator', id), relations.narratorOf(id)),
    article: (slug) => read(READS.article(slug), relations.article(slug)),
    author: (slug) => read(READS.author(slug), relations.author(slug)),
    articlesAbout: (id) => read(READS.about(id), relations.articlesAbout(id)),
    byLiveUrl(href) {
      const found = read(READS.live(urlKey(href)), relations.byLiveUrl(href));
      listed(found.object);
      if (found.article) onRead(READS.article(found.article.slug));
      if (found.author) onRead(READS.author(found.author.slug));
      return found;
    },
    terms: (facet) => read(READS.terms(facet), relations.terms(facet)),
    term: (facet, slug) => read(READS.term(facet, slug), relations.term(facet, slug)),
    summary: (facet, slug) => read(READS.summary(facet, slug), relations.summary(facet, slug)),
    named: (name) => read(READS.named(name), relations.named(name)),
    placeNamed: (name) => read(READS.placeNamed(name), relations.placeNamed(name)),
  };
}
