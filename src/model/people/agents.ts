/** People and organizations in metadata: each by its kind, under the property or element that its role has. */
import { isUnnamed } from '../names/name-kinds.ts';
import { splitNames } from '../names/name-lists.ts';
import { parseName } from '../names/names.ts';
import { roleOf, type SchemaRole } from '../names/roles.ts';
import type { ArchivalRecord } from '../records.ts';
import { toPlainText, truncateWords } from '../text/text.ts';

/** Characters of one name. */
const MAX_LENGTH = 500;

/**
 * Returns a Person or Organization of schema.org, by the name as plain text. It has no type for families and couples; they are
 * groups, so Organization is used.
 */
export function describeAgent(name: string, role?: string): Record<string, unknown> {
  const { kind, literal, family, given, particle, suffix } = parseName(truncateWords(name, MAX_LENGTH), { role });
  if (kind !== 'person') return { '@type': 'Organization', name: literal };
  return {
    '@type': 'Person',
    name: literal,
    ...(family ? { familyName: particle ? `${particle} ${family}` : family } : {}),
    ...(given ? { givenName: given } : {}),
    ...(suffix ? { honorificSuffix: suffix } : {}),
  };
}

type Creators = Pick<ArchivalRecord, 'creators'>;

/** Returns a record's creators by their role's property of schema.org, each once. An editor must be a Person there. */
export function creatorsByProperty({ creators }: Creators): Partial<Record<SchemaRole, Array<Record<string, unknown>>>> {
  const agents = creators.flatMap(({ namepart, role }) =>
    namesOf(namepart).map((name) => {
      const agent = describeAgent(name, role);
      const { schema } = roleOf(role);
      const property = schema === 'editor' && agent['@type'] !== 'Person' ? 'contributor' : schema;
      return [`${property} ${agent['name']}`, { property, agent }] as const;
    }),
  );
  const grouped = Object.groupBy(new Map(agents).values(), ({ property }) => property);
  return Object.fromEntries(Object.entries(grouped).map(([property, group]) => [property, group.map(({ agent }) => agent)]));
}

/** Returns the names of the persons whom a record mentions, each once. */
export function mentionedNames({ persons }: Pick<ArchivalRecord, 'persons'>): string[] {
  return [...new Set(persons.flatMap(({ namepart }) => namesOf(namepart)))];
}

/** Returns the names of a record's creators whose role is this element of Dublin Core. */
export function creatorNames({ creators }: Creators, element: 'creator' | 'contributor' | 'publisher'): string[] {
  return creators.filter(({ role }) => roleOf(role).dublinCore === element).flatMap(({ namepart }) => namesOf(namepart));
}

/** Returns the institution that a record is from; undefined if it is not known. */
export function institutionOf({ contributor }: Pick<ArchivalRecord, 'contributor'>): string | undefined {
  const name = truncateWords(toPlainText(contributor), MAX_LENGTH);
  return name === '' || isUnnamed(name) ? undefined : name;
}

/** Returns each name that a text has, without “unknown” and its like. */
function namesOf(text: string): string[] {
  return splitNames(toPlainText(text))
    .map((name) => truncateWords(name, MAX_LENGTH))
    .filter((name) => name !== '' && !isUnnamed(name));
}
