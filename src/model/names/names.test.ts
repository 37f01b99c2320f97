import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isUnnamed } from './name-kinds.ts';
import { splitNames } from './name-lists.ts';
import { type Name, parseName } from './names.ts';
import { findRole, roleOf } from './roles.ts';

const parts = (text: string) => {
  const { literal, kind, ...rest } = parseName(text);
  return kind === 'person' ? rest : { kind, ...rest };
};

const PERSONS: Record<string, Omit<Name, 'kind' | 'literal'>> = {
  'Russell K. Ikeda, Jr.': { family: 'Ikeda', given: 'Russell K.', suffix: 'Jr.' },
  'Russell K. Ikeda Jr.': { family: 'Ikeda', given: 'Russell K.', suffix: 'Jr.' },
  'Ikeda, Russell K., Jr.': { family: 'Ikeda', given: 'Russell K.', suffix: 'Jr.' },
  'Ikeda, Jr., Russell K.': { family: 'Ikeda', given: 'Russell K.', suffix: 'Jr.' },
  'Ikeda Jr., Russell K.': { family: 'Ikeda', given: 'Russell K.', suffix: 'Jr.' },
  'Ikeda, Russell K. (Russell Kenji), 1920-1985': { family: 'Ikeda', given: 'Russell K.' },
  'Ōta, Inés María': { family: 'Ōta', given: 'Inés María' },
  'John Smith III': { family: 'Smith', given: 'John', suffix: 'III' },
  'Kenji Abe, M.D.': { family: 'Abe', given: 'Kenji', suffix: 'M.D.' },
  'Dr. Kenji Abe': { family: 'Abe', given: 'Kenji' },
  'Rev. Dr. Martin Luther King, Jr.': { family: 'King', given: 'Martin Luther', suffix: 'Jr.' },
  'Ludwig van Beethoven': { family: 'Beethoven', given: 'Ludwig', particle: 'van' },
  'Jan van der Meer': { family: 'Meer', given: 'Jan', particle: 'van der' },
  'Gogh, Vincent van': { family: 'Gogh', given: 'Vincent', particle: 'van' },
  'de la Cruz, María': { family: 'Cruz', given: 'María', particle: 'de la' },
  'Oscar De La Hoya': { family: 'De La Hoya', given: 'Oscar' },
  'Susan St. John': { family: 'St. John', given: 'Susan' },
  'Van Morrison': { family: 'Morrison', given: 'Van' },
  'José Ortega y Gasset': { family: 'Ortega y Gasset', given: 'José' },
  'Gabriel García Márquez': { family: 'García Márquez', given: 'Gabriel' },
  'Ana García López': { family: 'García López', given: 'Ana' },
  'Federico García Lorca': { family: 'García Lorca', given: 'Federico' },
  'Benito Pérez Galdós': { family: 'Pérez Galdós', given: 'Benito' },
  'José Luis Rodríguez Zapatero': { family: 'Rodríguez Zapatero', given: 'José Luis' },
  'María del Carmen Flores de la Torre': { family: 'Flores de la Torre', given: 'María del Carmen' },
  'María García Smith': { family: 'Smith', given: 'María García' },
  'Maria Garcia Tanaka': { family: 'Tanaka', given: 'Maria Garcia' },
  'Juana de la Cruz': { family: 'Cruz', given: 'Juana', particle: 'de la' },
  'José de San Martín': { family: 'San Martín', given: 'José', particle: 'de' },
  'García López, Ana': { family: 'García López', given: 'Ana' },
  'OTA Jirō': { family: 'OTA', given: 'Jirō' },
  'Jirō Ōta': { family: 'Ōta', given: 'Jirō' },
  '太田 次郎': { family: '太田', given: '次郎' },
  '太田　次郎': { family: '太田', given: '次郎' },
  太田次郎: {},
  服部半蔵: {},
  '小野寺 誠': { family: '小野寺', given: '誠' },
  'イネス・マリア・オオタ': { family: 'オオタ', given: 'イネス・マリア' },
  Hokusai: {},
  'Lange, Dorothea, 1895-1965, photographer': { family: 'Lange', given: 'Dorothea' },
  'Queen Elizabeth II': {},
  'The Rev. John Smith': { family: 'Smith', given: 'John' },
  'Miss Ada Quill': { family: 'Quill', given: 'Ada' },
  'Mrs. Kenji Ota': { family: 'Ota', given: 'Mrs. Kenji' },
  'Father Clement': {},
  'Father Daniel Clement': { family: 'Clement', given: 'Daniel' },
  'Mrs. Tanaka': { family: 'Tanaka', given: 'Mrs.' },
  'Church, Frederic Edwin': { family: 'Church', given: 'Frederic Edwin' },
  'Shirley Temple': { family: 'Temple', given: 'Shirley' },
  "Máire O'Dálaigh": { family: "O'Dálaigh", given: 'Máire' },
  'Mary Ann Smith-Ota': { family: 'Smith-Ota', given: 'Mary Ann' },
};

