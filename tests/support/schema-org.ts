/** The part of schema.org that pages use: types, properties and expected values, as https://schema.org/<name> documents them. */

/** What a property of schema.org may have as its value: a type, or a kind of text. */
type Expected = string;

/** Each type: the types above it, and its own properties. */
const TYPES: Readonly<Record<string, { above: string[]; properties: Record<string, Expected[]> }>> = {
  Thing: {
    above: [],
    properties: {
      description: ['Text'],
      identifier: ['Text'],
      mainEntityOfPage: ['URL', 'CreativeWork'],
      name: ['Text'],
      url: ['URL'],
    },
  },
  CreativeWork: {
    above: ['Thing'],
    properties: {
      about: ['Thing'],
      author: ['Organization', 'Person'],
      contentLocation: ['Place'],
      contributor: ['Organization', 'Person'],
      copyrightHolder: ['Organization', 'Person'],
      creator: ['Organization', 'Person'],
      creditText: ['Text'],
      dateCreated: ['Date', 'DateTime'],
      dateModified: ['Date', 'DateTime'],
      editor: ['Person'],
      encodingFormat: ['Text', 'URL'],
      headline: ['Text'],
      inLanguage: ['Language tag'],
      isBasedOn: ['CreativeWork', 'URL'],
      isPartOf: ['CreativeWork', 'URL'],
      license: ['CreativeWork', 'URL'],
      mentions: ['Thing'],
      provider: ['Organization', 'Person'],
      publisher: ['Organization', 'Person'],
      sponsor: ['Organization', 'Person'],
      temporalCoverage: ['Interval', 'DateTime'],
      translator: ['Organization', 'Person'],
      usageInfo: ['CreativeWork', 'URL'],
    },
  },
  ArchiveComponent: { above: ['CreativeWork'], properties: { holdingArchive: ['ArchiveOrganization'] } },
  Article: { above: ['CreativeWork'], properties: {} },
  Collection: { above: ['CreativeWork'], properties: {} },
  Dataset: { above: ['CreativeWork'], properties: { distribution: ['DataDownload'] } },
  DigitalDocument: { above: ['CreativeWork'], properties: {} },
  Photograph: { above: ['CreativeWork'], properties: {} },
  MediaObject: {
    above: ['CreativeWork'],
    properties: { contentUrl: ['URL'], duration: ['Duration'], sha256: ['Text'] },
  },
  DataDownload: { above: ['MediaObject'], properties: { contentUrl: ['URL', 'Path'] } },
  AudioObject: { above: ['MediaObject'], properties: {} },
  ImageObject: { above: ['MediaObject'], properties: {} },
  VideoObject: { above: ['MediaObject'], properties: {} },
  Organization: { above: ['Thing'], properties: { parentOrganization: ['Organization'] } },
  Place: { above: ['Thing'], properties: { geo: ['GeoCoordinates'] } },
  LocalBusiness: { above: ['Organization', 'Place'], properties: {} },
  ArchiveOrganization: { above: ['LocalBusiness'], properties: {} },
  Person: { above: ['Thing'], properties: { familyName: ['Text'], givenName: ['Text'], honorificSuffix: ['Text'] } },
  GeoCoordinates: { above: ['Thing'], properties: { latitude: ['Number'], longitude: ['Number'] } },
  DefinedTerm: { above: ['Thing'], properties: {} },
};

const DAY = String.raw`\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?`;
const FORMATS: Readonly<Record<string, RegExp>> = {
  Text: /\S/,
  URL: /^https?:\/\/\S+$/,
  Path: /^(?:\.\.\/)*data\/[\w.]+$/,
  Date: new RegExp(`^${DAY}$`),
  DateTime: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)?$/,
  Interval: new RegExp(String.raw`^(?:${DAY}|\.\.)(?:/(?:${DAY}|\.\.))?$`),
  Duration: /^P(?:\d+D)?(?:T(?:\d+H)?(?:\d+M)?(?:\d+S)?)?$/,
  'Language tag': /^[a-z]{2,3}(?:-[A-Za-z\d]{2,8})*$/,
};

function typesAbove(type: string): string[] {
  const known = TYPES[type];
  return known ? [type, ...known.above.flatMap(typesAbove)] : [type];
}

/** Returns what schema.org lacks in a JSON-LD object: unknown types, properties of other types, wrong kinds of values. */
export function findSchemaErrors(node: Record<string, unknown>, path = ''): string[] {
  const declared = [node['@type']].flat().map(String);
  const types = new Set(declared.flatMap(typesAbove));
  const unknown = declared.filter((type) => !TYPES[type]).map((type) => `${path}: unknown type ${type}`);
  const id = node['@id'];
  const badId = id === undefined || /^https?:\/\/\S+$/.test(String(id)) ? [] : [`${path}: @id ${String(id)} is not a URL`];
  const errors = Object.entries(node)
    .filter(([name]) => !name.startsWith('@'))
    .flatMap(([name, value]) => {
      const at = `${path}/${name}`;
      const expected = [...types].flatMap((type) => TYPES[type]?.properties[name] ?? []);
      if (expected.length === 0) return [`${at}: not a property of ${declared.join(', ')}`];
      return [value].flat().flatMap((one) => findValueErrors(one, expected, at));
    });
  return [...unknown, ...badId, ...errors];
}

function findValueErrors(value: unknown, expected: Expected[], at: string): string[] {
  const fault = [`${at}: ${JSON.stringify(value)} is not ${expected.join(' or ')}`];
  if (typeof value === 'number') return expected.includes('Number') ? [] : fault;
  if (typeof value === 'string') return expected.some((kind) => FORMATS[kind]?.test(value)) ? [] : fault;
  if (typeof value !== 'object' || value === null) return fault;
  const own = [(value as Record<string, unknown>)['@type']].flat().flatMap((type) => typesAbove(String(type)));
  return own.some((type) => expected.includes(type)) ? findSchemaErrors(value as Record<string, unknown>, at) : fault;
}
