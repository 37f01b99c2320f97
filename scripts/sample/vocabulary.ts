/** The imaginary world of the sample archive: its names, places, subjects and sentences. Nobody here ever lived. */

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
export const ORGANIZATIONS = [
  {
    id: 'lica-quay',
    title: 'Quayside History Circle',
    description: 'Volunteers who meet on Thursdays above the old net loft to name the faces in photographs.',
  },
  {
    id: 'lica-ferry',
    title: 'Ferry Workers’ Memory Project',
    description: 'Recorded memories and papers of the crews who ran the boats between the islands.',
  },
] as const;

/** Controlled terms for topics; `--` separates the levels of the vocabulary. */
export const TOPICS = [
  { id: '11', term: 'Work and livelihood' },
  { id: '12', term: 'Work and livelihood -- Fishing' },
  { id: '13', term: 'Work and livelihood -- Fishing -- Cannery work' },
  { id: '14', term: 'Work and livelihood -- Ferries' },
  { id: '21', term: 'Community life -- Festivals' },
  { id: '22', term: 'Community life -- Markets' },
  { id: '31', term: 'Disasters -- Flood of 1947' },
  { id: '41', term: 'Education -- Schools' },
  { id: '51', term: 'Migration -- Arrival on the islands' },
  { id: '52', term: 'Migration -- Letters home' },
] as const;

/** Controlled terms for facilities. */
export const FACILITIES = [
  { id: '3', term: 'Quayside Cannery' },
  { id: '4', term: 'North Pier Ferry House' },
  { id: '7', term: 'Island School, Tern Hill' },
] as const;

/** Places with coordinates in degrees; the last name is not ASCII. */
export const PLACES = [
  { uri: 'http://vocab.lantern-islands.example/place/7001', term: 'Lantern Quay', lat: 44.31, lng: -63.02 },
  { uri: 'http://vocab.lantern-islands.example/place/7002', term: 'Tern Hill', lat: 44.36, lng: -63.1 },
  { uri: 'http://vocab.lantern-islands.example/place/7003', term: 'Fenwick Sound', lat: 44.28, lng: -62.91 },
  { uri: 'http://vocab.lantern-islands.example/place/7004', term: 'Île aux Phoques', lat: 44.4, lng: -63.2 },
] as const;

const GIVEN = [
  'Ada',
  'Bram',
  'Clio',
  'Dov',
  'Elsa',
  'Finn',
  'Greta',
  'Hugo',
  'Ines',
  'Jonas',
  'Keiko',
  'Leif',
  'Mona',
  'Nils',
  'Orla',
  'Petra',
  'Quentin',
  'Rosa',
  'Sven',
  'Tamsin',
  'Ulla',
  'Viggo',
  'Wren',
  'Xenia',
  'Yusuf',
  'Zelda',
];
const FAMILY = [
  'Ashlock',
  'Brinewell',
  'Cormorant',
  'Dunmarrow',
  'Eelgrass',
  'Fairtide',
  'Gannet',
  'Harborow',
  'Inkster',
  'Jetsam',
  'Kelpie',
  'Lanternson',
  'Marram',
  'Netherby',
  'Ousel',
  'Pilchard',
  'Quill',
  'Ropewalk',
  'Saltmarsh',
  'Thole',
  'Undertow',
  'Vane',
  'Weatherby',
  'Yawl',
];

/** A person of the islands; the same number is always the same person. */
export function person(n: number): string {
  return `${GIVEN[givenIndex(n)]} ${FAMILY[familyIndex(n)]}`;
}

/** Returns the number of the name of `person(n)`: people of one name have one number. */
export function nameNumber(n: number): number {
  return givenIndex(n) * FAMILY.length + familyIndex(n);
}

const givenIndex = (n: number) => (n * 7) % GIVEN.length;
const familyIndex = (n: number) => (n * 5 + Math.floor(n / 24)) % FAMILY.length;

/** Author names that upstream, file systems and URLs trip over. */
export const ODD_AUTHORS = [
  'Máire O’Dálaigh',
  "Siobhan O'Tide",
  'Anon. / Harbour Office',
  '100% Wool Guild',
  'Zoë Àlvarez-Núñez',
  '山田 花子',
  '김바다',
  'T. R. Quill, Jr.',
  'Jo Marsh',
  'JO MARSH',
  'Con',
  'Editors: “Tide & Time”?',
] as const;

/** An author who is not public. */
export const UNPUBLISHED_AUTHOR = 'Percival Withheld';

const SCENES = [
  'The herring fleet at anchor',
  'Nets drying on the quay',
  'Market day under the lanterns',
  'The ferry Constance in fog',
  'Children on the sea wall',
  'The cannery whistle',
  'Lantern festival procession',
  'After the flood',
  'School picnic on Tern Hill',
  'Launching of the Sandpiper',
  'Women of the packing line',
  'First snow on the slipway',
];
const DETAILS = [
  'The wooden sheds behind were taken down in 1961.',
  'A second print hangs in the ferry house.',
  'The names on the back are in two hands.',
  'Weather of that week is noted in the harbour log.',
  'The boat on the left was later rebuilt as a library.',
  'Lent by the family for copying and returned the same day.',
];
const LETTERS = [
  'Letter about the winter catch',
  'Postcard from the mainland',
  'Petition for a second ferry',
  'Receipt for twelve lanterns',
  'Minutes of the net-loft meeting',
  'Timetable with pencil notes',
  'Telegram about the storm',
  'Recipe for smoked eel',
];

/** Returns the title of a photograph; the same number always has the same one. */
export function sceneTitle(n: number): string {
  return SCENES[n % SCENES.length] as string;
}
/** Returns the title of a document; the same number always has the same one. */
export function letterTitle(n: number): string {
  return LETTERS[n % LETTERS.length] as string;
}
/** Returns a sentence about an item; the same number always has the same one. */
export function detail(n: number): string {
  return DETAILS[n % DETAILS.length] as string;
}

/** Every way of writing a date that docs/upstream-api.md names, and some that people use. */
export const CREATIONS = [
  '1942',
  'c. 1942',
  'ca. 1930s',
  '1942-1945',
  'n.d.',
  'Spring 1943',
  'March 1, 1942',
  '1947-02-11',
  '2/11/1947',
  'circa 1950',
  'early 1940s',
  '1938-39',
  'August 1951',
  '[1949?]',
  '12 June 1955',
  'before the second ferry',
] as const;
/** The formats in which upstream gives the date of a digitization. */
export const DIGITIZE_DATES = ['2014-03-09 00:00:00.0', '3/9/2014', '2014-03-09T10:21:00'] as const;

/** What an interview is about, segment by segment. */
export const QUESTIONS = [
  'Growing up above the net loft',
  'First day on the ferries',
  'The winter the sound froze',
  'How the flood came',
  'Lantern makers of the quay',
  'Songs of the packing line',
  'Leaving and returning',
] as const;

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
