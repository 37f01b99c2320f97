/** Fills the test upstream with an archive that has each hostile value in each field of each kind, in file names and files. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { SAMPLE } from './commands.ts';
import { createPdf } from './pdf.ts';
import { respond, respondWith, type TestUpstream } from './test-upstream.ts';
import { type HostileValue, MAX_NAME_LENGTH, searchWordOf } from './values.ts';

type Fields = Record<string, unknown>;

const TEXTS =
  `title description creation location genre format extent contributor alternate_id digitize_person digitize_organization digitize_date
  credit rights rights_statement status public sort template label role record_created record_lastmod collection_id organization_id
  signature_id parent search_hidden unitdateinclusive unitdatebulk physloc acqinfo custodhist accruals processinfo accessrestrict
  userrestrict prefercite bioghist scopecontent relatedmaterial separatedmaterial notes basename_orig access_rel mimetype size tech_notes
  xmp download_large download_fullsize caption courtesy index`.split(/\s+/);

/** Values per PDF. Each PDF needs a run of an external program. */
const VALUES_PER_PDF = 25;
const MODELS = ['repository', 'organization', 'collection', 'entity', 'segment'] as const;

/** Returns the IDs of the records that contain value number `n`. */
export const recordIdsOf = (n: number) => {
  const repository = `r${n}`;
  const [organization, collection] = [`${repository}-o`, `${repository}-o-1`];
  return { repository, organization, collection, entity: `${collection}-1`, segment: `${collection}-1-1` };
};

/** Returns a value as the name of an author or guide page. */
export const nameFromValue = ({ text }: HostileValue, n: number) =>
  `${text.slice(0, MAX_NAME_LENGTH).toWellFormed()} ${searchWordOf(n)}`;

/** Adds the archive to a test upstream. Returns the IDs of the seeds. */
export function fillWithHostileValues(upstream: TestUpstream, values: readonly HostileValue[]): string[] {
  const media = addMedia(upstream, values);
  for (const [n, value] of values.entries()) {
    addRecords(upstream, value, n, media);
    addGuide(upstream, value, n);
  }
  addFailures(upstream, values);
  const robots = values.map(({ text }) => `# ${text}\nDisallow: /nowhere/${text}\n${text}: ${text}`).join('\n');
  upstream.routes.set(
    '/robots.txt',
    respondWith(200, { 'content-type': 'text/html' }, `User-agent: *\n${robots}\nDisallow: /forbidden/\n`),
  );
  const authors = values.map((value, n) => ({
    ...everyField(value.text, n),
    id: nameFromValue(value, n),
    title: nameFromValue(value, n),
    title_sort: value.text,
    links: { html: value.text, json: `${upstream.url}/api/3.0/authors/${encodeURIComponent(nameFromValue(value, n))}/` },
  }));
  upstream.routes.set('/api/3.0/authors/', {
    total: authors.length,
    next_offset: null,
    next_api: '',
    objects: authors,
    query: { sort: values },
  });
  return [...values.map((_, n) => recordIdsOf(n).repository), 'failing-o-1'];
}

/** Returns all fields that a record may have, with one value in each: as text, in lists, as keys and in elements of lists. */
function everyField(text: string, n: number): Fields {
  const named = `${text} ${searchWordOf(n)}`;
  const place = { id: `"${text}"`, term: named, geo_lat: (n % 160) - 80 + 0.5, geo_lng: String(((n * 7) % 340) - 170) };
  const { collection, entity } = recordIdsOf(n);
  const crumb = { model: text, idpart: text, label: named, api_url: text, url: text };
  return {
    ...Object.fromEntries(TEXTS.map((name) => [name, named])),
    ['__proto__']: { [text]: text },
    constructor: { prototype: { [text]: text } },
    [text]: text,
    unknown: [text, { [text]: text }, [[text]]],
    modified: text,
    language: [text, 'eng', text.slice(0, 3)],
    creators: [
      { namepart: named, role: text, oh_id: n },
      { namepart: named, role: 'narrator', [text]: text },
      { namepart: 'interviewer', role: named },
      text,
    ],
    persons: [{ namepart: named, nr_id: text, oh_id: text }, text],
    topics: [{ id: text, term: named }, { id: String(n), term: `${text} -- ${named} -- ${text}` }, text],
    topics_id: [text],
    facility: [{ id: text, term: named }, text],
    facility_id: [text],
    chronology: [
      { startdate: text, enddate: text, term: named },
      { startdate: `19${(n % 90) + 10}-01-01 00:00:00.0`, term: text },
    ],
    geography: [place, text],
    external_urls: [
      { label: named, url: text },
      { label: 'x', url: `https://example.org/${text}` },
    ],
    breadcrumbs: [
      { ...crumb, id: collection, model: 'collection' },
      { ...crumb, id: entity, model: 'entity' },
      { ...crumb, id: text },
    ],
    _fields: [text],
    published: text,
  };
}

interface Media {
  image: (n: number) => string;
  videoUrl: (n: number) => string;
  texts: (n: number) => Array<{ url: string; bytes: Buffer; mimetype: string }>;
}

