/** What a body leads to: from each kind of resource, the resources that the harvest asks for next. */
import { readArticle, readAuthor, readSource } from '../model/guide.ts';
import { isObjectId } from '../model/ids.ts';
import { type ListPage, readListPage } from '../model/lists.ts';
import { idsInHtml, idsInSource } from '../model/mentions.ts';
import { readRecord } from '../model/records.ts';
import type { Bases, Resource } from '../model/resources.ts';
import { isObject } from '../model/values.ts';

/** Page length to ask for; the service answers with its own (api.md §8). */
export const PAGE_LIMIT = 25;

/** What was understood of a body. `problem` says why it is no such resource. */
export interface Reading {
  found: Resource[];
  problem?: string;
  /** Objects only. */
  model?: string;
  /** Pages of lists only. */
  page?: ListPage;
}

/** Reads a parsed body as the resource that was asked for. */
export function follow(resource: Resource, payload: unknown, bases: Bases): Reading {
  switch (resource.kind) {
    case 'authors':
    case 'children':
    case 'files':
      return followList(resource, payload);
    case 'author': {
      const author = readAuthor(payload);
      if (!author) return { found: [], problem: 'the answer is no author' };
      return { found: [...author.articles.map(article), ...idsInHtml(author.body, bases).map(object)] };
    }
    case 'article':
      return followArticle(payload, bases);
    case 'source':
      return followSource(resource.name, payload, bases);
    default:
      return followObject(resource.name, payload);
  }
}

/** The first page of a list. */
export function firstPage(kind: 'authors' | 'children' | 'files', name: string, limit = PAGE_LIMIT): Resource {
  return { kind, name, page: { limit, offset: 0 } };
}

function followList(resource: Resource, payload: unknown): Reading {
  const page = readListPage(payload);
  if (!page) return { found: [], problem: 'the answer is no list' };
  const found: Resource[] = page.items.flatMap((item): Resource[] => {
    const id = item['id'] ?? item['title'];
    if (typeof id !== 'string' || id === '') return [];
    if (resource.kind === 'authors') return [{ kind: 'author', name: id }];
    return isObjectId(id) ? [object(id)] : [];
  });
  const { limit } = resource.page ?? { limit: PAGE_LIMIT };
  if (page.nextOffset !== undefined && page.nextOffset >= 0 && page.items.length > 0) {
    found.push({ kind: resource.kind, name: resource.name, page: { limit, offset: page.nextOffset } });
  }
  return { found, page };
}

function followArticle(payload: unknown, bases: Bases): Reading {
  const read = readArticle(payload);
  if (!read) return { found: [], problem: 'the answer is no article' };
  return {
    found: [
      ...read.authors.map(({ name }): Resource => ({ kind: 'author', name })),
      ...read.sources.map(({ name }): Resource => ({ kind: 'source', name })),
      ...idsInHtml(read.body, bases).map(object),
    ],
  };
}

function followSource(name: string, payload: unknown, bases: Bases): Reading {
  if (!readSource(payload) || !isObject(payload)) return { found: [], problem: 'the answer is no source' };
  return { found: idsInSource(payload, name, bases).map(object) };
}

function followObject(id: string, payload: unknown): Reading {
  const record = readRecord(payload);
  if (!record) return { found: [], problem: 'the answer is no archival record' };
  if (record.id !== id) return { found: [], problem: `the answer is the record ${record.id}` };
  const upward = [...record.breadcrumbs.map((crumb) => crumb.id), record.parent_id];
  const found: Resource[] = upward.filter((up): up is string => isObjectId(up) && up !== id).map(object);
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
