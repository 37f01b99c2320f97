/** Extracts the resources that a response names, for each kind of resource. */
import { authorNameInEntry, readArticle, readAuthor, readSource } from '../model/guide/guide.ts';
import { isObjectId } from '../model/ids.ts';
import { type ListPage, objectIdInEntry, parseListPage } from '../model/lists.ts';
import { extractIdsFromHtml, extractIdsFromSource, extractIdsFromTexts } from '../model/mentions.ts';
import { readNarrator } from '../model/people/narrator.ts';
import { narratorNumbers } from '../model/people/record-people.ts';
import { parseRecordLinks } from '../model/records.ts';
import { type BaseUrls, narratorPath, type Resource } from '../model/resources.ts';
import { isObject } from '../model/values.ts';
import type { DiscoveredResource } from '../snapshot/write.ts';
import { extractFromIndexList, readIndex } from './catalog-index.ts';
import { firstPage } from './list-tracker.ts';

/** What was read from a response. */
export interface ExtractedLinks {
  discovered: DiscoveredResource[];
  /** Why the response is not the resource that was requested. */
  problem?: string;
  /** ID of the record that came instead of the one that was requested. */
  otherId?: string;
  /** Records only. */
  model?: string;
  /** List pages only. `discovered` does not include the next page. */
  page?: ListPage;
}

/** Reads a parsed response as the resource that was requested. */
export function extractLinks(resource: Resource, payload: unknown, baseUrls: BaseUrls): ExtractedLinks {
  switch (resource.kind) {
    case 'authors':
    case 'children':
    case 'files':
      return extractFromList(resource.kind, payload, baseUrls);
    case 'author': {
      const author = readAuthor(payload);
      if (!author) return notA('n author');
      return {
        discovered: [
          ...author.articles.map(({ name }): Resource => ({ kind: 'article', name })),
          ...extractIdsFromHtml(author.body, baseUrls).map(objectResource),
        ],
      };
    }
    case 'article':
      return extractFromArticle(payload, baseUrls);
    case 'source':
      if (!readSource(payload) || !isObject(payload)) return notA(' source');
      return { discovered: extractIdsFromSource(payload, resource.name, baseUrls).map(objectResource) };
    case 'object':
      return extractFromObject(resource.name, payload);
    case 'narrator':
      return { discovered: [], ...(readNarrator(payload) ? {} : { problem: 'the response is not a narrator' }) };
    case 'index': {
      const index = readIndex(payload, baseUrls);
      return index ? { discovered: index.ways.flatMap(({ resources }) => resources) } : notA(' catalog index');
    }
    default:
      return extractFromIndexList(resource.kind, resource.name, payload, baseUrls) ?? notA(' list');
  }
}

const notA = (what: string): ExtractedLinks => ({ discovered: [], problem: `the response is not a${what}` });

function extractFromList(kind: 'authors' | 'children' | 'files', payload: unknown, baseUrls: BaseUrls): ExtractedLinks {
  const page = parseListPage(payload);
  if (!page) return notA(' list');
  const discovered = page.items.flatMap((entry): DiscoveredResource[] => {
    const name = kind === 'authors' ? authorNameInEntry(entry) : objectIdInEntry(entry, baseUrls);
    return name === undefined ? [] : [{ kind: kind === 'authors' ? 'author' : 'object', name: truncate(name), listEntry: entry }];
  });
  return { discovered, page };
}

const MAX_NAME_LENGTH = 1_000;

/** A longer name is invalid; its beginning is enough to identify it in the report. */
const truncate = (name: string): string => (name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name);

function extractFromArticle(payload: unknown, baseUrls: BaseUrls): ExtractedLinks {
  const parsed = readArticle(payload);
  if (!parsed) return notA('n article');
  return {
    discovered: [
      ...parsed.authors.map(({ name }): Resource => ({ kind: 'author', name })),
      ...parsed.sources.map(({ name }): Resource => ({ kind: 'source', name })),
      // In any field with HTML, also one that is not known.
      ...extractIdsFromTexts(Object.values(payload as object), baseUrls).map(objectResource),
    ],
  };
}

function extractFromObject(id: string, payload: unknown): ExtractedLinks {
  const record = parseRecordLinks(payload);
  if (!record) return notA('n archival record');
  // Upstream redirected to another record, or returned it by mistake. In both cases, that record exists.
  if (record.id !== id)
    return { discovered: [objectResource(record.id)], problem: `the response is the record ${record.id}`, otherId: record.id };
  const ancestors = new Set([...record.breadcrumbs.map((crumb) => crumb.id), record.parent_id]);
  const discovered: Resource[] = [...ancestors]
    .filter((above): above is string => isObjectId(above) && above !== id)
    .map(objectResource);
  const { links } = record;
  if (links['children-objects'] ?? links['children']) discovered.push(firstPage('children', id));
  if (links['children-files']) discovered.push(firstPage('files', id));
  // The API does not promise that a narrator has a resource.
  for (const number of narratorNumbers(record.creators))
    discovered.push({ kind: 'narrator', name: narratorPath(number), speculative: true });
  return { discovered, model: record.model };
}

const objectResource = (name: string): Resource => ({ kind: 'object', name });
