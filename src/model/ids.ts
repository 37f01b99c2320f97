/** Object ids are hyphen-joined chains (docs/upstream-api.md, “Object IDs”); everything that is read off an id alone stands here. */

export const MODELS = ['repository', 'organization', 'collection', 'entity', 'segment', 'file'] as const;
export type Model = (typeof MODELS)[number];

export interface ParsedId {
  id: string;
  /** The model that the id's shape suggests; a record's own `model` outranks it. */
  model: Model;
  /** The id one level up, or undefined for a repository. */
  parent: string | undefined;
  /** Present from collections downward. */
  collection: string | undefined;
  /** Present on files and file roles only: `mezzanine`, `transcript`, … */
  role?: string;
  /** Present on files only: the first ten hex digits of the file's SHA-1. */
  sha1Prefix?: string;
}

const SHAPE = /^[A-Za-z0-9][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*$/;
const FILE = /^(.+)-([a-z_]+)-([0-9a-f]{10})$/;
/** Roles that stand between an item and its files (docs/upstream-api.md, “File roles”). */
export const FILE_ROLES = ['master', 'mezzanine', 'transcript', 'gloss', 'preservation', 'administrative'] as const;
const FILE_ROLE = new RegExp(`^(.+)-(${FILE_ROLES.join('|')})$`);
const MAX_LENGTH = 120;
/** Names that Windows keeps for devices, whatever the extension; an id like this could not be a file name. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/i;

/** Whether a string from upstream may be asked for, and be a file name, as an object id. */
export function isObjectId(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_LENGTH && SHAPE.test(value) && !DEVICE.test(value);
}

/** Whether an id names a file role, such as `demo-org-1-2-mezzanine`: a level of the ids between an item and its files, never a record. */
export function isFileRole(id: string): boolean {
  return fileRoleIn(id) !== undefined;
}

/** A file role and the item that it belongs to. */
function fileRoleIn(id: string): { item: string; role: string } | undefined {
  const [, item, role] = FILE_ROLE.exec(id) ?? [];
  return item !== undefined && role !== undefined && item.split('-').length >= 3 ? { item, role } : undefined;
}

/** The lists that the service has for a record of this id by address (docs/upstream-api.md, “Requests”), whatever the record itself answers. None for files and file roles. */
export function listsByShape(id: string): Array<'children' | 'files'> {
  const { model } = parseId(id);
  if (model === 'file') return [];
  return model === 'entity' || model === 'segment' ? ['children', 'files'] : ['children'];
}

/** Whether a string has the strict shape of an entity, segment or file id: safe to recognise in free text. */
export function looksLikeRecordId(value: string): boolean {
  return isObjectId(value) && /^[a-z]\w*-[a-z0-9]+-\d+(?:-\d+)+(?:-[a-z_]+-[0-9a-f]{10})?$/.test(value);
}

/** Reads an id's structure. A file role reads as a file without a checksum. @throws RangeError when the string is no object id. */
export function parseId(id: string): ParsedId {
  if (!isObjectId(id)) throw new RangeError(`“${id}” is not an object id`);
  const file = FILE.exec(id);
  if (file?.[1] && file[2] && file[3] && file[1].split('-').length >= 3) {
    return {
      id,
      model: 'file',
      parent: file[1],
      collection: collectionOf(file[1]),
      role: file[2],
      sha1Prefix: file[3],
    };
  }
  const stub = fileRoleIn(id);
  if (stub) return { id, model: 'file', parent: stub.item, collection: collectionOf(stub.item), role: stub.role };
  const parts = id.split('-');
  const model = MODELS[Math.min(parts.length, 5) - 1] as Model;
  return {
    id,
    model,
    parent: parts.length > 1 ? parts.slice(0, -1).join('-') : undefined,
    collection: collectionOf(id),
  };
}

function collectionOf(id: string): string | undefined {
  const parts = id.split('-');
  return parts.length >= 3 ? parts.slice(0, 3).join('-') : undefined;
}

/** Orders ids as people count: `a-1-2` before `a-1-10`. */
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
