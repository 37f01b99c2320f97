/** Reads names of people and organizations: what a citation inverts, what metadata calls a Person, and what stays as it is. */
import { toOneLine } from '../text/legible.ts';
import { MAX_LABEL_LENGTH } from '../text/limits.ts';
import { familyNamed, isCouple, isOrganization, startsWithGivenName } from './name-kinds.ts';
import { splitNames } from './name-lists.ts';
import words from './name-words.json' with { type: 'json' };
import { findRole } from './roles.ts';

/** A name and its parts. Only a person whose parts are certain has `family` and `given`. */
export interface Name {
  kind: 'person' | 'organization' | 'family';
  /** The name in the archive's words, on one line, without years of life. */
  literal: string;
  family?: string;
  given?: string;
  /** Small words between given and family name, in lower case: “van der”. */
  particle?: string;
  /** “Jr.”, “III”, “M.D.”; several are separated by a comma. */
  suffix?: string;
  /** Whether the archive supplies the name, or is not certain of it: “[Kenji Ota?]”, “[Kenji Ota]”. */
  attribution?: 'uncertain' | 'supplied';
}

/**
 * Reads a name: direct (“Russell K. Ikeda, Jr.”) or inverted (“Ikeda, Russell K., Jr., 1920–1985”). The text is plain, of any
 * length; a long one is not taken apart, nor is one that names several people (`splitNames`). The role decides what words cannot:
 * a narrator is a person. Never throws.
 */
export function parseName(text: string, { role }: { role?: string | undefined } = {}): Name {
  const literal = withoutDates(withoutLabel(toOneLine(text)));
  if (literal.length > MAX_LABEL_LENGTH)
    return { kind: isOrganization(literal.slice(0, MAX_LABEL_LENGTH)) ? 'organization' : 'person', literal };
  const { name, attribution } = withoutMarks(literal);
  const bare = withoutAdditions(name);
  const family = familyNamed(name);
  if (family !== undefined) return { kind: 'family', literal, family };
  if (isCouple(bare) || splitNames(name).length > 1) return { kind: 'family', literal };
  if (!isHuman(role) && (isOrganization(bare) || (isPublisher(role) && !looksPersonal(bare))))
    return { kind: 'organization', literal };
  const parts = partsOf(bare);
  return { kind: 'person', literal, ...parts, ...(attribution && parts.family !== undefined ? { attribution } : {}) };
}

/** “Photographer: Kenji Ota”, “Photographed by Kenji Ota”: the label is a role. */
function withoutLabel(name: string): string {
  const { label, rest } =
    /^(?<label>[\p{L} ]{2,40})[:：]\s*(?<rest>\S.*)$|^(?<label>[\p{L}]{2,40} by) (?<rest>\S.*)$/iu.exec(name)?.groups ?? {};
  return rest !== undefined && findRole(label) !== undefined ? rest : name;
}

const UNCERTAIN_BEFORE = /^(?:possibly|probably|perhaps|presumably|attributed to|attrib\.? to|atribuid[oa] a)\s+(?=\S)/iu;
const UNCERTAIN_AFTER = /(?<=\S)\s*(?:[([（［]\s*[?？]\s*[)\]）］]|[?？])$/u;

/** “[Kenji Ota?]”, “Kenji Ota (?)”, “attributed to Kenji Ota” are uncertain; “[Kenji Ota]” is supplied by the archive. */
function withoutMarks(literal: string): { name: string; attribution?: NonNullable<Name['attribution']> } {
  const outside = literal.replace(UNCERTAIN_AFTER, '');
  const inside = /^[[［](?<inside>[^[\]［］]+)[\]］]\.?$/u.exec(outside)?.groups?.['inside']?.trim();
  const name = (inside ?? outside).replace(UNCERTAIN_AFTER, '').replace(UNCERTAIN_BEFORE, '');
  const isUncertain = outside !== literal || name !== (inside ?? outside);
  if (isUncertain) return { name: withoutDates(name), attribution: 'uncertain' };
  return inside ? { name: withoutDates(inside), attribution: 'supplied' } : { name: literal };
}