/** Creates files with the values in names and bytes. Files that need an external program share bytes between many values. */
function addMedia(upstream: TestUpstream, values: readonly HostileValue[]): Media {
  const all = values.map(({ text }) => text).join('\n');
  const sample = (path: string) => readFileSync(join(SAMPLE, 'media', path));
  // Polyglots: images, a video and a PDF for some programs, HTML and scripts for others.
  const jpeg = sample('lica-ferry-1/lica-ferry-1-1-still-a.jpg');
  const comment = (text: string) => {
    const bytes = Buffer.from(text).subarray(0, 60_000);
    return Buffer.concat([Buffer.from([0xff, 0xfe, (bytes.length + 2) >> 8, (bytes.length + 2) & 255]), bytes]);
  };
  const images = [
    Buffer.concat([jpeg.subarray(0, 2), comment(`*/=1;${values[0]?.text}\n<html>${all}`), jpeg.subarray(2), Buffer.from(all)]),
    Buffer.concat([jpeg, Buffer.from(`<!doctype html>${all}`)]),
    createGif('*/=1;alert(`hacked`);/*'),
  ];
  const video = Buffer.concat([sample('lica-ferry-1/lica-ferry-1-1-1.mp4'), freeBox(all)]);
  const addFile = (n: number, name: string, type: string, bytes: Buffer) => {
    const encoded = encodeURIComponent((values[n]?.text ?? '').slice(0, 150).toWellFormed());
    const url = `${upstream.url}/media/${encoded}/${searchWordOf(n)}-${encoded}${name}`;
    upstream.routes.set(new URL(url).pathname, respondWith(200, { 'content-type': type, etag: `"${n}${name}"` }, bytes));
    return { url, bytes, mimetype: type };
  };
  return {
    image: (n) => addFile(n, '.jpg.html', 'text/html', images[n % images.length] as Buffer).url,
    videoUrl: (n) => addFile(n, '.mp4.svg', 'image/svg+xml', video).url,
    texts: (n) => {
      const text = values[n]?.text ?? '';
      const first = n - (n % VALUES_PER_PDF);
      const group = values.slice(first, first + VALUES_PER_PDF).map((value) => value.text);
      const cues = `WEBVTT\n\nNOTE ${text}\n\nSTYLE\n::cue { background: ${text} }\n\n${text}\n00:00.000 --> 00:01.000 align:${text}\n<v ${text}>${text} ${searchWordOf(n)}\n\n00:01.000 --> 00:02.000\n<c.${text}>${text}</c>&lt;script&gt;\n`;
      return [
        addFile(n, '.txt', 'text/html', Buffer.from(`Plain. ${text}\n${searchWordOf(n)}\n`)),
        addFile(
          n,
          '.html',
          'text/html',
          Buffer.from(
            `<!doctype html><html><head>${text}</head><body title="${text}"><h1>${text}</h1><p>${text} ${searchWordOf(n)}</p></body></html>`,
          ),
        ),
        addFile(n, '.vtt', 'text/javascript', Buffer.from(cues)),
        addFile(n, '.pdf', 'application/pdf', createPdf(group.join('\n'))),
        addFile(
          n,
          '.svg',
          'image/svg+xml',
          Buffer.from(
            `<svg xmlns="http://www.w3.org/2000/svg" onload="hacked=1">${text}<script>console.log('hacked')</script></svg>`,
          ),
        ),
      ];
    },
  };
}

/** Returns a GIF of one pixel with a comment. */
function createGif(comment: string): Buffer {
  const head = Buffer.from('474946383961010001008000000000ff00ffff', 'hex');
  const image = Buffer.from('2c0000000001000100000202440100', 'hex');
  return Buffer.concat([head, Buffer.from([0x21, 0xfe, comment.length]), Buffer.from(`${comment}\0`), image, Buffer.from(';')]);
}

/** Returns an MP4 box that players skip. */
function freeBox(text: string): Buffer {
  const bytes = Buffer.from(text);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(bytes.length + 8);
  head.write('free', 4);
  return Buffer.concat([head, bytes]);
}

