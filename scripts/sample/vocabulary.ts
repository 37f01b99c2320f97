/** The imaginary world of the sample archive: its names, places, subjects and sentences. Nobody here ever lived. */
import words from './vocabulary.json' with { type: 'json' };

/** ID of the archive itself, with which all record IDs begin. */
export const REPOSITORY = 'lica';
/** Base URL of the guide API. */
export const GUIDE = 'https://guide.lantern-islands.example';
/** Base URL of the records API. */
export const CATALOG = 'https://catalog.lantern-islands.example';

/** Marks every record as invented. */
export const NOTE =
  'Invented sample data. The Lantern Islands, their people, their archive and their pictures are imaginary; any likeness is chance.';

/** The organizations that gave collections to the archive. */
export const ORGANIZATIONS = words.organizations;

/** Controlled terms for topics; `--` separates the levels of the vocabulary. */
export const TOPICS = words.topics;

/** Controlled terms for facilities. */
export const FACILITIES = words.facilities;

/** Places with coordinates in degrees; the last name is not ASCII. */
export const PLACES = words.places;

/** A person of the islands; the same number is always the same person. */
export function person(n: number): string {
  return `${words.given[givenIndex(n)]} ${words.family[familyIndex(n)]}`;
}

/** Returns the number of the name of `person(n)`: people of one name have one number. */
export function nameNumber(n: number): number {
  return givenIndex(n) * words.family.length + familyIndex(n);
}

const givenIndex = (n: number) => (n * 7) % words.given.length;
const familyIndex = (n: number) => (n * 5 + Math.floor(n / 24)) % words.family.length;

/** Author names that upstream, file systems and URLs trip over. */
export const ODD_AUTHORS = words.oddAuthors;

/** An author who is not public. */
export const UNPUBLISHED_AUTHOR = 'Percival Withheld';

/** Returns the title of a photograph; the same number always has the same one. */
export function sceneTitle(n: number): string {
  return words.scenes[n % words.scenes.length] as string;
}
/** Returns the title of a document; the same number always has the same one. */
export function letterTitle(n: number): string {
  return words.letters[n % words.letters.length] as string;
}
/** Returns a sentence about an item; the same number always has the same one. */
export function detail(n: number): string {
  return words.details[n % words.details.length] as string;
}

/** Every way of writing a date that docs/upstream-api.md names, and some that people use. */
export const CREATIONS = words.creations;
/** The formats in which upstream gives the date of a digitization. */
export const DIGITIZE_DATES = words.digitizeDates;

/** What an interview is about, segment by segment. */
export const QUESTIONS = words.questions;

/** A transcript: a few turns of talk, invented. */
export function transcript(narrator: string, question: string): string {
  return [
    `${question}`,
    '',
    `Q: Tell us how it began.`,
    `${narrator}: Well, the whistle went at five, and the gulls knew it before we did. My aunt would set the lamp in the window so the boats could count us.`,
    `Q: And the boats?`,
    `${narrator}: The boats came in by sound. You cannot see Fenwick Sound in March. You listen for the bell, and then you trust it.`,
    '',
  ].join('\n');
}

/** The same talk as captions in WebVTT: two seconds of it, in English or with Japanese. */
export function captions(narrator: string, japanese: boolean): string {
  const lines = japanese
    ? ['五時に汽笛が鳴りました。', 'The whistle went at five &amp; the gulls knew it.']
    : ['Well, the whistle went at five,', 'and the gulls knew it <i>before we did</i>.'];
  return [
    'WEBVTT',
    '',
    'NOTE Invented sample data.',
    '',
    '1',
    '00:00.000 --> 00:01.000',
    `<v ${narrator}>${lines[0]}`,
    '',
    '2',
    '00:01.000 --> 00:02.000 align:start',
    `${lines[1]}`,
    '',
  ].join('\n');
}
