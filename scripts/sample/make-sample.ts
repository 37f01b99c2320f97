/** `npm run sample`: creates content/sample, the embedded invented archive with every peculiarity of the API. Requires ffmpeg. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { slugOf } from '../../src/model/text/slug.ts';
import { drawScene, toJpeg } from './drawings.ts';
import { createGuide } from './guide.ts';
import { writeSampleSnapshot } from './load-sample.ts';
import { createPdf } from './pdf.ts';
import { computeChecksums, createRecordings, type Recording } from './recordings.ts';
import {
  COLLECTIONS,
  commonFields,
  createCollection,
  createDocument,
  createInterview,
  createOrganization,
  createPhotograph,
  createRepository,
  createSegment,
  type Images,
  type Json,
  MISSING_COLLECTION,
} from './records.ts';
import {
  CATALOG,
  captions,
  GUIDE,
  letterTitle,
  NOTE,
  ORGANIZATIONS,
  person,
  QUESTIONS,
  sceneTitle,
  transcript,
} from './vocabulary.ts';

const out = join(import.meta.dirname, '../../content/sample');
const records = new Map<string, Json>();

/** Host of some thumbnails, which cannot be reached from outside. */
const UNREACHABLE_STORE = 'http://store.lantern-islands.internal:8080';

/** Sizes of the first photographs in pixels: one for the zoom viewer, and one that is large enough for tiles. */
const LARGE_PHOTOGRAPH_SIZES = [
  [2400, 1650],
  [4400, 3025],
];

const TEXT_TYPES = { txt: 'text/plain', vtt: 'text/vtt', html: 'text/html', pdf: 'application/pdf' } as const;
type TextForm = keyof typeof TEXT_TYPES;

rmSync(out, { recursive: true, force: true });
writeSampleFile('archive.json', {
  name: 'Lantern Islands Community Archive',
  note: NOTE,
  authors_url: GUIDE,
  catalog_url: CATALOG,
  made_at: '2026-01-06T09:00:00.000Z',
});

add(createRepository());
for (const n of ORGANIZATIONS.keys()) add(createOrganization(n));
COLLECTIONS.forEach(({ id }, n) => {
  if (id !== MISSING_COLLECTION) add(createCollection(n));
});

await addPhotographs();
await addDocuments();
await addInterviews('lica-ferry-1', 12, 4);
await addInterviews('lica-ferry-1000', 8, 1.5);
applyOddities();
for (const [id, payload] of records) writeSampleFile(`objects/${id}.json`, payload);

const { authors, articles, sources } = createGuide(records);
writeSampleFile(
  'authors.json',
  authors.map(({ entry }) => entry),
);
for (const { entry, detail } of authors) writeSampleFile(`authors/${slugOf(String(entry['id']))}.json`, detail);
for (const article of articles) writeSampleFile(`articles/${slugOf(String(article['title']))}.json`, article);
for (const source of sources) writeSampleFile(`sources/${source['id']}.json`, source);
writeSampleSnapshot(out);
console.log(
  `${records.size} records, ${authors.length} authors, ${articles.length} articles, ${sources.length} sources in ${out}`,
);

async function addPhotographs(): Promise<void> {
  for (let n = 1; n <= 40; n++) {
    const id = `lica-quay-1-${n}`;
    if (n === 40) {
      add(createPhotograph(id, n, undefined, null)); // a photograph without an image
      continue;
    }
    const bytes =
      n === 39
        ? Buffer.from('ÿØÿà this only claims to be a photograph')
        : await toJpeg(
            n <= LARGE_PHOTOGRAPH_SIZES.length
              ? drawScene('harbour', n, ...(LARGE_PHOTOGRAPH_SIZES[n - 1] as [number, number]))
              : drawScene('harbour', n, n % 5 ? 640 : 420, n % 5 ? 440 : 600),
            {
              metadata: n === 3 || n === 4,
            },
          );
    if (n > 30) {
      const images = await writeImage('lica-quay-1', `${id}-scan`, bytes, n);
      add(createPhotograph(id, n, images, ''));
      continue;
    }
    const { file } = await addImageFile(id, 'mezzanine', 1, bytes, sceneTitle(n), n);
    add(createPhotograph(id, n, imagesOfFile(file), String(file['id'])));
  }
}

