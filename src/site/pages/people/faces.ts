/** Faces of people: those who were interviewed, with their portraits and years. */
import type { PersonEntry } from '../../../catalogue/people/person-entries.ts';
import { personPath } from '../../../catalogue/urls.ts';
import { filedLine } from '../../parts/names/people.ts';
import type { Site } from '../../site.ts';
import { portraitOf } from '../person/portrait.ts';

/** Someone who was interviewed. */
export type Face = ReturnType<typeof createFaces>[number];

/** Beside narrators whom the archive lists as such: people among whom those who were interviewed are looked for. */
const MAX_CANDIDATES = 400;

/** Returns those with the most records who were interviewed, at most `max`, by name. */
export function createFaces(max: number, site: Site) {
  const { relations, locale } = site;
  const known = relations.people().filter(({ records }) => records > 0);
  known.sort((a, b) => b.records - a.records || (a.slug < b.slug ? -1 : 1));
  const candidates = known.filter(({ narrator }, i) => i < MAX_CANDIDATES || narrator !== undefined);
  const interviewed = Iterator.from(candidates).filter(({ slug }) => relations.interviewsWith(slug).length > 0);
  return [...interviewed.take(max)]
    .map((person) => ({ person, line: filedLine(person, locale) }))
    .sort((a, b) => locale.compare(a.line.sort, b.line.sort))
    .map(({ person, line }) => {
      const portrait = portraitOf(person, relations.interviewsWith(person.slug), [], site);
      return {
        path: personPath(person.slug),
        name: line.label,
        /** Of birth and death; empty if neither is known. */
        years: yearsOfLife(person, site),
        /** None that needs a cultural-protocol label. */
        image: portrait?.labels ? undefined : portrait?.image,
        /** What is shown instead of an image. */
        initials: initialsOf(line.label),
      };
    });
}

const YEAR = /\b\d{4}\b/;

function yearsOfLife({ narrator = '' }: PersonEntry, { relations, locale: { t } }: Pick<Site, 'relations' | 'locale'>): string {
  const { born, died } = relations.narratorOf(narrator) ?? {};
  const [first, last] = [born, died].map((date) => YEAR.exec(date ?? '')?.[0]);
  if (first !== undefined && last !== undefined) return t.people.lived(first, last);
  return first === undefined ? '' : t.people.bornIn(first);
}

/** A letter with its marks: in Thai and Lao the first consonant, before which vowels are written. Georgian has no capitals. */
const INITIAL = /(?![เ-ไເ-ໄ])\p{L}\p{M}*/u;

/** Returns the first letters of a name as it is filed, given name first: “KM” of “Matsuoka, Kay”. */
function initialsOf(filed: string): string {
  const parts = filed.replace(/\(.*/s, '').split(',').reverse();
  return parts
    .map((part) => INITIAL.exec(part.normalize('NFC'))?.[0] ?? '')
    .map((letter) => (/\p{Script=Georgian}/u.test(letter) ? letter : letter.toLocaleUpperCase()))
    .join('');
}
