/**
 * The facets by which records are browsed and filtered, one row each, and the lists that follow from the rows. Scripts for
 * browsers get only the lists that they use, as with languages.ts.
 */

/** A facet. */
interface Row {
  /**
   * What its values are: terms of a vocabulary, codes with labels in the dictionaries, people with pages, other names, or the
   * times of all dates.
   */
  kind: 'term' | 'code' | 'person' | 'name' | 'time';
  /** The field of the record that has them, as `ArchivalRecord` names it. */
  field?: string;
  /** The position among the filters of the search page. */
  filter: number;
  /** Whether a value is a path in a hierarchy, “Work -- Fishing”. */
  hasSteps?: true;
  /** Whether values are linked to others of the same name, and to the guide page of that name, and are suggested in search. */
  isNamed?: true;
  /** Whether records with the same value are related. */
  isRelating?: true;
  /** Whether it is a way in on the home page, which shows the first that the archive has, after people and collections. */
  isWay?: true;
}

/** All facets, in the order in which pages list them. */
const TABLE = {
  topic: { kind: 'term', field: 'topics', filter: 3, hasSteps: true, isNamed: true, isRelating: true, isWay: true },
  facility: { kind: 'term', field: 'facility', filter: 4, hasSteps: true, isNamed: true, isRelating: true, isWay: true },
  place: { kind: 'term', field: 'geography', filter: 5, isNamed: true, isWay: true },
  time: { kind: 'time', filter: 11 },
  genre: { kind: 'code', field: 'genre', filter: 1, isWay: true },
  format: { kind: 'code', field: 'format', filter: 2 },
  language: { kind: 'code', field: 'language', filter: 10 },
  creator: { kind: 'person', field: 'creators', filter: 6, isRelating: true },
  person: { kind: 'person', field: 'persons', filter: 7 },
  contributor: { kind: 'name', field: 'contributor', filter: 8 },
  rights: { kind: 'code', field: 'rights', filter: 9 },
} as const satisfies Readonly<Record<string, Row>>;
type Table = typeof TABLE;
/** A facet. */
export type Facet = keyof Table;
/** The facets whose rows have a property. */
type With<Property> = { [Name in Facet]: Table[Name] extends Property ? Name : never }[Facet];

/** All facets, in the order in which pages list them. */
export const FACETS = Object.keys(TABLE) as Facet[];
/** What the values of each facet are, and where a record has them. */
export const FACET_VALUES: Table = TABLE;
const having = <Property>(has: (row: Row) => boolean | undefined) =>
  FACETS.filter((facet): facet is With<Property> & Facet => has(TABLE[facet]) === true);
/** Facets of codes. They are searched by their labels in the languages of the site. */
export const CODED_FACETS = having<{ kind: 'code' }>(({ kind }) => kind === 'code');
/** Facets of people and organizations with pages. */
export const PERSON_FACETS = having<{ kind: 'person' }>(({ kind }) => kind === 'person');
/** Facets of names, which lists file by their last part. */
export const NAME_FACETS: readonly string[] = having<{ kind: 'person' | 'name' }>(
  ({ kind }) => kind === 'person' || kind === 'name',
);
/** Facets of hierarchies. */
export const STEPPED_FACETS: readonly string[] = having<{ hasSteps: true }>(({ hasSteps }) => hasSteps);
/** Facets whose values are linked to others of the same name, and suggested in search. */
export const NAMED_FACETS = having<{ isNamed: true }>(({ isNamed }) => isNamed);
/** Facets that make records related. */
export const RELATING_FACETS: readonly Facet[] = having<{ isRelating: true }>(({ isRelating }) => isRelating);
/** Facets that are ways into the archive on the home page. */
export const WAY_FACETS = having<{ isWay: true }>(({ isWay }) => isWay);
/** What search filters by, in page order. Only links choose a time, such as “1940s”: on the page, readers choose years. */
export const SEARCH_FACETS: readonly SearchFacet[] = [
  ...(['model', 'collection'] as const),
  ...[...FACETS].sort((a, b) => TABLE[a].filter - TABLE[b].filter),
];
/** One of `SEARCH_FACETS`. */
export type SearchFacet = 'model' | 'collection' | Facet;