type Parts = Omit<Name, 'kind' | 'literal'>;

const isHuman = (role: string | undefined) => /^(?:narrator|interviewee|interviewer|videographer)$/i.test(role ?? '');

const isPublisher = (role: string | undefined) => role !== undefined && findRole(role)?.citation === 'publisher';

/** “Miyatake, Toyo”, “Mary Abe”, “T. K. Abe”, “田中 花”: newspapers, such as “Pacific Citizen”, have no such names. */
function looksPersonal(name: string): boolean {
  return /[,，]|^\p{Lu}\. /u.test(name) || EAST_ASIAN.test(name) || startsWithGivenName(name);
}

/** Years at the end of a name in a library's catalogue: “, 1920-1985”, “, b. 1920”, “(1920–)”, “, active 1935”. */
const LIFE_DATES =
  /[,\s]*[([（]?\s*(?:(?:b|d|fl|ca?|born|died|active|approximately)\.?\s*){0,2}\d{4}\??\s*(?:[-–—~～]\s*(?:(?:ca?|approximately)\.?\s*)?(?:\d{4}\??)?)?\s*[)\]）]?[.,]?$/iu;

function withoutDates(name: string): string {
  const shorter = name.length > MAX_LABEL_LENGTH ? name : name.replace(LIFE_DATES, '');
  // “Class of 1942” and “Expo 1962” are names without dates: dates have a comma or parentheses, or a dash.
  const removed = name.slice(shorter.length);
  const isDate = /^\s*[,([（]|[-–—~～]/u.test(removed);
  // “[Ota, Kenji, 1920–1985]”: the bracket is that of the name.
  const bracket = /^[^[]*\]$/.test(removed) && /^\[[^\]]*$/.test(shorter) ? ']' : '';
  return isDate && shorter !== '' ? shorter.trim() + bracket : name.trim();
}

/** Returns a name without additions in parentheses or brackets: a fuller form, another script, a maiden name, a role. */
function withoutAdditions(name: string): string {
  const shorter = name
    .replace(/\s*[([（［"“][^)\]）］"”]*[)\]）］"”]\s*/gu, ' ')
    .replace(/\s+,/g, ',')
    .trim();
  return shorter.replace(/[,;\s]+$/, '') || name;
}

const EAST_ASIAN = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々〆ヶ・･\s]+$/u;

/** What the parts of a person's name consist of. Any other sign says that the text is more than a name. */
const NAME_SIGNS = /^[\p{L}\p{M}\s.,，'’‘ʻʼ`´·‐‑–-]*$/u;

function partsOf(name: string): Parts {
  if (EAST_ASIAN.test(name)) return eastAsianParts(name);
  const segments = name.split(/\s*[,，]\s*/).filter((segment) => segment !== '');
  const suffixes = segments.slice(1).filter(isSuffix);
  const [first = '', ...rest] = segments.filter((segment, i) => i === 0 || !isSuffix(segment));
  const [given, ...more] = rest.filter((segment) => !/^(?:\p{Ll}|\P{L}*$)/u.test(segment) && !TITLE.test(segment));
  // “Charles, Prince of Wales” has a title.
  if (more.length > 0 || ![first, given ?? ''].every(isOneName) || / of /.test(given ?? '')) return {};
  const parts = given === undefined ? directParts(first) : invertedParts(first, given);
  const suffix = [parts.suffix, ...suffixes].filter(Boolean).join(', ');
  if (!/\p{L}/u.test(parts.family ?? '') || !/\p{L}/u.test(parts.given ?? '')) return {};
  return { ...parts, ...(suffix ? { suffix } : {}) };
}

/** Whether a text has only a name's signs, and no small words but particles: not “Kenji Ota et al.”, “Ota as narrated to Abe”. */
function isOneName(text: string): boolean {
  const all = text.split(' ').filter((word) => !GENERATION.test(word));
  const hasCapital = all.some((word) => /^\p{Lu}/u.test(word));
  return all.every((word) => NAME_SIGNS.test(word) && (!hasCapital || !/^\p{Ll}[\p{Ll}.]*$/u.test(word) || PARTICLE.test(word)));
}

/** “太田 次郎” is family and given name; “マリア・ガルシア” is a foreign name in its own order; “太田次郎” cannot be divided. */
function eastAsianParts(name: string): Parts {
  const foreign = name.split(/[・･]/);
  if (foreign.length > 1) return { family: foreign.at(-1) as string, given: foreign.slice(0, -1).join('・') };
  const [family, given, ...more] = name.split(/\s+/);
  return family && given && more.length === 0 ? { family, given } : {};
}

const SUFFIX =
  /^(?:jr|sr|jnr|snr|junior|senior|esq(?:uire)?|ii|iii|iv|2nd|3rd|4th|(?:m|ph|ed|d|j|ll|dr|th|psy|s|d\.?d|d\.?v|d\.?m|o)\.?\s?d|d\.?d\.?s|m\.?\s?[as]|b\.?\s?[as]|m\.?s\.?w|r\.?n|c\.?p\.?a|s\.?j|o\.?p|o\.?s\.?b|ll\.?\s?b|ret|c\.?s\.?j|m\.?m|usn|usa)\.?$/i;
const GENERATION = /^(?:jr|sr|jnr|snr|junior|senior|ii|iii|iv|2nd|3rd|4th)\.?$/i;
const isSuffix = (segment: string) => SUFFIX.test(segment);

/** Returns whether one of the suffixes is part of the name, as “Jr.” and “III” are. Citations leave out degrees. */
export function generationalSuffix({ suffix }: Name): string | undefined {
  return suffix?.split(', ').find((part) => GENERATION.test(part));
}

const TITLE =
  /^(?:mr|miss|ms|dr|rev|reverend|prof|professor|hon|honorable|col|colonel|capt|captain|lt|lieutenant|sgt|sergeant|maj|major|gen|general|pvt|private|cpl|corporal|pfc|fr|father|sister|sr|brother|bishop|rabbi|senator|sen|rep|representative|governor|gov|mayor|judge|president|the|sra|srta|don|doña|dña)\.?$/i;

/** Returns whether a word is only a title, such as “Captain”. “Don” is also a given name. */
export const isTitle = (word: string): boolean => TITLE.test(word) && !/^don$/i.test(word);

/** “Father Clement”, “Sister Mary” and “Queen Elizabeth II” have no family name. */
const WITHOUT_FAMILY_NAME =
  /^(?:father|fr\.?|sister|brother|mother|padre|hermana|hermano|sor|fray|saint|pope|king|queen|emperor|empress|princess)\s\p{L}+(?:\s[IVX]+)?$/iu;

/** Names that are filed in their own order: Icelandic, Thai, Vietnamese, romanized Chinese ones, and Arabic “ibn”. */
const OWN_ORDER = new RegExp(`^(?:${words.ownOrder.join('|')})`, 'u');

function directParts(name: string): Parts {
  if (WITHOUT_FAMILY_NAME.test(name) || OWN_ORDER.test(name.normalize('NFC'))) return {};
  const all = name.split(' ');
  const suffix =
    all.length > 2 && isSuffix(all.at(-1) as string) && !/^[A-Z]\.?$/.test(all.at(-1) as string) ? all.pop() : undefined;
  while (all.length > 2 && TITLE.test(all[0] as string) && !/^(?:don|sister|sr)$/i.test(all[0] as string)) all.shift();
  if (all.length < 2) return {};
  // “OTA Jirō”: the one word in capitals at the beginning is the surname.
  if (/^[\p{Lu}'-]{2,}$/u.test(all[0] as string) && all.slice(1).every((word) => /\p{Ll}/u.test(word)))
    return { family: all[0] as string, given: all.slice(1).join(' '), ...(suffix ? { suffix } : {}) };
  const start = surnameStart(all);
  return { ...withParticle(all.slice(start).join(' ')), given: all.slice(0, start).join(' '), ...(suffix ? { suffix } : {}) };
}

const PARTICLE =
  /^(?:van|von|vom|der|den|del|della|dello|de|di|da|das|dos|do|du|des|la|le|las|los|lo|ter|ten|te|zu|zum|zur|af|av|'t|’t|bin|binti|ibn|al|el|y|e|of|san|st\.?|santa|saint|mac)$/i;

/** Returns where the surname begins: at the last word, or at the particles before it; two Spanish surnames belong together. */
function surnameStart(all: string[]): number {
  let start = all.length - 1;
  if (start >= 2 && isSpanishSurname(all[start - 1] as string) && isSecondSurname(all)) start--;
  const last = start;
  while (start > 1 && PARTICLE.test(all[start - 1] as string)) {
    start--;
    // “Ortega y Gasset” begins before the “y”.
    if (/^[ye]$/.test(all[start] as string) && start > 1) start--;
  }
  // “Flores de la Torre” begins before the particles.
  return start < last && start > 1 && /^del?$/.test(all[start] as string) && isSpanishSurname(all[start - 1] as string)
    ? start - 1
    : start;
}

/**
 * Returns whether the last word is a surname after another: a common one, or any Spanish word in a name with Spanish accents.
 * Without accents, “Maria Garcia Lorca” may be the daughter of a García who married.
 */
function isSecondSurname(all: string[]): boolean {
  const last = all.at(-1) as string;
  const isSpanishWord = /^[\p{Script=Latin}'’]+[aeiouáéíóúlnrsdz]$/iu.test(last) && !/[kw]|sh|th|ts|ck/i.test(last);
  return isSpanishSurname(last) || (isSpanishWord && /[áéíóúñ]/i.test(all.join(' ').normalize('NFC')));
}

const SPANISH_SURNAMES = new Set(words.spanishSurnames.split(' '));

function isSpanishSurname(word: string): boolean {
  const plain = word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return SPANISH_SURNAMES.has(plain) || /^[a-z]{3,}ez$/.test(plain);
}

function invertedParts(surname: string, given: string): Parts {
  const surnameWords = surname.split(' ');
  const suffix = surnameWords.length > 1 && GENERATION.test(surnameWords.at(-1) as string) ? surnameWords.pop() : undefined;
  const others = given.split(' ');
  const trailing = others.length > 1 && GENERATION.test(others.at(-1) as string) ? others.pop() : undefined;
  // “Gogh, Vincent van” and “Beauvoir, Simone de”
  const particles: string[] = [];
  while (others.length > 1 && /^\p{Ll}/u.test(others.at(-1) as string) && PARTICLE.test(others.at(-1) as string))
    particles.unshift(others.pop() as string);
  while (others.length > 1 && TITLE.test(others[0] as string)) others.shift();
  const parts =
    particles.length > 0
      ? { family: surnameWords.join(' '), particle: particles.join(' ') }
      : withParticle(surnameWords.join(' '));
  return { ...parts, given: others.join(' '), ...(suffix || trailing ? { suffix: (suffix ?? trailing) as string } : {}) };
}

/** Separates particles in lower case from a surname. Capitals make them part of it: “De La Hoya”. */
function withParticle(surname: string): Parts {
  const all = surname.split(' ');
  let count = 0;
  while (count < all.length - 1 && /^\p{Ll}|^['’]t$/u.test(all[count] as string) && PARTICLE.test(all[count] as string)) count++;
  const family = all.slice(count).join(' ');
  return count === 0 ? { family } : { family, particle: all.slice(0, count).join(' ') };
}
