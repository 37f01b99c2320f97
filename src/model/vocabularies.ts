/** The labels behind codes (upstream-facts, “Labels for codes”). An unknown code is shown as it is. */

type Vocabulary = Readonly<Record<string, string>>;

export const STATUS: Vocabulary = { inprocess: 'In progress', completed: 'Completed' };
export const PUBLIC: Vocabulary = { '1': 'Public', '0': 'Private' };
export const MODEL: Vocabulary = {
  repository: 'Repository',
  organization: 'Organization',
  collection: 'Collection',
  entity: 'Object',
  segment: 'Interview segment',
  file: 'File',
  author: 'Author',
  article: 'Guide page',
};
export const RIGHTS: Vocabulary = {
  cc: 'Creative Commons',
  pcc: 'Copyright, with special third-party grant permitted',
  nocc: 'Copyright restricted',
  pdm: 'Public domain',
};
export const FORMAT: Vocabulary = {
  av: 'Audio/Visual',
  ds: 'Dataset',
  doc: 'Document',
  img: 'Still Image',
  vh: 'Oral History',
};
export const GENRE: Vocabulary = {
  advertisement: 'Advertisements',
  album: 'Albums',
  architecture: 'Architecture',
  baseball_card: 'Baseball Cards',
  blank_form: 'Blank Forms',
  book: 'Books',
  broadside: 'Broadsides',
  cartoon: 'Cartoons (Commentary)',
  catalog: 'Catalogs',
  cityscape: 'Cityscapes',
  clipping: 'Clippings',
  correspondence: 'Correspondence',
  diary: 'Diaries',
  drawing: 'Drawings',
  ephemera: 'Ephemera',
  essay: 'Essays',
  ethnography: 'Ethnography',
  fieldnotes: 'Fieldnotes',
  illustration: 'Illustrations',
  interview: 'Interviews',
  landscape: 'Landscapes',
  leaflet: 'Leaflets',
  manuscript: 'Manuscripts',
  map: 'Maps',
  misc_document: 'Miscellaneous Documents',
  motion_picture: 'Motion Pictures',
  music: 'Music',
  narrative: 'Narratives',
  painting: 'Paintings',
  pamphlet: 'Pamphlets',
  periodical: 'Periodicals',
  petition: 'Petitions',
  photograph: 'Photographs',
  physical_object: 'Physical Objects',
  poetry: 'Poetry',
  portrait: 'Portraits',
  postcard: 'Postcards',
  poster: 'Posters',
  print: 'Prints',
  program: 'Programs',
  rec_log: 'Recording Logs',
  score: 'Scores',
  sheet_music: 'Sheet Music',
  timetable: 'Timetables',
  transcription: 'Transcriptions',
};

/** The label of a code, or the code itself. */
export function label(vocabulary: Vocabulary, code: string): string {
  return Object.hasOwn(vocabulary, code) ? (vocabulary[code] as string) : code;
}

const languageNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' });
const CODE = /^[A-Za-z]{2,3}$/;
const names = new Map<string, string>();
const tags = new Map<string, string | undefined>();

/** The English name of an ISO 639-2/B code (`jpn` → Japanese); a code that no one knows comes back as it is. */
export function languageName(code: string): string {
  if (!CODE.test(code)) return code;
  const name = names.get(code) ?? (code === 'tgl' ? 'Tagalog' : (languageNames.of(code) ?? code));
  names.set(code, name);
  return name;
}

/** The BCP 47 tag for a `lang` attribute (`jpn` → `ja`), or undefined for what is no language code. */
export function languageTag(code: string): string | undefined {
  if (!CODE.test(code)) return undefined;
  if (!tags.has(code)) tags.set(code, Intl.getCanonicalLocales(code)[0]);
  return tags.get(code);
}