const ORGANIZATIONS = [
  'Brannan Slough Methodist Church',
  'Fairhaven Church',
  'Acme, Inc.',
  'Acme Company',
  'Sato & Sons',
  'Tanaka Brothers Store',
  'University of Washington',
  'Department of War',
  'War, Department of',
  'U.S. Army',
  'United States. War Relocation Authority',
  '442nd Regimental Combat Team',
  'Japanese American Citizens League',
  'JACL',
  'The Evening Post',
  'Committee on Evacuation',
  'Women’s Auxiliary',
  'Iglesia Metodista de la Bahía',
  'Sociedad de Socorros Mutuos',
  'Asociación Japonesa',
  'Quayside History Circle',
  '婦人会',
  '日本人会',
  '朝日新聞',
  '南加日系人教会',
  '株式会社太田商店',
  '外務省',
  '西本願寺',
  'Fujinkai',
  '羅府新報',
  'Hokubei Shimbun',
  '2nd Battalion',
];

describe('a name', () => {
  it.each(Object.entries(PERSONS))('%s is a person', (text, expected) => expect(parts(text)).toEqual(expected));
  it.each(ORGANIZATIONS)('%s is an organization', (text) =>
    expect(parseName(text)).toEqual({ kind: 'organization', literal: text }),
  );
  it.each([
    ['Ota family', 'Ota'],
    ['The Ota Family', 'Ota'],
    ['Ota (Family)', 'Ota'],
    ['Familia García', 'García'],
    ['太田家', '太田'],
  ])('%s is a family', (text, family) => expect(parseName(text)).toEqual({ kind: 'family', literal: text, family }));
  it.each(['Mr. and Mrs. Kenji Ota', 'Ota, Mr. and Mrs. Kenji', 'John and Mary Ota', 'Mary Ota & Bill Ota'])(
    '%s are a couple',
    (text) => expect(parseName(text)).toEqual({ kind: 'family', literal: text }),
  );
  it('that a role makes a person’s is one', () => expect(parseName('George Press', { role: 'narrator' }).kind).toBe('person'));
  it('of a publisher is that of a person only if it looks like one', () => {
    for (const text of ['Tulean Dispatch', 'Pacific Citizen', 'Manzanar Free Press', 'Rafu Shimpo']) {
      expect(parseName(text, { role: 'publisher' })).toEqual({ kind: 'organization', literal: text });
      expect(parseName(text, { role: 'Published by' }).kind).toBe('organization');
    }
    for (const text of ['Miyatake, Toyo', 'Mary Abe', '田中 花', 'T. K. Miyatake'])
      expect(parseName(text, { role: 'publisher' })).toMatchObject({ kind: 'person', family: expect.anything() });
    expect(parseName('Tulean Dispatch', { role: 'author' }).kind).toBe('person');
  });
  it('may be missing', () => {
    const unnamed = [
      'Unknown',
      'Unidentified photographer',
      '[unknown]',
      'Anónimo',
      '不明',
      'n/a',
      'Various authors',
      'unknown?',
      'Photographer Unknown',
      'Photographer: unknown',
      'Artist unidentified.',
      '[photographer not identified]',
      'Name unknown',
      'Fotógrafo desconocido',
      'autor no identificado',
      '撮影者不明',
      '作者不詳',
      'photographer (unknown)',
      'author and date unknown',
    ];
    expect(unnamed.filter((text) => !isUnnamed(text))).toEqual([]);
    const named = ['Noname Ota', 'Kenji Unknown', 'Ota, given name unknown', 'Ota, unknown', 'Hugo Various'];
    expect(named.filter(isUnnamed)).toEqual([]);
  });
});

