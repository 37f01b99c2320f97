/** What people's roles mean: for citations, schema.org and Dublin Core. One table of the archive's roles and synonyms. */
import { keyByWord } from '../../platform/key-by-word.ts';
import { MAX_LABEL_LENGTH } from '../text/limits.ts';
import codes from './role-codes.json' with { type: 'json' };
import meanings from './role-meanings.json' with { type: 'json' };

/** A role and its meanings. */
export interface Role {
  /** The name of the role, in English: the first of its synonyms. Dictionaries have its label. */
  name: string;
  citation: CitationRole;
  schema: SchemaRole;
  /** An element of Dublin Core; undefined if it has none for the role. */
  dublinCore?: 'creator' | 'contributor' | 'publisher' | undefined;
}

/** What someone is in a citation. `none`: not cited. An `editor` or `translator` leads a citation only without an author. */
export type CitationRole =
  | 'author'
  | 'interviewee'
  | 'interviewer'
  | 'editor'
  | 'translator'
  | 'publisher'
  | 'recipient'
  | 'contributor'
  | 'none';
/** What someone is to a work in schema.org: a property of CreativeWork. */
export type SchemaRole =
  | 'author'
  | 'creator'
  | 'contributor'
  | 'editor'
  | 'translator'
  | 'publisher'
  | 'mentions'
  | 'provider'
  | 'sponsor'
  | 'copyrightHolder';

/** Meanings, with the roles that have them, each with its synonyms after “=”. Also MARC's relator terms. */
const MEANINGS = meanings as ReadonlyArray<Omit<Role, 'name'> & { roles: string[] }>;

const ROLES: ReadonlyMap<string, Role> = new Map(
  MEANINGS.flatMap(({ roles, ...meaning }) =>
    roles.flatMap((group) => {
      const synonyms = group.split('=');
      const role: Role = { name: synonyms[0] as string, dublinCore: undefined, ...meaning };
      return synonyms.map((synonym) => [synonym, role] as const);
    }),
  ),
);

/** A role that the table does not have, or none: who is listed as a creator without more is one. */
const UNSPECIFIED: Role = { name: 'creator', citation: 'author', schema: 'creator', dublinCore: 'creator' };
/** The meaning of a role that is stated and unknown. It is never an author on a guess. */
const UNKNOWN: Omit<Role, 'name'> = { citation: 'contributor', schema: 'contributor', dublinCore: 'contributor' };

/** Roles in plain text are short; longer texts are not roles. */
const MAX_ROLE_LENGTH = 80;

/** Returns a role as the table has it: lower case, without parentheses, brackets, closing punctuation and URLs of relators. */
function normalizeRole(text: string): string {
  return text
    .slice(0, MAX_ROLE_LENGTH + 1)
    .normalize('NFC')
    .toLowerCase()
    .replace(/^https?:\/\/\S*\//, '')
    .replace(/[_\s\u3000]+/g, ' ')
    .replace(/^[\s([（「]+|[\s)\]）」.,;:]+$/g, '')
    .replace(/^(?:co|principal|lead|chief|primary|assistant|original|main)[- ](?=\w)/, '')
    .trim();
}

/** MARC's codes of relators, and words that are roles only beside a name. */
const CODES = keyByWord(codes, ', ');

/** Returns what is known of a role, by name, synonym, code or the first part of “author and illustrator”, or undefined. */
export function findRole(text: string | undefined): Role | undefined {
  if (text === undefined || text.length > MAX_ROLE_LENGTH) return undefined;
  const role = normalizeRole(text);
  const known = lookUp(role);
  if (known) return known;
  const [first = ''] = role.split(/\s*(?:[/,;&、・(]|\band\b|\bof\b|\bin\b)\s*/, 1);
  return first === role ? undefined : lookUp(first);
}

function lookUp(role: string): Role | undefined {
  return ROLES.get(role) ?? ROLES.get(role.replace(/s$/, '')) ?? ROLES.get(CODES.get(role) ?? '');
}

/** Returns the meanings of the role of a creator. Without a role, it is “creator”; an unknown role makes a contributor. */
export function roleOf(text: string | undefined): Role {
  if (text === undefined || text.trim() === '') return UNSPECIFIED;
  return findRole(text) ?? { name: text, ...UNKNOWN };
}

/** Two words in capitals, or a surname and a given name: what no role looks like. */
const FULL_NAME = /^\p{Lu}[\p{L}\p{M}.'’-]*(?:,? (?:(?:\p{Ll}{1,3} ){0,2})\p{Lu}[\p{L}\p{M}.'’-]*)+(?:,? \p{L}+\.?)?$/u;
/** Words without capitals, such as “net mender”. */
const LOWER_CASE = /^\p{Ll}[\p{Ll}\p{M} '’/-]*$/u;

/** Trades that are surnames too. */
const SURNAMES = new Set('potter weaver singer painter printer speaker host dancer carver engraver assistant video'.split(' '));

/**
 * Returns whether the fields for a name and for its role are exchanged: the name is a known role and the role is not, or the name
 * is written as roles are and the role as names are.
 */
export function isExchanged(name: string | undefined, role: string | undefined): boolean {
  if (name === undefined || name.length > MAX_ROLE_LENGTH || findRole(role) !== undefined) return false;
  const isFullName = role !== undefined && role.length <= MAX_LABEL_LENGTH && FULL_NAME.test(role);
  if (ROLES.has(normalizeRole(name))) return isFullName || isRoleWord(name);
  return LOWER_CASE.test(name) && isFullName;
}

/** Returns whether a text is a role and no name: “photographer”, but not “Weaver”, which is a surname too. */
export function isRoleWord(text: string): boolean {
  if (text.length > MAX_ROLE_LENGTH) return false;
  const word = normalizeRole(text);
  return ROLES.has(word) && (!SURNAMES.has(word) || LOWER_CASE.test(text));
}
