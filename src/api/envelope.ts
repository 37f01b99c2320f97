/** The list envelope (docs/upstream-api.md, “List envelope”). */

export interface PageRequest {
  limit: number;
  offset: number;
  /** The request carried `format=api`, which is echoed into every link. */
  format: boolean;
}

/** Why a query cannot be answered, in words for the JSON of a 400. */
export interface BadQuery {
  detail: string;
}

export const DEFAULT_LIMIT = 25;

/** Reads `limit`, `offset` and `format` (docs/upstream-api.md, “Requests”). */
export function readPageRequest(query: URLSearchParams): PageRequest | BadQuery {
  const limit = readWhole(query.get('limit'), DEFAULT_LIMIT);
  const offset = readWhole(query.get('offset'), 0);
  if (limit === undefined || limit < 1) return { detail: 'limit must be a whole number of 1 or more' };
  if (offset === undefined) return { detail: 'offset must be a whole number of 0 or more' };
  return { limit, offset, format: query.get('format') === 'api' };
}

/** A page of a list, as the service writes it. `url` is the list's address up to and with its `?`, which can hold an empty first parameter (`…?&`). */
export function envelope(
  slice: { objects: unknown[]; total: number },
  { limit, offset, format }: PageRequest,
  url: string,
  query: { sort: string[] },
): Record<string, unknown> {
  const { objects, total } = slice;
  const next = offset + limit < total ? offset + limit : null;
  const previous = offset > 0 ? Math.max(0, offset - limit) : null;
  const start = format ? `${url.replace(/&$/, '')}format=api&` : url;
  const link = (at: number | null) => (at === null ? '' : `${start}limit=${limit}&offset=${at}`);
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

function readWhole(value: string | null, fallback: number): number | undefined {
  if (value === null || value === '') return fallback;
  return /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}
