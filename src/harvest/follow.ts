/** What a body leads to: from each kind of resource, the resources that the harvest asks for next. */
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

/** What was understood of a body. `problem` says why it is no such resource. */
export interface Reading {
  found: Lead[];
  problem?: string;
  /** Objects only. */
  model?: string;
  /** Pages of lists only; what follows them is not in `found`. */
  page?: ListPage;
}

/** Reads a parsed body as the resource that was asked for. */
export function follow(resource: Resource, payload: unknown, bases: Bases): Reading {
  switch (resource.kind) {
    case 'authors':
    case 'children':
    case 'files':
      return followList(resource.kind, payload, bases);
    case 'author': {
      const author = readAuthor(payload);
      if (!author) return { found: [], problem: 'the answer is no author' };
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
      return index ? { found: index.ways.flatMap(({ leads }) => leads) } : { found: [], problem: 'the answer is no index' };
    }
    default:
      return followIndexList(resource.kind, resource.name, payload, bases) ?? { found: [], problem: 'the answer is no list' };
  }
}

function followList(kind: 'authors' | 'children' | 'files', payload: unknown, bases: Bases): Reading {
  const page = readListPage(payload);
  if (!page) return { found: [], problem: 'the answer is no list' };
  const found = page.items.flatMap((line): Lead[] => {
    const name = kind === 'authors' ? authorNameIn(line) : objectIdIn(line, bases);
    return name === undefined ? [] : [{ kind: kind === 'authors' ? 'author' : 'object', name: shortened(name), line }];
  });
  return { found, page };
}

/** The id of a line's record: as it stands there, or else in its JSON address. What fits no shape is given all the same, to be named in the report. */
function objectIdIn(line: Record<string, unknown>, bases: Bases): string | undefined {
  const id = entryName(line);
  const json = isObject(line['links']) ? verbatim(line['links']['json']) : undefined;
  return isObjectId(id) || json === undefined ? id : (objectIdInUrl(json, bases) ?? id);
}

const MOST_OF_A_NAME = 1_000;

/** What is longer is no name; enough of it is kept to say which one it was. */
function shortened(name: string): string {
  return name.length > MOST_OF_A_NAME ? `${name.slice(0, MOST_OF_A_NAME)}…` : name;
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
  // Whatever led there, a redirect or a mistake, that record exists.
  if (record.id !== id) return { found: [object(record.id)], problem: `the answer is the record ${record.id}` };
  const upward = new Set([...record.breadcrumbs.map((crumb) => crumb.id), record.parent_id]);
  const found: Resource[] = [...upward].filter((up): up is string => isObjectId(up) && up !== id).map(object);
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
