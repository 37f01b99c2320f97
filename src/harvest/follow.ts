/** Extracts from a response the resources that it names, for each kind of resource. */
import { authorNameIn, readArticle, readAuthor, readSource } from '../model/guide.ts';
import { isObjectId } from '../model/ids.ts';
import { entryName, type ListPage, readListPage } from '../model/lists.ts';
import { idsInHtml, idsInSource } from '../model/mentions.ts';
import { readRecord } from '../model/records.ts';
import { type Bases, objectIdInUrl, type Resource } from '../model/resources.ts';
import { isObject, verbatim } from '../model/values.ts';
import type { Lead } from '../snapshot/write.ts';
import { followIndexList, readIndex } from './discover.ts';
import { firstPage } from './lists.ts';

/** What was read from a response. */
export interface Reading {
  /** Discovered resources. */
  found: Lead[];
  /** Why the response is not the resource that was requested. */
  problem?: string;
  /** Records only. */
  model?: string;
  /** List pages only. `found` does not include the next page. */
  page?: ListPage;
}

/** Reads a parsed response as the resource that was requested. */
export function follow(resource: Resource, payload: unknown, bases: Bases): Reading {
  switch (resource.kind) {
    case 'authors':
    case 'children':
    case 'files':
      return followList(resource.kind, payload, bases);
    case 'author': {
      const author = readAuthor(payload);
      if (!author) return { found: [], problem: 'the response is not an author' };
      return { found: [...author.articles.map(article), ...idsInHtml(author.body, bases).map(object)] };
    }
    case 'article':
      return followArticle(payload, bases);
    case 'source':
      return followSource(resource.name, payload, bases);
    case 'object':
      return followObject(resource.name, payload);
    case 'index': {
      const index = readIndex(payload, bases);
      return index
        ? { found: index.ways.flatMap(({ leads }) => leads) }
        : { found: [], problem: 'the response is not a catalog index' };
    }
    default:
      return (
        followIndexList(resource.kind, resource.name, payload, bases) ?? { found: [], problem: 'the response is not a list' }
      );
  }
}

function followList(kind: 'authors' | 'children' | 'files', payload: unknown, bases: Bases): Reading {
  const page = readListPage(payload);
  if (!page) return { found: [], problem: 'the response is not a list' };
  const found = page.items.flatMap((entry): Lead[] => {
    const name = kind === 'authors' ? authorNameIn(entry) : objectIdIn(entry, bases);
    return name === undefined ? [] : [{ kind: kind === 'authors' ? 'author' : 'object', name: truncate(name), line: entry }];
  });
  return { found, page };
}

/** Returns the record ID of a list entry, from the entry itself or from its JSON link. An invalid ID is returned too, so that the report names it. */
function objectIdIn(entry: Record<string, unknown>, bases: Bases): string | undefined {
  const id = entryName(entry);
  const json = isObject(entry['links']) ? verbatim(entry['links']['json']) : undefined;
  return isObjectId(id) || json === undefined ? id : (objectIdInUrl(json, bases) ?? id);
}

const MAX_NAME_LENGTH = 1_000;

/** A longer name is invalid; its beginning is enough to identify it in the report. */
function truncate(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name;
}

function followArticle(payload: unknown, bases: Bases): Reading {
  const parsed = readArticle(payload);
  if (!parsed) return { found: [], problem: 'the response is not an article' };
  return {
    found: [
      ...parsed.authors.map(({ name }): Resource => ({ kind: 'author', name })),
      ...parsed.sources.map(({ name }): Resource => ({ kind: 'source', name })),
      ...idsInHtml(parsed.body, bases).map(object),
    ],
  };
}

function followSource(name: string, payload: unknown, bases: Bases): Reading {
  if (!readSource(payload) || !isObject(payload)) return { found: [], problem: 'the response is not a source' };
  return { found: idsInSource(payload, name, bases).map(object) };
}

function followObject(id: string, payload: unknown): Reading {
  const record = readRecord(payload);
  if (!record) return { found: [], problem: 'the response is not an archival record' };
  // A redirect or an error of upstream's; either way that record exists.
  if (record.id !== id) return { found: [object(record.id)], problem: `the response is the record ${record.id}` };
  const ancestors = new Set([...record.breadcrumbs.map((crumb) => crumb.id), record.parent_id]);
  const found: Resource[] = [...ancestors].filter((above): above is string => isObjectId(above) && above !== id).map(object);
  const { links } = record;
  if (links['children-objects'] ?? links['children']) found.push(firstPage('children', id));
  if (links['children-files']) found.push(firstPage('files', id));
  return { found, model: record.model };
}

function object(name: string): Resource {
  return { kind: 'object', name };
}

function article({ name }: { name: string }): Resource {
  return { kind: 'article', name };
}