async function addDocuments(): Promise<void> {
  for (const [cid, count] of [
    ['lica-quay-2', 26],
    [MISSING_COLLECTION, 4],
    ['lica-ferry-2', 30],
  ] as const) {
    for (let n = 1; n <= count; n++) {
      const id = `${cid}-${n}`;
      const pages = cid === 'lica-quay-2' && n === 1 ? 3 : 0;
      let first: Json | undefined;
      for (let page = 1; page <= pages; page++) {
        const bytes = await toJpeg(drawScene('letter', page, 420, 560));
        const { file } = await addImageFile(id, 'mezzanine', page, bytes, `Page ${page} of ${letterTitle(n)}`, page);
        first ??= file;
      }
      const images = first
        ? imagesOfFile(first)
        : n % 4 === 1
          ? await writeImage(cid, `${id}-scan`, await toJpeg(drawScene('letter', n + 50, 420, 560)), n)
          : undefined;
      add(createDocument(id, n, images, first ? String(first['id']) : null));
    }
  }
}

async function addInterviews(cid: string, count: number, segmentsEach: number): Promise<void> {
  let transcripts = cid === 'lica-ferry-1' ? 3 : 0;
  for (let n = 1; n <= count; n++) {
    const id = `${cid}-${n}`;
    // One narrator has two interviews, with the same number.
    const again = cid === 'lica-ferry-1000' && n === 8;
    const narrator = again ? person(27) : person(n * 9 + (cid === 'lica-ferry-1' ? 0 : 4));
    const still = await toJpeg(drawScene('portrait', n + (cid === 'lica-ferry-1' ? 0 : 30), 480, 360));
    const images = await writeImage(cid, `${id}-still`, still, n);
    const parent = createInterview(id, n, narrator, images, again ? 303 : cid === 'lica-ferry-1' ? 300 + n : 400 + n);
    add(parent);
    const segments = Math.round(segmentsEach * n) - Math.round(segmentsEach * (n - 1));
    for (let s = 1; s <= segments; s++) {
      const sid = `${id}-${s}`;
      // The fourth segment has no recording: the field is null or missing.
      const metadata =
        s === 4 ? (n % 2 ? null : undefined) : await createIaMeta(cid, sid, still, 200 + ((n * 31 + s * 57) % 500), s, n);
      add(createSegment(sid, s, narrator, parent, metadata));
      if (transcripts > 0 && s === 1) {
        transcripts--;
        // The first as plain text, the second as HTML, the third as PDF.
        const form = (['txt', 'html', 'pdf'] as const)[n - 1] ?? 'txt';
        addTextFile(
          sid,
          'transcript',
          `Transcript of segment ${s}`,
          transcript(narrator, QUESTIONS[s % QUESTIONS.length] as string),
          form,
        );
      }
      if (cid === 'lica-ferry-1' && n === 1 && s < 3)
        addTextFile(sid, 'transcript', `Captions of segment ${s}`, captions(narrator, s % 2 === 0), 'vtt');
    }
    if (n === 1 && cid === 'lica-ferry-1') {
      addTextFile(
        id,
        'transcript',
        'Glossary',
        'net loft: the upper floor where nets are mended\nsound: the water between two islands\n', // prose-ok: nets, not files
      );
    }
  }
}

