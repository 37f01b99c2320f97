/** Creates the guide of the sample archive: authors (docs/upstream-api.md, "Author entries"), their guide pages, and sources that name records. */
import type { Json } from './records.ts';
import { CATALOG, detail, GUIDE, NOTE, ODD_AUTHORS, person, sceneTitle, TOPICS, UNPUBLISHED_AUTHOR } from './vocabulary.ts';

const ARTICLES = [
  'Fog Bells',
  'The Ferry Constance',
  'Lantern Festival',
  'Flood of 1947',
  'Net Lofts',
  'Cannery Whistle / Night Shift',
  'Who’s Who on the Quay?',
  'Île aux Phoques',
  'Packing Line Songs',
  'Winter Ice',
  'Tern Hill School',
  '100% Wool',
  'Letters Home',
  'Petitions for a Second Ferry',
  'Harbour Log',
  'Eel Smoking',
  'Sea Walls',
  'Ropewalk Lane',
  'The Sandpiper',
  'Ledgers Gone Astray',
];

/** Returns the guide. `records` are the archival records that it names. */
export function createGuide(records: Map<string, Json>) {
  const names = createAuthorNames();
  const entities = [...records.keys()].filter((id) => /^lica-\w+-\d+-\d+$/.test(id));
  const sources: Json[] = [];
  const articles = ARTICLES.map((title, n): Json => {
    const own =
      n === ARTICLES.length - 1
        ? entities.filter((id) => id.startsWith('lica-quay-3-'))
        : [entities[(n * 5) % entities.length] as string, entities[(n * 11 + 3) % entities.length] as string];
    const ownSources = own.map((id, k) => createSource(`ls-${n + 1}-${k + 1}`, id, n));
    sources.push(...ownSources);
    return createArticle(title, n, names, ownSources, entities);
  });
  const authors = names.map((name, n) => {
    const written = articles.filter((page) => (page['authors'] as Json[]).some((author) => author['title'] === name));
    return { entry: createAuthorEntry(name, n), detail: createAuthorDetail(name, n, written) };
  });
  return { authors, articles, sources };
}

/** Returns 60 names, sorted by their sort keys. Some keys are equal, as upstream's are. */
function createAuthorNames(): string[] {
  const plain = Array.from({ length: 60 - ODD_AUTHORS.length - 1 }, (_, n) => person(n + 60));
  const names = [...ODD_AUTHORS, UNPUBLISHED_AUTHOR, ...plain];
  if (new Set(names).size !== 60) throw new Error('author names must be distinct');
  return names.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : sortKey(a) > sortKey(b) ? 1 : 0));
}

/** Returns surname, given names and initials in lower case, without separators (docs/upstream-api.md, "Author entries"). */
function sortKey(name: string): string {
  const words = name.split(' ');
  return [...words.slice(-1), ...words.slice(0, -1)]
    .join('')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

function createLinks(kind: 'authors' | 'articles' | 'sources', name: string): Json {
  const encoded = encodeURIComponent(name);
  return {
    html: kind === 'articles' ? `${GUIDE}/${encoded}/` : `${GUIDE}/${kind}/${encoded}/`,
    json: `${GUIDE}/api/3.0/${kind}/${encoded}/`,
  };
}

function modifiedDate(n: number): string {
  return new Date(Date.UTC(2019, n % 12, 1 + (n % 27), 8, n % 60, 11)).toISOString().slice(0, 19);
}

function createAuthorEntry(name: string, n: number): Json {
  return {
    id: name,
    model: 'article',
    index: '',
    links: createLinks('authors', name),
    url_title: name,
    title: name,
    title_sort: sortKey(name),
    published: name !== UNPUBLISHED_AUTHOR,
    modified: modifiedDate(n),
  };
}

function createAuthorDetail(name: string, n: number, written: Json[]): Json {
  const articles = written.map((page) => ({ title: page['title'], ...createLinks('articles', String(page['title'])) }));
  const body =
    n % 9 === 4
      ? ''
      : `<p>${name.replaceAll('&', '&amp;')} writes about the islands${n % 2 ? ' and keeps bees' : ''}. ${detail(n)}</p>${n === 12 ? '<script>alert("author")</script><p onclick="alert(1)">Still here.</p>' : ''}`;
  return {
    id: name,
    doctype: 'authors',
    links: createLinks('authors', name),
    title: name,
    title_sort: sortKey(name),
    modified: modifiedDate(n),
    body,
    ...(n % 7 === 3 && articles.length === 0 ? {} : { articles }),
  };
}

function createArticle(title: string, n: number, names: string[], sources: Json[], entities: string[]): Json {
  const writers = [
    names[(n * 3) % names.length],
    names[(n * 3 + 1) % names.length],
    ...(n % 5 === 0 ? [UNPUBLISHED_AUTHOR] : []),
  ];
  const linked = entities[(n * 17 + 7) % entities.length] as string;
  // The spellings of a record's URL.
  const url = [
    `${CATALOG}/${linked}/`,
    `${CATALOG.replace('https', 'http')}/${linked}`,
    `${CATALOG}/api/0.2/${linked}/?format=api`,
    `${CATALOG}/${linked}/?from=guide#top`,
  ][n % 4];
  return {
    id: title,
    doctype: 'articles',
    links: createLinks('articles', title),
    title,
    title_sort: title.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''),
    description: `What the islands remember about ${title}. ${detail(n)}`,
    body: `<h2>${title.replaceAll('&', '&amp;')}</h2><p>${detail(n + 2)} There is <a href="${url}">a picture of it</a>, and <a href="${GUIDE}/${encodeURIComponent(ARTICLES[(n + 1) % ARTICLES.length] as string)}/">a page on what came after</a>.</p><p>${NOTE}</p>${n === 3 ? '<script src="https://evil.example/x.js"></script><p style="position:fixed">Water reached the second step.</p><img src="https://evil.example/pixel.gif">' : ''}`,
    categories: [{ title: n % 2 ? 'Places' : 'Events' }],
    topics: [TOPICS[n % TOPICS.length]?.term],
    authors: writers.map((name) => ({ title: name, ...createLinks('authors', String(name)) })),
    sources: sources.map((item) => ({ id: item['id'], ...createLinks('sources', String(item['id'])) })),
    databoxes: {},
    coordinates: n % 4 ? {} : { lat: 44.31, lng: -63.02 },
    modified: modifiedDate(n + 7),
    rg_rgmediatype: ['short essay'],
  };
}

function createSource(id: string, objectId: string, n: number): Json {
  return {
    id,
    links: createLinks('sources', id),
    caption: `${sceneTitle(n)}. ${detail(n)}`,
    courtesy: 'Courtesy of the Lantern Islands Community Archive (imaginary)',
    media_format: 'image',
    ...(n % 2 ? { object_id: objectId } : { external_url: `${CATALOG}/${objectId}/` }),
  };
}
