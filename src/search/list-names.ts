/** Lists the names that are suggested while a reader types. */
import type { Entries } from '../catalogue/catalogue.ts';
import type { Relations } from '../catalogue/lists/relations.ts';
import type { PersonEntry } from '../catalogue/people/person-entries.ts';
import { articlePath, facetValuePath, objectPath, ownPath, personPath } from '../catalogue/urls.ts';
import { spellEastAsian } from '../formats/search/east-asian.ts';
import { isTitleKind, type Name, type NameKind } from '../formats/search/name-kinds.ts';
import { comparableForms, comparableText, type KeyedName, keyAt, startsOf } from '../formats/search/names.ts';
import { NAMED_FACETS } from '../model/facets.ts';
import { filedName } from '../model/names/filing.ts';
import { STEP, stepsOfTerm } from '../model/term-steps.ts';
import { isUntitled } from '../site/fields/record-title.ts';
import type { OwnContent } from '../site/own/own-content.ts';
import { isInterview } from '../site/parts/cards/narrator-portrait.ts';
import { OWN_MODELS } from './documents.ts';

/** Records with titles. One that was unavailable, and that other records name only by its ID, has none. */
const RECORDS = [
  { kind: 'collection', model: 'collection' },
  { kind: 'item', model: 'entity' },
] as const;
/** Titles with one key: thousands of records may have one title. */
const MAX_TITLES = 8;
/** Characters of a title. */
const MAX_LABEL = 120;
/** Characters of a key that are compared before the keys are created: only those of one beginning are in memory at a time. */
const BEGINNING = 3;
/** Positions in comparable text, which is seldom longer than a label. */
const POSITIONS = 512;

/** A name with the text that is the first of its keys, if that is another form of it. */
interface ListedName {
  name: Name;
  otherForm?: string;
}

/** Yields the names of an archive by all their keys, sorted by key. */
export function* listNames(
  entries: Pick<Entries, 'objects' | 'articles'>,
  relations: Pick<Relations, 'people' | 'terms'>,
  own: Pick<OwnContent, 'pages'>,
): Generator<KeyedName> {
  const listed: ListedName[] = [];
  /** By beginning of keys: numbers that consist of the place in `listed` and a position. */
  const byBeginning = new Map<string, number[]>();
  for (const each of withSpellings(collectNames(entries, relations, own))) {
    const { name, otherForm } = each;
    const comparable = comparableText(otherForm ?? name.label);
    const starts = otherForm === undefined ? startsOf(comparable, isTitleKind(name.kind)) : [0];
    for (const at of starts) {
      if (at >= POSITIONS) break;
      const beginning = keyAt(name.kind, comparable, at).slice(0, BEGINNING);
      const numbers = byBeginning.get(beginning);
      if (numbers) numbers.push(listed.length * POSITIONS + at);
      else byBeginning.set(beginning, [listed.length * POSITIONS + at]);
    }
    listed.push(each);
  }
  for (const beginning of [...byBeginning.keys()].sort((a, b) => (a < b ? -1 : 1))) {
    const names = (byBeginning.get(beginning) ?? []).map((number) =>
      withKey(listed[Math.floor(number / POSITIONS)] as ListedName, number % POSITIONS),
    );
    names.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.path < b.path ? -1 : 1));
    yield* withoutExcess(names);
  }
}

/** Yields all names, in all their forms. */
function* collectNames(
  { objects, articles }: Pick<Entries, 'objects' | 'articles'>,
  relations: Pick<Relations, 'people' | 'terms'>,
  own: Pick<OwnContent, 'pages'>,
): Generator<ListedName> {
  for (const person of relations.people()) yield* ofPerson(person);
  for (const facet of NAMED_FACETS)
    for (const { slug, label, count } of relations.terms(facet)) {
      const name = createName(facet, stepsOfTerm(label), facetValuePath(facet, slug), count);
      const [last = '', ...others] = name.label.split(STEP).reverse();
      if (count > 0) yield* others.length > 0 ? [{ name }, { name, otherForm: last }] : [{ name }];
    }
  for (const { title, slug } of articles) yield { name: createName('article', title, articlePath(slug)) };
  for (const { kind, slug, versions } of own.pages)
    for (const title of new Set(versions.map((version) => version.title)))
      yield { name: createName(OWN_MODELS[kind], title, ownPath(kind, slug)) };
  for (const { kind, model } of RECORDS)
    for (const entry of objects.allListed(model))
      if (!isUntitled(entry))
        yield { name: createName(isInterview(entry) ? 'interview' : kind, entry.title, objectPath(entry.id)) };
}

/** Yields all names; those that are no titles also in one spelling without signs, and with others of long vowels. */
function* withSpellings(names: Iterable<ListedName>): Generator<ListedName> {
  for (const each of names) {
    yield each;
    const { name, otherForm = name.label.normalize('NFC') } = each;
    if (isTitleKind(name.kind)) continue;
    const vowels = ['oh', 'oo', 'ou'].map((vowel) => otherForm.replace(/ō/gi, vowel).replace(/ū/gi, 'uu'));
    const written = [otherForm, ...vowels, spellEastAsian(otherForm)];
    const [, ...forms] = new Set(written.flatMap((form) => [...comparableForms(form)]));
    for (const form of forms) yield { name, otherForm: form };
  }
}

/** Yields names in their order, but only the first titles of each key. */
function* withoutExcess(names: readonly KeyedName[]): Generator<KeyedName> {
  let [key, titles] = ['', 0];
  for (const name of names) {
    if (name.key !== key) [key, titles] = [name.key, 0];
    if ((name.kind === 'item' || name.kind === 'interview') && ++titles > MAX_TITLES) continue;
    yield name;
  }
}

/** A person is found in the order in which the name is spoken, and in that in which it is filed. */
function ofPerson({ slug, label, ids, sharesName, interviewed, records }: PersonEntry): ListedName[] {
  const id = interviewed?.join(', ') ?? ids?.oh ?? ids?.nr;
  const shown = sharesName && id !== undefined ? `${label} (${id})` : label;
  const name = createName('person', shown, personPath(slug), records);
  return [{ name }, { name, otherForm: filedName(label).shown }];
}

function createName(kind: NameKind, label: string, path: string, count = 0): Name {
  const shown = label.replace(/\s+/g, ' ');
  return { kind, label: isTitleKind(kind) || kind === 'collection' ? shown.slice(0, MAX_LABEL) : shown, path, count };
}

function withKey({ name, otherForm }: ListedName, at: number): KeyedName {
  const key = keyAt(name.kind, comparableText(otherForm ?? name.label), at);
  return otherForm === undefined ? { ...name, key, at } : { ...name, key };
}