async function createIaMeta(cid: string, sid: string, still: Buffer, pitch: number, s: number, n: number): Promise<Json> {
  const isAudio = cid === 'lica-ferry-1' && n === 4;
  const formats: Recording['format'][] = isAudio ? ['mp3'] : s === 1 ? ['mpg', 'mp4', 'mp3', 'ogv'] : ['mpg', 'mp4', 'mp3'];
  const original = isAudio ? 'mp3' : 'mpg';
  const files: Json = {};
  for (const { format, bytes } of createRecordings(still, pitch, formats)) {
    const name = format === 'mp3' && s === 2 && n === 2 ? 'CON' : `${sid}.${format}`;
    const path = `media/${cid}/${sid}.${format}`;
    writeSampleFile(path, bytes);
    const { md5, crc32, sha1 } = computeChecksums(bytes);
    files[format] = {
      name,
      source: format === original ? 'original' : 'derivative',
      format,
      ...(format === original ? {} : { original: `${sid}.${original}` }),
      mtime: String(1_400_000_000 + n * 86_400),
      size: String(bytes.length),
      md5,
      crc32,
      sha1,
      length: format === 'mp3' ? '00:02' : '2.00',
      height: format === 'mp3' ? '0' : '72',
      width: format === 'mp3' ? '0' : '96',
      mimetype: { mpg: 'video/mpeg', mp4: 'video/mp4', mp3: 'audio/mpeg', ogv: 'video/ogg' }[format],
      url: `${CATALOG}/${path}`,
      ...(format === 'mp3' ? { bitrate: '16' } : {}),
    };
  }
  return {
    id: sid,
    original: `${sid}.${original}`,
    mimetype: isAudio ? 'audio/mpeg' : 'video/mpeg',
    ...(sid === 'lica-ferry-1-3-2' ? { stream_only: true, ia_external_id: 'elsewhere-item-77' } : {}),
    files,
  };
}

/** Adds a file record of an image (docs/upstream-api.md, "File records"), whose ID contains the beginning of its SHA-1. */
async function addImageFile(
  parent: string,
  role: string,
  sort: number,
  bytes: Buffer,
  label: string,
  n: number,
): Promise<{ file: Json }> {
  const digests = computeChecksums(bytes);
  const id = `${parent}-${role}-${digests.sha1.slice(0, 10)}`;
  const cid = parent.split('-').slice(0, 3).join('-');
  const images = await writeImage(cid, id, bytes, n);
  const file = {
    ...commonFields(id, sort, { ...images, download: images.img } as never),
    role,
    label: n % 3 ? label : `${label} <b>&amp;</b> tide`,
    title: label,
    sort: n === 5 ? String(sort) : sort,
    sha1: digests.sha1,
    sha256: digests.sha256,
    md5: digests.md5,
    size: n % 2 ? bytes.length : String(bytes.length),
    basename_orig:
      n === 6 ? '../../../etc/passwd' : n === 7 ? 'CON' : n === 8 ? `${'very-long-name-'.repeat(27)}.jpg` : `scan ${n}.tif`,
    access_rel: `files/${id}/${id}-a.jpg`,
    mimetype: 'image/jpeg',
    external_urls: n === 9 ? [{ label: 'A larger scan', url: 'https://elsewhere.example/scan?id=9&size=large' }] : [],
    xmp: n === 2 ? '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf>tide</rdf></x:xmpmeta>' : '',
    tech_notes: n === 2 ? 'Scanned twice; the first scan had a gull on it.' : null,
    digitize_person: person(n + 3),
    rights: 'cc',
    download_large: `${id}-a.jpg`,
    download_fullsize: `${id}.jpg`,
  };
  add(file);
  return { file };
}

function addTextFile(parent: string, role: string, title: string, content: string, form: TextForm = 'txt'): void {
  const bytes = form === 'pdf' ? createPdf(content) : Buffer.from(form === 'html' ? toHtml(title, content) : content, 'utf8');
  const digests = computeChecksums(bytes);
  const id = `${parent}-${role}-${digests.sha1.slice(0, 10)}`;
  const cid = parent.split('-').slice(0, 3).join('-');
  const path = `media/${cid}/${id}.${form}`;
  writeSampleFile(path, bytes);
  const base = commonFields(id, 1);
  add({
    ...base,
    links: { ...(base['links'] as Json), download: `${CATALOG}/${path}` },
    role,
    title,
    label: title,
    sha1: digests.sha1,
    sha256: digests.sha256,
    md5: digests.md5,
    size: bytes.length,
    basename_orig: `${title}.${form}`,
    mimetype: TEXT_TYPES[form],
    rights: 'cc',
  });
}