function addRecords(upstream: TestUpstream, { text }: HostileValue, n: number, media: Media): void {
  const ids = recordIdsOf(n);
  const at = (path: string) => `${upstream.url}/api/0.2/${path}/`;
  const chain = MODELS.map((model) => ids[model]);
  const [image, video] = [media.image(n), media.videoUrl(n)];
  const files = media.texts(n).map(({ url, bytes, mimetype }, i): Fields => {
    const sha1 = createHash('sha1').update(bytes).digest('hex');
    return {
      // Pages show the declared fields of a file. The first one has the value in all fields.
      ...(i === 0 ? everyField(text, n) : { title: text, label: text }),
      id: `${ids.segment}-transcript-${sha1.slice(0, 10)}`,
      model: 'file',
      role: 'transcript',
      mimetype,
      sha1,
      size: bytes.length,
      links: { html: text, json: text, download: url, [text]: text },
    };
  });
  for (const [i, model] of MODELS.entries()) {
    const id = ids[model];
    const lists: Fields =
      i < 3
        ? { children: at(`${id}/children`) }
        : { 'children-objects': at(`${id}/children`), 'children-files': at(`${id}/files`) };
    const own: Fields = {
      ...everyField(text, n),
      id,
      model,
      links: {
        html: text,
        json: text,
        parent: text,
        thumb: text,
        ...lists,
        [text]: text,
        img: i === 3 ? image : text,
        download: text,
      },
      // A record without a date appears in no feed. The last values are those that a feed could break on.
      ...(model === 'segment' ? { record_lastmod: new Date(Date.UTC(2000, 0, n + 1)).toISOString().slice(0, 19) } : {}),
      ...(model === 'segment' ? { ia_meta: recordings(text, video), format: 'vh' } : {}),
    };
    upstream.routes.set(`/api/0.2/${id}/`, own);
    const child = chain[i + 1];
    const entries =
      child === undefined ? [] : [{ ...everyField(text, n), id: child, model: MODELS[i + 1], links: { json: text, html: text } }];
    upstream.routes.set(`/api/0.2/${id}/children/`, listPage(entries, text));
    upstream.routes.set(
      `/api/0.2/${id}/files/`,
      listPage(
        model === 'segment' ? files.map(({ id: file }) => ({ id: file, title: text, role: text, links: { json: text } })) : [],
        text,
      ),
    );
  }
  for (const file of files) upstream.routes.set(`/api/0.2/${file['id']}/`, file);
}

const listPage = (objects: Fields[], text: string): Fields => ({
  total: objects.length,
  next_offset: null,
  next_api: '',
  prev_api: text,
  objects,
  query: { [text]: text },
  aggregations: text,
});

function recordings(text: string, video: string): Fields {
  const fields = {
    name: text,
    source: text,
    format: text,
    original: text,
    mtime: text,
    md5: text,
    crc32: text,
    sha1: text,
    length: text,
    height: text,
    width: text,
    bitrate: text,
  };
  return {
    id: text,
    original: text,
    mimetype: text,
    ia_external_id: text,
    files: {
      mp4: { ...fields, mimetype: 'video/mp4', url: video },
      [text]: { ...fields, mimetype: text, url: text },
      mp3: { ...fields, mimetype: 'audio/mpeg', url: text },
    },
  };
}

function addGuide(upstream: TestUpstream, value: HostileValue, n: number): void {
  const { text } = value;
  const name = nameFromValue(value, n);
  const json = (kind: string) => `${upstream.url}/api/3.0/${kind}/${encodeURIComponent(name)}/`;
  const { entity } = recordIdsOf(n);
  const body = `<h1>${text}</h1><p title="${text}">${text} <a href="${text}">${text}</a> <a href="/${entity}/">${text}</a></p>${text}`;
  const shared = {
    ...everyField(text, n),
    id: name,
    title: name,
    url_title: text,
    title_sort: text,
    body,
    links: { html: text, json: text },
  };
  const addResource = (kind: string, payload: Fields) => upstream.routes.set(new URL(json(kind)).pathname, payload);
  addResource('authors', {
    ...shared,
    doctype: text,
    articles: [
      { title: name, json: json('articles'), html: text },
      { title: text, json: text, html: text },
    ],
  });
  addResource('articles', {
    ...shared,
    categories: [{ title: text }, text],
    topics: [text],
    authors: [{ title: text, json: json('authors'), html: text }],
    sources: [{ id: name, json: json('sources'), html: text }],
    databoxes: { [text]: text },
    coordinates: text,
    rg_x: text,
  });
  addResource('sources', { ...shared, caption: text, caption_extended: text, courtesy: text, media: text, densho_id: entity });
}

/** Adds records that fail, each with the value in its reason. */
function addFailures(upstream: TestUpstream, values: readonly HostileValue[]): void {
  const entries = values.flatMap(({ text }, n) => [
    { id: `failing-o-1-${n + 1}`, title: text, model: 'entity' },
    { id: text, title: text },
  ]);
  for (const [n, { text }] of values.entries()) {
    const location = text.replace(/[^\x20-\x7e]/g, '');
    const responses = [
      respondWith(302, { location }),
      respondWith(400, { 'content-type': location, 'x-reason': location }, text),
      respondWith(200, { 'content-type': 'application/json' }, text),
      (_: unknown, response: ServerResponse) => void response.writeHead(410, location.slice(0, 200)).end(text),
    ];
    upstream.routes.set(`/api/0.2/failing-o-1-${n + 1}/`, responses[n % responses.length]);
  }
  upstream.routes.set('/api/0.2/failing-o-1/', {
    id: 'failing-o-1',
    model: 'collection',
    title: 'What fails',
    links: { children: `${upstream.url}/api/0.2/failing-o-1/children/` },
  });
  upstream.routes.set('/api/0.2/failing-o-1/children/', (request: IncomingMessage, response: ServerResponse) => {
    const offset = Number(new URL(request.url ?? '', 'http://x').searchParams.get('offset') ?? 0);
    const objects = entries.slice(offset, offset + 25);
    const next = offset + 25 < entries.length ? offset + 25 : null;
    respond({ total: entries.length, offset, num_this_page: objects.length, next_offset: next, objects }, request, response);
  });
}
