/** The people and organizations with a page: all named as creators or in the text of records, and the guide's authors. */
import type { DatabaseSync } from 'node:sqlite';
import { type Facet, PERSON_FACETS } from '../../model/facets.ts';
import { comparableName } from '../../model/names/name-forms.ts';
import { isUnnamed } from '../../model/names/name-kinds.ts';
import { parseName } from '../../model/names/names.ts';
import type { Narrator } from '../../model/people/narrator.ts';
import { slugOf } from '../../model/text/slug.ts';
import { lazy } from '../../platform/lazy.ts';
import { openLookup } from '../../platform/lookup-table.ts';
import { shortHash } from '../../platform/short-hash.ts';
import { numbersIn, readTerms, type Term } from '../catalogue-schema.ts';
import type { AuthorEntry } from '../entries.ts';
import type { FacetValue, LabeledValue } from '../lists/facets.ts';
import type { NarratorEntry } from './narrators.ts';

/** Someone with a page. */
export interface PersonEntry extends LabeledValue {
  /** Slugs of the authors of the guide who are this person. */
  authors: string[];
  /** The number of the narrator who is this person, if the API says anything of the narrator. */
  narrator?: string;
  /** The number of records of which this is a creator. */
  created: number;
  /** The number of records that mention this person. */
  mentioned: number;
  /** The number of records of either kind, each counted once. */
  records: number;
}

/** Returns whether the values of a facet are people and organizations with pages. */
export const isPersonFacet = (facet: Facet): facet is 'creator' | 'person' => PERSON_FACETS.some((person) => person === facet);

/** Returns whether a facet value of a person has a page among people, as names have that name someone. */
export const hasPersonPage = ({ label }: Pick<FacetValue, 'label'>): boolean => !isUnnamed(label);

/**
 * Returns all people by slug. An author is the person with the same slug, or the only one with the same name in another order;
 * otherwise someone else. `countBoth` returns how many records have someone both as a creator and in their text.
 */
export function collectPeople(
  terms: Readonly<Record<'creator' | 'person', readonly Term[]>>,
  authors: readonly AuthorEntry[],
  countBoth: (slug: string) => number,
  narrators: readonly NarratorEntry[] = [],
): Map<string, PersonEntry> {
  const people = new Map<string, PersonEntry>();
  /** Pages of names that belong to one person. */
  const otherSlugs = new Map<string, string>();
  for (const facet of ['creator', 'person'] as const) {
    for (const term of terms[facet].filter(hasPersonPage)) {
      const { slug, count, people: owners } = term;
      if (count > 0) people.set(slug, withTerm(people.get(slug), term));
      else if (owners.length === 1) otherSlugs.set(slug, owners[0] as string);
    }
  }
  for (const person of people.values()) {
    const { slug, created, mentioned } = person;
    person.records = created + mentioned - (created > 0 && mentioned > 0 ? countBoth(slug) : 0);
  }
  addNarrators(people, narrators);
  const byName = Map.groupBy(people.values(), ({ label }) => comparableName(parseName(label)));
  for (const author of authors) {
    const named = byName.get(comparableName(parseName(author.title))) ?? [];
    const [only] = named.length === 1 ? named : [];
    const person = people.get(author.slug) ?? people.get(otherSlugs.get(author.slug) ?? '') ?? only;
    if (person) person.authors.push(author.slug);
  }
  // Authors who match no one are added last, so that no name of theirs is taken for another author's.
  const known = new Set([...people.values()].flatMap((person) => person.authors));
  for (const { slug, title } of authors)
    if (!known.has(slug)) people.set(slug, { slug, label: title, authors: [slug], created: 0, mentioned: 0, records: 0 });
  return people;
}

/**
 * Finds the person who is each narrator: by number, by name record, or else the only one without a number who has the name, as
 * the only narrator. Narrators whom no record names are added.
 */
