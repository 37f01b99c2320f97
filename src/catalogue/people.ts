/** Distinguishes people of the same name, and joins the names of one person, by narrator numbers and IDs of name records. */
import { shortHash } from '../platform/short-hash.ts';
import type { ObjectEntry } from './entries.ts';
import type { FacetValue, PersonIds } from './facets.ts';

/** The facets whose values are people. */
const PERSON_FACETS = ['creator', 'person'] as const;
type PersonFacet = (typeof PERSON_FACETS)[number];

/** A form of a name, as it occurs. */
interface NameForm {
  value: FacetValue;
  count: number;
  facets: Set<PersonFacet>;
}

/** Someone with at least one ID. */
interface Identity {
  ids: Set<string>;
  /** By slug. */
  names: Map<string, NameForm>;
}

/** Someone and the page. */
interface Person {
  slug: string;
  ids: PersonIds;
  /** The most frequent form of the name. */
  name: FacetValue;
  names: ReadonlyMap<string, NameForm>;
  sharesName: boolean;
}

const NARRATOR = 'oh ';
const NAME_RECORD = 'nr ';

function idsOf({ ids }: Pick<FacetValue, 'ids'>): string[] {
  return [
    ...(ids?.oh === undefined ? [] : [`${NARRATOR}${ids.oh}`]),
    ...(ids?.nr === undefined ? [] : [`${NAME_RECORD}${ids.nr}`]),
  ];
}

/**
 * Gives each person one facet value in all entries, in place. A person is an ID, or several that a record gives to one name. A name without an ID
 * is the only person who has it, if there is exactly one. If several have it, their pages get the hash of an ID in their slug, and the page of
 * the name keeps the records without an ID. Names of one ID are joined only if they have a word in common, as a protection against wrong IDs.
 */
export function identifyPeople(entries: readonly ObjectEntry[]): void {
  const resolve = createResolver(entries);
  if (!resolve) return;
  for (const entry of entries) {
    for (const facet of PERSON_FACETS) {
      const values = entry.facets[facet];
      if (values) entry.facets[facet] = mergePeople(values.map((value) => resolvedValue(value, resolve.value(value), facet)));
    }
    entry.narrators = [...new Set(entry.narrators.map((key) => resolve.narrator(key)?.slug ?? key))];
  }
}

function resolvedValue(value: FacetValue, person: Person | undefined, facet: PersonFacet): FacetValue {
  if (!person) return value;
  const { slug, ids, name, names, sharesName } = person;
  const others = [...names.values()]
    .filter((form) => form.value.slug !== slug && form.facets.has(facet))
    .map((form) => ({ slug: form.value.slug, label: form.value.label }))
    .sort((a, b) => (a.slug < b.slug ? -1 : 1));
  return { ...name, slug, ids, ...(others.length > 0 ? { names: others } : {}), ...(sharesName ? { sharesName } : {}) };
}

function mergePeople(values: FacetValue[]): FacetValue[] {
  return [...new Map(values.map((value) => [value.slug, value])).values()];
}

interface Resolver {
  value(value: FacetValue): Person | undefined;
  /** Resolves a key of `ObjectEntry.narrators`: `oh 12`, or the slug of a name. */
  narrator(key: string): Person | undefined;
}

/** Returns undefined if no person has an ID. */
function createResolver(entries: readonly ObjectEntry[]): Resolver | undefined {
  const { formsById, pairs } = collectIds(entries);
  if (formsById.size === 0) return undefined;
  const identities = joinIdentities(formsById, pairs);
  const byIdAndName = new Map<string, Identity>();
  const byName = Map.groupBy(
    [...identities].flatMap((identity) => [...identity.names.keys()].map((name) => ({ name, identity }))),
    ({ name }) => name,
  );
  const persons = new Map<Identity, Person>();
  for (const identity of identities) {
    persons.set(
      identity,
      createPerson(identity, (name) => (byName.get(name)?.length ?? 0) > 1),
    );
    for (const id of identity.ids) for (const name of identity.names.keys()) byIdAndName.set(`${id}\n${name}`, identity);
  }
  const personOf = (identity: Identity | undefined) => identity && persons.get(identity);
  const onlyWithName = (name: string) => {
    const found = byName.get(name) ?? [];
    return found.length === 1 ? personOf(found[0]?.identity) : undefined;
  };
  const byNarrator = Map.groupBy(
    [...identities].flatMap((identity) => [...identity.ids].map((id) => ({ id, identity }))),
    ({ id }) => id,
  );
  return {
    value(value) {
      const [id] = idsOf(value);
      return id === undefined ? onlyWithName(value.slug) : personOf(byIdAndName.get(`${id}\n${value.slug}`));
    },
    narrator(key) {
      const found = byNarrator.get(key) ?? [];
      return found.length === 1 ? personOf(found[0]?.identity) : onlyWithName(key);
    },
  };
}

/** Returns the forms of the name that occur with each ID, and the pairs of IDs that occur together with a name. */
function collectIds(entries: readonly ObjectEntry[]): {
  formsById: Map<string, Map<string, NameForm>>;
  pairs: Array<{ name: string; ids: string[] }>;
} {
  const formsById = new Map<string, Map<string, NameForm>>();
  const pairs: Array<{ name: string; ids: string[] }> = [];
  for (const entry of entries) {
    for (const facet of PERSON_FACETS) {
      for (const value of entry.facets[facet] ?? []) {
        const ids = idsOf(value);
        if (ids.length > 1) pairs.push({ name: value.slug, ids });
        for (const id of ids) {
          const forms = formsById.get(id) ?? new Map<string, NameForm>();
          formsById.set(id, forms);
          const { ids: _, ...name } = value;
          const form = forms.get(value.slug) ?? { value: name, count: 0, facets: new Set() };
          forms.set(value.slug, form);
          form.count++;
          form.facets.add(facet);
        }
      }
    }
  }
  return { formsById, pairs };
}

