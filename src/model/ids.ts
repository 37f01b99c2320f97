/** Parses object IDs: chains of parts joined by hyphens (docs/upstream-api.md, “Object IDs”). */

/** The models of records, from the top of the hierarchy down. */
export const MODELS = ['repository', 'organization', 'collection', 'entity', 'segment', 'file'] as const;
/** One of `MODELS`. */
export type Model = (typeof MODELS)[number];

/** Whether records of a model are above the items: collections, and what collections belong to. */
export function isAboveItems(model: Model): boolean {
  return model === 'repository' || model === 'organization' || model === 'collection';
}

/** What an ID alone says about its record. */
export interface ParsedId {
  id: string;
  /** The model that the form of the ID implies. A record's own `model` takes precedence. */
  model: Model;
  /** ID of the next level up; undefined for a repository. */
  parent: string | undefined;
  /** ID of the collection; undefined above collections. */
  collection: string | undefined;
  /** File role, such as `mezzanine`. Only for files and file roles. */
  role?: string;
  /** First ten hexadecimal digits of the file's SHA-1. Only for files. */
  sha1Prefix?: string;
}

const ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*$/;
const FILE_ID_PATTERN = /^(.+)-([a-z_]+)-([0-9a-f]{10})$/;
/** File roles: levels between an item and its files (docs/upstream-api.md, “File roles”). */
const FILE_ROLES = ['master', 'mezzanine', 'transcript', 'gloss', 'preservation', 'administrative'] as const;
const FILE_ROLE_PATTERN = new RegExp(`^(.+)-(${FILE_ROLES.join('|')})$`);
const MAX_ID_LENGTH = 120;
/** Device names of Windows. Such an ID could not be a file name. */
const WINDOWS_DEVICE_NAME = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/i;

/** Returns whether a value from upstream is an object ID, which may be part of a URL or file name. */
export function isObjectId(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_ID_LENGTH && ID_PATTERN.test(value) && !WINDOWS_DEVICE_NAME.test(value);
}

/** Returns whether an ID names a file role, such as `demo-org-1-2-mezzanine`. A file role has no record. */
export const isFileRole = (id: string): boolean => parseFileRole(id) !== undefined;

/** Returns the ID of a record, or that of the item that a file role belongs to. */
export const itemOfFileRole = (id: string): string => parseFileRole(id)?.item ?? id;

/** Returns a file role and the item that it belongs to. */
function parseFileRole(id: string): { item: string; role: string } | undefined {
  const [, item, role] = FILE_ROLE_PATTERN.exec(id) ?? [];
  return item !== undefined && role !== undefined && item.split('-').length >= 3 ? { item, role } : undefined;
}

/**
 * Returns the lists that upstream has for a record by the form of its ID (docs/upstream-api.md, “Requests”), regardless of its
 * response. None for files and file roles.
 */
export function listKindsForId(id: string): Array<'children' | 'files'> {
  const { model } = parseId(id);
  if (model === 'file') return [];
  return model === 'entity' || model === 'segment' ? ['children', 'files'] : ['children'];
}

/** Returns whether text has the strict form of an entity, segment or file ID, so that it is recognized in free text. */
export function looksLikeRecordId(value: string): boolean {
  return isObjectId(value) && /^[a-z]\w*-[a-z0-9]+-\d+(?:-\d+)+(?:-[a-z_]+-[0-9a-f]{10})?$/.test(value);
}

/**
 * Parses an ID. A file role is parsed as a file without a checksum.
 * @throws {RangeError} if the text is not an object ID.
 */
export function parseId(id: string): ParsedId {
  if (!isObjectId(id)) throw new RangeError(`“${id}” is not an object ID`);
  const [, item, role, sha1Prefix] = FILE_ID_PATTERN.exec(id) ?? [];
  const file = item && role && sha1Prefix && item.split('-').length >= 3 ? { item, role, sha1Prefix } : parseFileRole(id);
  if (file) {
    const { item: parent, ...rest } = file;
    return { id, model: 'file', parent, collection: collectionIdOf(parent), ...rest };
  }
  const parts = id.split('-');
  const model = MODELS[Math.min(parts.length, 5) - 1] as Model;
  const parent = parts.length > 1 ? parts.slice(0, -1).join('-') : undefined;
  return { id, model, parent, collection: collectionIdOf(id) };
}

function collectionIdOf(id: string): string | undefined {
  const parts = id.split('-');
  return parts.length >= 3 ? parts.slice(0, 3).join('-') : undefined;
}

/** Compares two IDs for sorting, numbers by value: `a-1-2` precedes `a-1-10`. */
export function compareIds(a: string, b: string): number {
  const left = a.split('-');
  const right = b.split('-');
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const x = left[i] as string;
    const y = right[i] as string;
    if (x === y) continue;
    if (/^\d+$/.test(x) && /^\d+$/.test(y)) {
      const byNumber = Number(x) - Number(y);
      if (byNumber !== 0) return byNumber;
    }
    return x < y ? -1 : 1;
  }
  return left.length - right.length;
}

/** Returns records in the order of their IDs. */
export function sortById<Each extends { id: string }>(records: Iterable<Each>): Each[] {
  return [...records].sort((a, b) => compareIds(a.id, b.id));
}