function addNarrators(people: Map<string, PersonEntry>, narrators: readonly NarratorEntry[]): void {
  if (narrators.length === 0) return;
  const [persons, keyOf] = [[...people.values()], (name: string) => comparableName(parseName(name))];
  const byNumber = new Map(persons.map((person) => [String(person.ids?.oh), person]));
  const byRecord = new Map(persons.flatMap((person) => (person.ids?.nr === undefined ? [] : [[person.ids.nr, person] as const])));
  const byName = Map.groupBy(persons, ({ label }) => keyOf(label));
  const namesakes = Map.groupBy(narrators, ({ name }) => keyOf(name));
  for (const { id, name, nr, isFree } of narrators) {
    const key = keyOf(name);
    const isOnly = namesakes.get(key)?.length === 1;
    const named = isFree && isOnly ? (byName.get(key) ?? []) : [];
    const [only] = named.length === 1 ? named.filter(({ ids }) => ids?.oh === undefined) : [];
    const person = byNumber.get(id) ?? byRecord.get(nr ?? '') ?? only;
    if (person) {
      person.narrator ??= id;
      if (nr !== undefined && person.narrator === id) person.ids = { nr, ...person.ids };
    } else if (isFree && !isUnnamed(name) && /^\d{1,9}$/.test(id)) {
      const ids = { oh: Number(id), ...(nr === undefined ? {} : { nr }) };
      const isShared = byName.has(key) || !isOnly;
      const slug = isShared || people.has(slugOf(name)) ? `${slugOf(name)}--${shortHash(`oh ${id}`)}` : slugOf(name);
      const shared = isShared ? { sharesName: true as const } : {};
      people.set(slug, { slug, label: name, ids, ...shared, narrator: id, authors: [], created: 0, mentioned: 0, records: 0 });
    }
  }
}

function withTerm(person: PersonEntry | undefined, { facet, slug, label, ids, sharesName, interviewed, count }: Term) {
  const { created = 0, mentioned = 0 } = person ?? {};
  return {
    slug,
    label: person?.label ?? label,
    ...(ids ? { ids } : {}),
    ...(sharesName ? { sharesName } : {}),
    ...(interviewed ? { interviewed } : {}),
    authors: [],
    created: facet === 'creator' ? count : created,
    mentioned: facet === 'person' ? count : mentioned,
    records: 0,
  };
}

/** Writes the people of a catalogue file, whose facet values are complete. */
export function writePeople(
  db: DatabaseSync,
  { authors, narrators = [] }: { authors: readonly AuthorEntry[]; narrators?: readonly NarratorEntry[] },
): void {
  const selectRecords = db.prepare('SELECT numbers FROM term WHERE facet = ? AND slug = ?');
  const countBoth = (slug: string) => {
    const created = new Set(numbersIn(selectRecords.get('creator', slug)?.['numbers']));
    return numbersIn(selectRecords.get('person', slug)?.['numbers']).filter((number) => created.has(number)).length;
  };
  const terms = { creator: readTerms(db, 'creator'), person: readTerms(db, 'person') };
  const put = db.prepare('INSERT INTO person (slug, json) VALUES (?, ?)');
  for (const [slug, person] of collectPeople(terms, authors, countBoth, narrators)) put.run(slug, JSON.stringify(person));
}

/** Returns the lookups of people. The list of all is read when it is first needed. */
export function openPeople(db: DatabaseSync) {
  const select = db.prepare('SELECT json FROM person WHERE slug = ?');
  const parse = (json: unknown) => JSON.parse(String(json)) as PersonEntry;
  const selectAll = db.prepare('SELECT json FROM person ORDER BY slug');
  const people = lazy((): readonly PersonEntry[] => selectAll.all().map(({ json }) => parse(json)));
  const byAuthor = lazy(() => new Map(people().flatMap(({ slug, authors }) => authors.map((author) => [author, slug] as const))));
  return {
    /** Returns all people, sorted by slug. */
    people,
    person(slug: string) {
      const row = select.get(slug);
      return row && parse(row['json']);
    },
    /** Returns what the API says of a narrator, by number. */
    narratorOf: openLookup<Narrator>(db, 'narrator').get,
    personOfAuthor: (author: string) => byAuthor().get(author),
  };
}
