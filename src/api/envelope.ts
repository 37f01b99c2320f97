/** The list envelope (docs/upstream-api.md, "List envelope"). */

/** Headers of all responses of both APIs. */
export const JSON_HEADERS = { allow: 'GET, OPTIONS', vary: 'Accept', 'content-type': 'application/json' };

/** The parameters of a request for a list page. */
export interface PageRequest {
  limit: number;
  offset: number;
  /** Whether the request has `format=api`, which every link in the response repeats. */
  format: boolean;
}

/** Page length without the parameter `limit`. */
const DEFAULT_LIMIT = 25;

/** Parses `limit`, `offset` and `format` (docs/upstream-api.md, "Requests"). */
export function parsePageRequest(query: URLSearchParams): PageRequest | { detail: string } {
  const limit = parseInteger(query.get('limit'), DEFAULT_LIMIT);
  const offset = parseInteger(query.get('offset'), 0);
  if (limit === undefined || limit < 1) return { detail: 'limit must be an integer of 1 or more' };
  if (offset === undefined) return { detail: 'offset must be an integer of 0 or more' };
  return { limit, offset, format: query.get('format') === 'api' };
}

/** Returns the request for a list as one page. */
export function wholePage(items: readonly unknown[]): PageRequest {
  return { limit: Math.max(1, items.length), offset: 0, format: false };
}

/** Returns a list page as the service sends it. `url` is the list's URL up to its `?`, or to an empty parameter (`…?&`). */
export function createEnvelope(
  slice: { objects: unknown[]; total: number },
  { limit, offset, format }: PageRequest,
  url: string,
  query: { sort: string[] },
): Record<string, unknown> {
  const { objects, total } = slice;
  const next = offset + limit < total ? offset + limit : null;
  const previous = offset > 0 ? Math.max(0, offset - limit) : null;
  const prefix = format ? `${url.replace(/&$/, '')}format=api&` : url;
  const link = (target: number | null) => (target === null ? '' : `${prefix}limit=${limit}&offset=${target}`);
  return {
    total,
    limit,
    offset,
    prev_offset: previous,
    next_offset: next,
    page_size: limit,
    this_page: Math.floor(offset / limit) + 1,
    num_this_page: objects.length,
    prev_api: link(previous),
    next_api: link(next),
    objects,
    query,
  };
}

function parseInteger(value: string | null, fallback: number): number | undefined {
  if (value === null || value === '') return fallback;
  return /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}