describe('a text', () => {
  it.each([
    ['Ito, Alice; Ikeda, Tom', ['Ito, Alice', 'Ikeda, Tom']],
    ['Smith, John; Jones, Mary', ['Smith, John', 'Jones, Mary']],
    ['Ito, Alice；Ikeda, Tom；', ['Ito, Alice', 'Ikeda, Tom']],
    ['Ito, Alice / Ikeda, Tom | Ota, Ken', ['Ito, Alice', 'Ikeda, Tom', 'Ota, Ken']],
    ['Ito, Alice and Ikeda, Tom', ['Ito, Alice', 'Ikeda, Tom']],
    ['Ikeda, Russell K., Jr., & Vane, Leif', ['Ikeda, Russell K., Jr.', 'Vane, Leif']],
    ['García, Ana y López, Juan', ['García, Ana', 'López, Juan']],
    ['Alice Ito and Tom Ikeda', ['Alice Ito', 'Tom Ikeda']],
    ['Ansel Adams & Dorothea Lange', ['Ansel Adams', 'Dorothea Lange']],
    ['Mr. Kenji Ota and Ms. Mary Abe', ['Mr. Kenji Ota', 'Ms. Mary Abe']],
    ['Mary Abe and Manzanar Committee', ['Mary Abe and Manzanar Committee']],
    ['Sato Barney and Ota Upham', ['Sato Barney and Ota Upham']],
    ['Alice Ito, Tom Ikeda, and Ken Ota', ['Alice Ito', 'Tom Ikeda', 'Ken Ota']],
    ['田中花、佐藤誠', ['田中花', '佐藤誠']],
    ['Ota family; Tidewater Press', ['Ota family', 'Tidewater Press']],
    ['Smith, John; 1920-1985', ['Smith, John']],
    ['Smith, John; photographer', ['Smith, John']],
    ['Ota, Kenji (photographer; editor)', ['Ota, Kenji (photographer; editor)']],
    ['[Ito, Alice; Ikeda, Tom]', ['Ito, Alice', 'Ikeda, Tom']],
    ...['Sato and Sons', 'Sato, Tanaka and Ito', 'José Ortega y Gasset', 'Smith, John and Mary', 'García López, Ana María'].map(
      (text) => [text, [text]] as const,
    ),
    ...[
      'Department of Health, Education, and Welfare',
      'Dewey, Sato and Howe, Attorneys at Law',
      'Ikeda, Russell K., Jr.',
      ';',
      '',
    ].map((text) => [text, [text]] as const),
  ] as const)('“%s” has the names %j', (text, names) => expect(splitNames(text)).toEqual(names));

  it.each([
    'Ito, Alice; Ikeda, Tom',
    'Ito, Alice, Ikeda, Tom, and Ota, Ken',
    'Kenji Ota et al.',
    'Kenji Ota as narrated to Mary Abe',
    'Ota: Kenji',
    'Kenji Ota *',
    'Kenji <Ota>',
    'kenji@ota.example home',
    'Charles, Prince of Wales',
    'Ota, Kenji and Mary',
  ])('“%s” that is more than one name is not taken apart', (text) => {
    const { kind: _, ...rest } = parseName(text);
    expect(rest).toEqual({ literal: text });
  });

  it.each([
    ['[Kenji Ota?]', 'uncertain'],
    ['[Ota, Kenji]?', 'uncertain'],
    ['Kenji Ota (?)', 'uncertain'],
    ['Ota, Kenji?', 'uncertain'],
    ['attributed to Kenji Ota', 'uncertain'],
    ['Probably Kenji Ota', 'uncertain'],
    ['[Kenji Ota]', 'supplied'],
    ['[Ota, Kenji, 1920-1985]', 'supplied'],
    ['Photographer: Kenji Ota', undefined],
    ['Photographed by Kenji Ota', undefined],
    ['Ota, Kenji [photographer]', undefined],
    ['Ota, Kenji, Rev.', undefined],
  ])('“%s” is a name, and %s', (text, attribution) =>
    expect(parts(text)).toEqual({ family: 'Ota', given: 'Kenji', ...(attribution ? { attribution } : {}) }),
  );
});