/** Returns a transcript as HTML, with a script that no site may run. */
function toHtml(title: string, content: string): string {
  const turns = content.split('\n').filter((line) => line !== '');
  return `<!doctype html>
<title>${title}</title>
<h1>${title}</h1>
<script>document.title = "owned"</script>
${turns.map((line) => `<p>${line.replace(/^([^:]+):/, '<b>$1:</b>')}</p>`).join('\n')}
`;
}

/** Writes an image and its thumbnail, and returns their URLs. */
async function writeImage(cid: string, name: string, bytes: Buffer, n: number): Promise<Images> {
  writeSampleFile(`media/${cid}/${name}-a.jpg`, bytes);
  const img = `${CATALOG}/media/${cid}/${name}-a.jpg`;
  if (n % 3 === 0) return { img, thumb: `${UNREACHABLE_STORE}/thumbs/${name}-a.jpg.60x60.jpg` };
  return { img, thumb: img }; // the real service scales images when it sends them
}

function imagesOfFile(file: Json): Images {
  const { img, thumb } = file['links'] as Images;
  return { img, thumb };
}

/** Adds peculiarities that occur in single records. */
function applyOddities(): void {
  changeRecord('lica-quay-1-1', { search_hidden: 'quillmarrow sternlight' }); // words that occur nowhere else
  changeRecord('lica-quay-1-2', {
    title: 'The <i>Constance</i> &amp; her crew',
    description:
      'Seen by <a href="https://catalog.lantern-islands.example/lica-quay-1-9/">another eye</a>, with <b>tide</b> &lt;low&gt;.',
  });
  changeRecord('lica-quay-1-10', {
    title: '<script>document.title="owned"</script>Fog <img src=x onerror=alert(1)>bell',
    description:
      '</p></title><svg onload=alert(2)><a href="javascript:alert(3)">click</a><iframe src="//evil.example"></iframe><style>body{display:none}</style><form action="https://evil.example"><input name=a></form>A calm description in the end.',
  });
  changeRecord('lica-quay-1-11', {
    title: '“Smoked eel” — Île aux Phoques / 山の灯',
    description: '山の灯りが港を照らす。 The lights of the hill over the harbour.',
    language: ['jpn', 'eng'],
  });
  changeRecord('lica-quay-1-12', {
    public: '0',
    title: 'Not for the public: the harbourmaster’s purse',
    search_hidden: 'pursestrings',
  });
  changeRecord('lica-quay-1-13', { status: 'inprocess' });
  changeRecord('lica-quay-1-14', { download_large: '../../../../etc/passwd', sort: '14', creators: [] });
  changeRecord('lica-quay-1-15', {
    unheard_of: { a: ['surprise', 3] },
    persons: 'Somebody Alone', // prose-ok: text of the sample
    topics: 'A topic without an id',
  });
  changeRecord('lica-quay-1-16', { title: '', description: null, creation: null });
  changeRecord('lica-quay-2-2', { title: `A very long title ${'of the tide and the tide again '.repeat(14)}`.trim() });
  const administrative = records.get('lica-quay-2-3') as Json;
  const id = 'lica-quay-2-3-administrative-00c0ffee00';
  add({
    ...commonFields(id, 1),
    role: 'administrative',
    title: 'Deed of gift with addresses',
    label: 'Deed of gift',
    public: '0',
    sha1: `00c0ffee00${'a'.repeat(30)}`,
    mimetype: 'application/pdf',
    size: '20480',
    basename_orig: 'deed.pdf',
    rights: 'nocc',
    digitize_person: administrative['digitize_person'],
  });
}

function changeRecord(id: string, values: Json): void {
  Object.assign(records.get(id) as Json, values);
}

function add(payload: Json): void {
  records.set(String(payload['id']), payload);
}

function writeSampleFile(path: string, content: unknown): void {
  const file = join(out, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, Buffer.isBuffer(content) ? content : `${JSON.stringify(content, null, 1)}\n`);
}