/** Returns the identities: by ID and forms of a name that have a word in common, joined by pairs of IDs, and by names. */
function joinIdentities(
  formsById: ReadonlyMap<string, Map<string, NameForm>>,
  pairs: Array<{ name: string; ids: string[] }>,
): Set<Identity> {
  const current = new Map<string, Identity>();
  const join = (keys: string[]) => {
    const [first, ...others] = keys.map((key) => current.get(key)).filter((identity) => identity !== undefined);
    for (const other of new Set(others)) {
      if (!first || other === first) continue;
      for (const id of other.ids) first.ids.add(id);
      for (const [slug, form] of other.names) first.names.set(slug, mergeForms(first.names.get(slug), form));
      for (const id of other.ids)
        for (const slug of other.names.keys()) if (current.get(`${id}\n${slug}`) === other) current.set(`${id}\n${slug}`, first);
    }
  };
  for (const [id, forms] of formsById) {
    for (const names of clusterNames(forms)) {
      const identity: Identity = { ids: new Set([id]), names: new Map(names.map((form) => [form.value.slug, form])) };
      for (const slug of identity.names.keys()) current.set(`${id}\n${slug}`, identity);
    }
  }
  for (const { name, ids } of pairs) join(ids.map((id) => `${id}\n${name}`));
  // A number and an ID of a name record that one name has are of one person, unless the name has another of either.
  const keysByName = Map.groupBy(current.keys(), (key) => key.slice(key.indexOf('\n') + 1));
  for (const keys of keysByName.values()) {
    const ids = new Set(keys.flatMap((key) => [...(current.get(key)?.ids ?? [])]));
    const numbers = [...ids].filter((id) => id.startsWith(NARRATOR)).length;
    if (numbers <= 1 && ids.size - numbers <= 1) join(keys);
  }
  return new Set(current.values());
}

function mergeForms(a: NameForm | undefined, b: NameForm): NameForm {
  return a ? { value: a.value, count: a.count + b.count, facets: a.facets.union(b.facets) } : b;
}

/** Returns the forms of one ID in groups that have words in common, also through other forms. */
function clusterNames(forms: ReadonlyMap<string, NameForm>): NameForm[][] {
  const clusters: Array<{ words: Set<string>; forms: NameForm[] }> = [];
  for (const form of forms.values()) {
    const words = wordsOf(form.value.label);
    const related = clusters.filter((cluster) => !cluster.words.isDisjointFrom(words));
    for (const cluster of related) clusters.splice(clusters.indexOf(cluster), 1);
    clusters.push({
      words: related.reduce((all, cluster) => all.union(cluster.words), words),
      forms: [...related.flatMap((cluster) => cluster.forms), form],
    });
  }
  return clusters.map((cluster) => cluster.forms);
}

function wordsOf(label: string): Set<string> {
  const folded = label.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = folded.split(/[^\p{L}]+/u).filter((word) => word.length > 1);
  return new Set([...words, words.join('')]);
}

function createPerson({ ids, names }: Identity, isShared: (name: string) => boolean): Person {
  const byFrequency = [...names.values()].sort((a, b) => b.count - a.count || (a.value.slug < b.value.slug ? -1 : 1));
  const { value: name } = byFrequency[0] as NameForm;
  const sharesName = isShared(name.slug);
  const numbers = [...ids].filter((id) => id.startsWith(NARRATOR)).map((id) => Number(id.slice(NARRATOR.length)));
  const records = [...ids].filter((id) => id.startsWith(NAME_RECORD)).map((id) => id.slice(NAME_RECORD.length));
  const oh = numbers.length > 0 ? Math.min(...numbers) : undefined;
  const nr = records.sort()[0];
  const key = oh === undefined ? `${NAME_RECORD}${nr}` : `${NARRATOR}${oh}`;
  return {
    slug: sharesName ? `${name.slug}--${shortHash(key)}` : name.slug,
    ids: { ...(oh === undefined ? {} : { oh }), ...(nr === undefined ? {} : { nr }) },
    name,
    names,
    sharesName,
  };
}

/** Someone as a record names them. */
export interface NamedPerson {
  /** The slug of the name as it is written. */
  slug: string;
  oh_id: number | undefined;
  nr_id: string | undefined;
}

/** Returns the facet value of someone whom a record names, among the record's values. */
export function findPerson(
  values: readonly FacetValue[] | undefined,
  { slug, oh_id, nr_id }: NamedPerson,
): FacetValue | undefined {
  const hasName = (value: FacetValue) => value.slug === slug || (value.names?.some((name) => name.slug === slug) ?? false);
  const hasId = ({ ids }: FacetValue) =>
    ids !== undefined && ((oh_id !== undefined && ids.oh === oh_id) || (nr_id !== undefined && ids.nr === nr_id));
  return (
    values?.find((value) => hasId(value) && hasName(value)) ??
    values?.find((value) => value.slug === slug) ??
    values?.find(hasName)
  );
}