it('reads any text as a name, fast, and keeps its words', () => {
  const piece = fc.oneof(
    fc.constantFrom('Ōta', ',', ' ', 'van', 'Jr.', '1920-', '(', ')', '会', '・', 'y', 'Church', '&'),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const { literal, ...rest } = parseName(pieces.join(' '));
      for (const part of [rest.family, rest.given, rest.particle, rest.suffix])
        if (part !== undefined) for (const word of part.split(/[\s,・]+/)) expect(literal).toContain(word);
    }),
  );
  for (const text of [
    ' '.repeat(1e6),
    'a '.repeat(1e5),
    ','.repeat(1e6),
    '('.repeat(1e5),
    '1920-'.repeat(1e5),
    'a: '.repeat(60),
    ' and A'.repeat(1e5),
    '; '.repeat(2_000),
    'unknown '.repeat(24),
    `${'a'.repeat(199)}`,
  ]) {
    const start = process.cpuUsage();
    parseName(text);
    splitNames(text);
    isUnnamed(text);
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(200);
  }
});

it('knows what roles mean, also by synonyms', () => {
  expect(['photographer', 'Photographer.', '撮影者', 'fotógrafa'].map((role) => findRole(role)?.name)).toEqual(
    Array(4).fill('photographer'),
  );
  expect(roleOf('author and illustrator').citation).toBe('author');
  expect(roleOf('Videographer').citation).toBe('contributor');
  expect(roleOf('recipient')).toMatchObject({ citation: 'recipient', dublinCore: undefined });
  expect(roleOf(undefined).citation).toBe('author');
  expect(roleOf('keeper of the nets')).toMatchObject({ name: 'keeper of the nets', citation: 'contributor' });
  expect(
    ['pht', 'Interviewed by', 'recipient of letter', 'http://id.loc.gov/vocabulary/relators/pht'].map(
      (role) => findRole(role)?.name,
    ),
  ).toEqual(['photographer', 'interviewer', 'recipient', 'photographer']);
  expect(findRole('constructor')).toBeUndefined();
});

it.each([
  'Mao Zedong',
  'Kim Jong-un',
  'Nguyễn Văn Thiệu',
  'Guðrún Helgadóttir',
  'Þórður Jónsson',
  'สมชาย ใจดี',
  'ابن خلدون',
  'عبد الله سالم',
])('does not turn %s round, which is filed in its own order', (name) =>
  expect(parseName(name)).toEqual({ kind: 'person', literal: name }),
);

it.each([
  ['Erik Jonsson', 'Jonsson'],
  ['Kim Novak', 'Novak'],
  ['Mai Lund', 'Lund'],
  ['محمود درويش', 'درويش'],
])('files %s by the surname', (name, family) => expect(parseName(name).family).toBe(family));
