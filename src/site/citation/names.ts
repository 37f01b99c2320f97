/** Names in citations: inverted or direct, in full or with initials, and lists of them. */
import { generationalSuffix, isTitle, type Name } from '../../model/names/names.ts';

const EAST_ASIAN = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々〆ヶ]/u;

/** Returns a person's name in parts; undefined for an organization, a family, one word, or in East Asian writing. */
export function personalName(name: Name) {
  const { kind, literal, family, given, particle } = name;
  if (kind !== 'person' || !family || !given || EAST_ASIAN.test(family)) return undefined;
  const leads = particle !== undefined && literal.startsWith(`${particle} `);
  return {
    family,
    given,
    /** What precedes the family name in every order: “de la Cruz, María”, as the archive inverts it. */
    leading: leads ? particle : '',
    /** What follows the given name if the name is inverted: “Gogh, Vincent van”. */
    trailing: leads ? '' : (particle ?? ''),
    suffix: generationalSuffix(name),
  };
}

const joined = (separator: string, ...parts: Array<string | undefined>) => parts.filter(Boolean).join(separator);

type Arrange = (parts: NonNullable<ReturnType<typeof personalName>>) => string;

/** Returns a function that arranges a name. One that is supplied or uncertain is in brackets, in all styles: “[Ota, Kenji?]”. */
function arranged(arrange: Arrange): (name: Name) => string {
  return (name) => {
    const parts = personalName(name);
    if (!parts) return name.literal;
    if (name.attribution === undefined) return arrange(parts);
    return `[${arrange(parts)}${name.attribution === 'uncertain' ? '?' : ''}]`;
  };
}

const inverted: Arrange = ({ family, given, leading, trailing, suffix }) =>
  joined(', ', joined(' ', leading, family), joined(' ', given, trailing), suffix);

/** Returns a name in its inverted order: “Ikeda, Russell K., Jr.”, “Gogh, Vincent van”. */
export const invertedName = arranged(inverted);

/** Returns a name in its inverted order, without brackets: the fields of reference managers are names only. */
export function fieldName(name: Name): string {
  const parts = personalName(name);
  return parts ? inverted(parts) : name.literal;
}

/** Returns a name in its direct order: “Russell K. Ikeda Jr.”. */
export const directName = arranged(({ family, given, leading, trailing, suffix }) =>
  joined(' ', given, trailing, leading, family, suffix),
);

/** Returns a name with initials, inverted: “Ikeda, R. K., Jr.”, “van Gogh, V.”. */
export const initialsLast = arranged(({ family, given, leading, trailing, suffix }) =>
  joined(', ', joined(' ', leading || trailing, family), initialsOf(given), suffix),
);

/** Returns a name with initials, in its direct order: “R. K. Ikeda, Jr.”. */
export const initialsFirst = arranged(({ family, given, leading, trailing, suffix }) =>
  joined(', ', joined(' ', initialsOf(given), leading || trailing, family), suffix),
);

/** “Russell Kenji” → “R. K.”; “Jean-Paul” → “J.-P.”. Titles such as “Mrs.” and small words stay. */
function initialsOf(given: string): string {
  const words = given.split(/\s+/);
  const names = words.filter((word) => !isTitle(word));
  // “Sister Mary Agnes” → “M. A.”; but “Captain” alone stays.
  if (names.length === 0) return given;
  return names
    .map((word) => {
      if (/^\p{Ll}/u.test(word) || /^\p{L}{2,}\.$/u.test(word)) return word;
      const parts = word.replace(/\.(?=\p{L})/gu, '. ').split(/(?<=\. )|-/u);
      return parts
        .map(([...letters]) => (/\p{L}/u.test(letters[0] ?? '') ? `${letters[0]}.` : letters.join('')))
        .join(word.includes('-') ? '-' : ' ');
    })
    .join(' ');
}
