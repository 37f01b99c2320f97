/** Distinguishes people of the same name, and joins the names of one person, by narrator numbers and IDs of name records. */
import { PERSON_FACETS } from '../../model/facets.ts';
import { personIds } from '../../model/name-with-id.ts';
import { comparableName, scriptsOfName, wordsOfName } from '../../model/names/name-forms.ts';
import { isUnnamed } from '../../model/names/name-kinds.ts';
import { parseName } from '../../model/names/names.ts';
import { roleOf } from '../../model/names/roles.ts';
import type { ArchivalRecord } from '../../model/records.ts';
import { nameSlug } from '../../model/text/slug.ts';
import { toPlainText } from '../../model/text/text.ts';
import { shortHash } from '../../platform/short-hash.ts';
import type { FacetValue } from '../lists/facets.ts';

type PersonFacet = (typeof PERSON_FACETS)[number];

/** The people whom a record names. */
export interface NamedPeople {
  creator: FacetValue[] | undefined;
  person: FacetValue[] | undefined;
  /** As in `ObjectEntry`. */
  narrators: string[];
  /** Of an interview: its year, if it has one. */
  year: number | undefined;
}

/** A form of a name, as it occurs. */
interface NameForm {
  value: FacetValue;
  /** The name in no order: that of “Vane, Leif” and “Leif Vane” is the same. */
  key: string;
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
type Person = ReturnType<typeof createPerson>;

const NARRATOR = 'oh ';
const NAME_RECORD = 'nr ';

function idsOf({ ids }: Pick<FacetValue, 'ids'>): string[] {
  return [
    ...(ids?.oh === undefined ? [] : [`${NARRATOR}${ids.oh}`]),
    ...(ids?.nr === undefined ? [] : [`${NAME_RECORD}${ids.nr}`]),
  ];
}

/** Returns the keys of a record's narrators (`ObjectEntry.narrators`), who differ by record if they have no name or ID. */
export function narratorKeys({ creators }: Pick<ArchivalRecord, 'creators'>): string[] {
  return creators
    .filter(({ role }) => roleOf(role).citation === 'interviewee')
    .filter(({ namepart, oh_id, nr_id }) => oh_id !== undefined || nr_id !== undefined || !isUnnamed(toPlainText(namepart)))
    .map(({ namepart, oh_id: oh, nr_id: nr }) => {
      const [id] = idsOf({ ids: personIds(oh, nr) });
      return id === undefined ? nameSlug(namepart) : keyOf(id, nameSlug(namepart));
    });
}

/** Identifies someone by an ID and a form of the name, since an ID may be wrong. */
const keyOf = (id: string, slug: string) => `${id}\n${slug}`;

/**
 * Returns a function that gives each person one facet value in all records. A person is an ID, or several that a record gives to
 * one name. A name without an ID, in any order, is the only person who has it, if there is exactly one. If several have it, their
 * pages get the hash of an ID in their slug, and the page of the name keeps the records without an ID. Names of one ID are joined
 * only if they have a word in common, as a protection against wrong IDs, or are in different scripts.
 */
export function identifyPeople(records: Iterable<NamedPeople>): (people: NamedPeople) => NamedPeople {
  const resolve = createResolver(records);
  if (!resolve) return (people) => people;
  const identified = (people: NamedPeople, facet: PersonFacet) => {
    const values = people[facet]?.map((value) => resolvedValue(value, resolve.value(value), facet));
    return values && [...new Map(values.map((value) => [value.slug, value])).values()];
  };
  return (people) => ({
    creator: identified(people, 'creator'),
    person: identified(people, 'person'),
    narrators: [...new Set(people.narrators.map((key) => resolve.narrator(key)?.slug ?? key))],
    year: people.year,
  });
}

function resolvedValue(value: FacetValue, person: Person | undefined, facet: PersonFacet): FacetValue {
  if (!person) return value;
  const { slug, ids, name, names, sharesName, interviewed } = person;
  const others = [...names.values()]
    .filter((form) => form.value.slug !== slug && form.facets.has(facet))
    .map((form) => ({ slug: form.value.slug, label: form.value.label }))
    .sort((a, b) => (a.slug < b.slug ? -1 : 1));
  return {
    ...name,
    slug,
    ids,
    ...(others.length > 0 ? { names: others } : {}),
    ...(sharesName ? { sharesName } : {}),
    ...(sharesName && interviewed.size > 0 ? { interviewed: [...interviewed].sort((a, b) => a - b) } : {}),
  };
}

/** Returns undefined if no person has an ID. */
function createResolver(records: Iterable<NamedPeople>) {
  const { formsById, bareForms, pairs, interviews } = collectIds(records);
  if (formsById.size === 0) return undefined;
  const identities = joinIdentities(formsById, pairs);
  const byName = Map.groupBy(
    [...identities].flatMap((identity) =>
      [...new Set([...identity.names.values()].map(({ key }) => key))].map((key) => ({ key, identity })),
    ),
    ({ key }) => key,
  );
  const byBareSlug = new Map<string, Identity>();
  for (const [slug, form] of bareForms) {
    const [found, ...others] = byName.get(form.key) ?? [];
    if (!found || others.length > 0) continue;
    // The most frequent form with an ID names the person, so that addresses do not depend on records without one.
    found.identity.names.set(slug, mergeForms(found.identity.names.get(slug), { ...form, count: 0 }));
    byBareSlug.set(slug, found.identity);
  }
  const persons = new Map<Identity, Person>();
  const byIdAndName = new Map<string, Identity>();
  for (const identity of identities) {
    persons.set(
      identity,
      createPerson(identity, (key) => (byName.get(key)?.length ?? 0) > 1),
    );
    for (const id of identity.ids) for (const slug of identity.names.keys()) byIdAndName.set(keyOf(id, slug), identity);
  }
  const personOf = (identity: Identity | undefined) => identity && persons.get(identity);
  /** Resolves a key of `ObjectEntry.narrators`: an ID and a slug, or the slug of a name. */
  const narrator = (key: string) => personOf(byIdAndName.get(key) ?? byBareSlug.get(key));
  for (const { key, year } of interviews) narrator(key)?.interviewed.add(year);
  // Years that several have do not distinguish them.
  const sharing = [...persons.values()].filter(({ sharesName }) => sharesName);
  for (const namesakes of Map.groupBy(sharing, ({ key }) => key).values()) {
    const byYears = Map.groupBy(namesakes, ({ interviewed }) => [...interviewed].sort().join(' '));
    for (const same of byYears.values()) if (same.length > 1) for (const { interviewed } of same) interviewed.clear();
  }
  return {
    value(value: FacetValue) {
      const [id] = idsOf(value);
      return personOf(id === undefined ? byBareSlug.get(value.slug) : byIdAndName.get(keyOf(id, value.slug)));
    },
    narrator,
  };
}

/** Returns the forms of the name by ID, and those without, the pairs of IDs that occur with a name, and the interviews. */
function collectIds(records: Iterable<NamedPeople>) {
  const formsById = new Map<string, Map<string, NameForm>>();
  const bareForms = new Map<string, NameForm>();
  const pairs: Array<{ name: string; ids: string[] }> = [];
  const interviews: Array<{ key: string; year: number }> = [];
  /** Names in no order, by label: most occur many times. */
  const keys = new Map<string, string>();
  for (const people of records) {
    if (people.year !== undefined) for (const key of people.narrators) interviews.push({ key, year: people.year });
    for (const facet of PERSON_FACETS) {
      for (const value of people[facet] ?? []) {
        const ids = idsOf(value);
        if (ids.length > 1) pairs.push({ name: value.slug, ids });
        if (ids.length === 0) countForm(bareForms, value, facet, keys);
        for (const id of ids) {
          const forms = formsById.get(id) ?? new Map<string, NameForm>();
          formsById.set(id, forms);
          countForm(forms, value, facet, keys);
        }
      }
    }
  }
  return { formsById, bareForms, pairs, interviews };
}

function countForm(
  forms: Map<string, NameForm>,
  { ids: _, ...value }: FacetValue,
  facet: PersonFacet,
  keys: Map<string, string>,
): void {
  const key = keys.get(value.label) ?? comparableName(parseName(value.label));
  keys.set(value.label, key);
  const form = forms.get(value.slug) ?? { value, key, count: 0, facets: new Set() };
  forms.set(value.slug, form);
  form.count++;
  form.facets.add(facet);
}

/** Returns the identities: by ID and forms of a name that have a word in common, joined by pairs of IDs, and by names. */
function joinIdentities(formsById: ReadonlyMap<string, Map<string, NameForm>>, pairs: Array<{ name: string; ids: string[] }>) {
  const current = new Map<string, Identity>();
  const join = (keys: string[]) => {
    const [first, ...others] = keys.map((key) => current.get(key)).filter((identity) => identity !== undefined);
    for (const other of new Set(others)) {
      if (!first || other === first) continue;
      for (const id of other.ids) first.ids.add(id);
      for (const [slug, form] of other.names) first.names.set(slug, mergeForms(first.names.get(slug), form));
      for (const id of other.ids)
        for (const slug of other.names.keys()) if (current.get(keyOf(id, slug)) === other) current.set(keyOf(id, slug), first);
    }
  };
  for (const [id, forms] of formsById) {
    for (const names of clusterNames(forms)) {
      const identity: Identity = { ids: new Set([id]), names: new Map(names.map((form) => [form.value.slug, form])) };
      for (const slug of identity.names.keys()) current.set(keyOf(id, slug), identity);
    }
  }
  for (const { name, ids } of pairs) join(ids.map((id) => keyOf(id, name)));
  // A number and an ID of a name record that one name has are of one person, unless the name has another of either.
  const nameOf = new Map([...formsById.values()].flatMap((forms) => [...forms].map(([slug, form]) => [slug, form.key] as const)));
  const keysByName = Map.groupBy(current.keys(), (key) => nameOf.get(key.slice(key.indexOf('\n') + 1)));
  for (const keys of keysByName.values()) {
    const ids = new Set(keys.flatMap((key) => [...(current.get(key)?.ids ?? [])]));
    const numbers = [...ids].filter((id) => id.startsWith(NARRATOR)).length;
    if (numbers <= 1 && ids.size - numbers <= 1) join(keys);
  }
  return new Set(current.values());
}

function mergeForms(a: NameForm | undefined, b: NameForm): NameForm {
  return a ? { ...a, count: a.count + b.count, facets: a.facets.union(b.facets) } : b;
}

/** Groups the forms of an ID that share words, also through other forms; all in one if each group has its own script. */
function clusterNames(forms: ReadonlyMap<string, NameForm>): NameForm[][] {
  const clusters: Array<{ words: Set<string>; scripts: Set<string>; forms: NameForm[] }> = [];
  for (const form of forms.values()) {
    const { label } = form.value;
    const words = wordsOfName(label);
    const related = clusters.filter((cluster) => !cluster.words.isDisjointFrom(words));
    for (const cluster of related) clusters.splice(clusters.indexOf(cluster), 1);
    clusters.push({
      words: related.reduce((all, cluster) => all.union(cluster.words), words),
      scripts: related.reduce((all, cluster) => all.union(cluster.scripts), scriptsOfName(label)),
      forms: [...related.flatMap((cluster) => cluster.forms), form],
    });
  }
  const scripts = clusters.flatMap((cluster) => [...cluster.scripts]);
  const areApart = new Set(scripts).size === scripts.length && clusters.every((cluster) => cluster.scripts.size > 0);
  return areApart ? [clusters.flatMap((cluster) => cluster.forms)] : clusters.map((cluster) => cluster.forms);
}

function createPerson({ ids, names }: Identity, isShared: (key: string) => boolean) {
  const byFrequency = [...names.values()].sort((a, b) => b.count - a.count || (a.value.slug < b.value.slug ? -1 : 1));
  const { value: name, key } = byFrequency[0] as NameForm;
  const sharesName = isShared(key);
  const numbers = [...ids].filter((id) => id.startsWith(NARRATOR)).map((id) => Number(id.slice(NARRATOR.length)));
  const records = [...ids].filter((id) => id.startsWith(NAME_RECORD)).map((id) => id.slice(NAME_RECORD.length));
  const oh = numbers.length > 0 ? Math.min(...numbers) : undefined;
  const nr = records.sort()[0];
  const id = oh === undefined ? `${NAME_RECORD}${nr}` : `${NARRATOR}${oh}`;
  return {
    slug: sharesName ? `${name.slug}--${shortHash(id)}` : name.slug,
    ids: personIds(oh, nr),
    /** The most frequent form of the name. */
    name,
    /** That name in no order. */
    key,
    names,
    sharesName,
    /** The years of the interviews. */
    interviewed: new Set<number>(),
  };
}
