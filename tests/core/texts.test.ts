/** Texts of an archive as its pages and search index have them: encodings, languages, paragraphs and links. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildLines } from '../../scripts/commands/build.ts';
import type { BuildReport } from '../../src/build/steps/build-report.ts';
import { foldText } from '../../src/formats/search/searchable-text.ts';
import { encodeWord } from '../../src/formats/search/word-codes.ts';
import { toPlainText } from '../../src/model/text/text.ts';
import { createSharedDirectory, readFiles, runMicrofiche, runMicroficheJson, upstreamOptions } from '../support/commands.ts';
import { encodeText } from '../support/encode-text.ts';
import { readIndexedWords, readResults } from '../support/search-index.ts';
import { createRecord, respondWith, startTestUpstream, type TestUpstream } from '../support/test-upstream.ts';

const directory = createSharedDirectory();
const snapshot = join(directory.path, 'snapshot');
const ITEM = 'demo-org-1-1';
const JAPANESE = '聞き手：お生まれはどちらですか。\n話し手：港の村です。\n';
const WESTERN = 'Señora Peña said: “The café’s bell rang at noon.”\n';
const MISDECLARED = encodeText('渡し船は毎朝来ました。\n', 'SHIFT_JIS');
const NAMES = encodeText('岡田花子、田中太郎\n', 'EUC-JP');
const CYRILLIC = encodeText('Маяк у моря\n', 'KOI8-R');
const SUBRIP = '1\n00:00:02,000 --> 00:00:04,000\nThe captioned bell\n\n2\n00:00:05,000 --> 00:00:06,000\nrang again.\n';
const HTML = `<!DOCTYPE html><html><head><meta charset="Shift_JIS"><title>tapetitle</title><style>p{}</style><script>runscript()</script></head>
<body><!-- hiddencomment --><p>鐘が鳴る。 <a href="http://HOST/demo-org-1#top">the collection</a></p></body></html>`;

let upstream: TestUpstream;
let report: BuildReport;
let pages: Map<string, Buffer>;

/** A transcript: a part of its record, its bytes, and the media type that the server sends with it. */
type Transcript = [record: Record<string, unknown>, bytes: Buffer, contentType?: string];
/** The ID of a file record ends with the beginning of the file's SHA-1. */
const nameOf = (bytes: Buffer) => createHash('sha1').update(bytes).digest('hex').slice(0, 10);

function transcripts(host: string): Transcript[] {
  return [
    [{ mimetype: 'text/plain; charset=Shift_JIS', title: 'Declared' }, encodeText(JAPANESE, 'SHIFT_JIS')],
    [{ mimetype: 'text/plain', title: 'Undeclared' }, encodeText(WESTERN, 'CP1252')],
    [{ mimetype: 'text/plain', title: 'Wide' }, Buffer.from(`\ufeff${WESTERN}Wideword.`, 'utf16le')],
    [{ mimetype: 'text/plain; charset=ISO-8859-1', title: 'Declared wrongly' }, MISDECLARED],
    [{ mimetype: 'text/plain; charset=UTF-16LE', title: 'Without a mark' }, Buffer.from('灯台の話をします。', 'utf16le')],
    [{ mimetype: 'text/plain', title: 'Names alone' }, NAMES],
    [{ mimetype: 'text/plain', title: 'Declared by the server' }, CYRILLIC, 'text/plain; charset=KOI8-R'],
    [{ mimetype: 'text/plain', title: 'Captions' }, Buffer.from(SUBRIP)],
    [{ mimetype: 'text/html', title: 'Typed' }, encodeText(HTML.replace('HOST', host), 'SHIFT_JIS')],
  ];
}

function addArchive(): void {
  const { url, routes } = upstream;
  const host = new URL(url).host;
  const set = (id: string, more: Record<string, unknown>) => routes.set(`/api/0.2/${id}/`, createRecord(upstream, id, more));
  const list = (path: string, objects: unknown[]) =>
    routes.set(path, { total: objects.length, offset: 0, next_offset: null, objects });
  set('demo-org-1', {
    model: 'collection',
    language: ['JPN'],
    prefercite: '[Item], <i>Quay Papers</i>, Demo Archive.',
    links: { children: `${url}/api/0.2/demo-org-1/children/` },
  });
  const items = { [ITEM]: ['Japanese'], 'demo-org-1-2': ['xyz', 'und', 'zxx'], 'demo-org-1-3': ['eng'] };
  list(
    '/api/0.2/demo-org-1/children/',
    Object.keys(items).map((id) => ({ id, model: 'entity' })),
  );
  const titles: Record<string, string> = { 'demo-org-1-2': '山の灯', 'demo-org-1-3': 'Photograph album' };
  for (const [id, language] of Object.entries(items)) {
    set(id, {
      model: 'entity',
      language,
      title: titles[id] ?? 'Interview with a fisherman',
      description: `The first paragraph.\n\nThe second one, with <a href="https://${host}/demo-org-1/#top">a link</a>.`,
      scopecontent: '- Letters\n- Diaries',
      notes: 'Una descripción de la vida en el campo, con fotografías de la familia y de los vecinos.',
      credit: 'First line\nSecond line',
      location: `<a href="http://${host}/demo-org-1/">Pier shed</a> &amp; quay`,
      physloc: 'Shelf <b>4</b> <unknown>',
      house_note: [`See <a href="https://${host}/demo-org-1-2/">the lamp</a>`, 'a < b'],
      external_urls: [
        { label: 'The same collection', url: `https://${host}/demo-org-1/` },
        { label: 'Elsewhere', url: 'https://elsewhere.example/' },
      ],
      topics: [{ id: '1', term: 'Boats &amp; nets' }],
      ...(id === 'demo-org-1-3' && {
        prefercite: 'Album 3, Demo Archive.',
        links: { children: `${url}/api/0.2/${id}/children/` },
      }),
      ...(id === ITEM && { links: { 'children-files': `${url}/api/0.2/${id}/files/` } }),
    });
  }
  const segments = {
    'demo-org-1-3-1': {},
    'demo-org-1-3-2': { ia_meta: { files: { mp3: { name: 'a.mp3', mimetype: 'audio/mpeg', url: `${url}/a.mp3` } } } },
  };
  for (const [id, more] of Object.entries(segments))
    set(id, { model: 'segment', format: 'av', parent_id: 'demo-org-1-3', ...more });
  list(
    '/api/0.2/demo-org-1-3/children/',
    Object.keys(segments).map((id) => ({ id, model: 'segment' })),
  );
  const files = transcripts(host).map(([record, bytes, contentType = 'application/octet-stream']) => {
    const name = nameOf(bytes);
    const id = `${ITEM}-transcript-${name}`;
    const download = `/files/${name}`;
    routes.set(download, respondWith(200, { 'content-type': contentType }, bytes));
    set(id, { model: 'file', role: 'transcript', ...record, links: { download: `${url}${download}` } });
    return { id, model: 'file' };
  });
  list(`/api/0.2/${ITEM}/files/`, files);
}

beforeAll(async () => {
  upstream = await startTestUpstream({ shared: true });
  addArchive();
  await runMicroficheJson(['harvest', ...upstreamOptions(upstream.url), '--root', 'demo-org-1', '--snapshot', snapshot]);
  await runMicroficheJson(['media', '--snapshot', snapshot]);
  ({ report, pages } = await build());
});
afterAll(async () => {
  await upstream.close();
  directory.remove();
});

async function build(...options: string[]): Promise<{ report: BuildReport; pages: Map<string, Buffer> }> {
  const dist = join(directory.path, `dist-${options.join('').replace(/\W/g, '')}`);
  const result = await runMicroficheJson<BuildReport>(['build', '--snapshot', snapshot, '--out', dist, ...options]);
  return { report: result, pages: readFiles(dist) };
}
const page = (path: string, from = pages) => from.get(path)?.toString() ?? '';
const item = (from = pages) => page(`objects/${ITEM}.html`, from);

describe('encodings', () => {
  it('shows transcripts in the charset that the record, the markup or a byte order mark declares, or that is guessed', () => {
    expect(toPlainText(item())).toMatch(/話し手： ?港の村です。/);
    expect(item()).toContain('Señora Peña said: “The café’s bell rang at noon.”');
    expect(item()).toContain('Wideword.');
    expect(item()).toContain('鐘が鳴る。');
    expect(item()).toContain('灯台の話をします。');
    expect(item()).not.toContain('\ufffd');
  });

  it('shows transcripts whose charset is declared wrongly, and those that only the language of their record explains', () => {
    expect(item()).toContain('渡し船は毎朝来ました。');
    expect(item()).toContain('岡田花子、田中太郎');
  });

  it('shows a transcript in the charset that only the server declares', () => {
    expect(item()).toContain('Маяк у моря');
  });

  it('finds the same text by search', () => {
    const [results, words] = [JSON.stringify(readResults(pages)), readIndexedWords(pages)];
    for (const word of ['Wideword', '鐘が', '港の']) {
      expect(results).toContain(word);
      expect(words.has(encodeWord(foldText(word))), word).toBe(true);
    }
    const inNoText = /tapetitle|runscript|hiddencomment/;
    expect(results).not.toMatch(/\ufffd/);
    expect([results, ...words.keys()].filter((text) => inNoText.test(text))).toEqual([]);
  });

  it('reports each file whose encoding was guessed, and what was declared', () => {
    const guess = (bytes: Buffer, charset: string, declared?: string) => ({
      url: `${upstream.url}/files/${nameOf(bytes)}`,
      owner: `${ITEM}-transcript-${nameOf(bytes)}`,
      charset,
      ...(declared && { declared }),
    });
    const { count, files } = report.guessedCharsets;
    const byCharset = files.toSorted((a, b) => (a.charset < b.charset ? -1 : 1));
    expect([count, ...byCharset]).toEqual([
      3,
      guess(NAMES, 'euc-jp'),
      guess(MISDECLARED, 'shift_jis', 'windows-1252'),
      guess(encodeText(WESTERN, 'CP1252'), 'windows-1252'),
    ]);
    expect(buildLines(report, { out: 'dist' }).join('\n')).toContain('shift_jis, declared as windows-1252');
  });

  it('offers UTF-16 for download as text', () => {
    const name = nameOf(Buffer.from(`\ufeff${WESTERN}Wideword.`, 'utf16le'));
    expect(page(`objects/${ITEM}-transcript-${name}.html`)).toContain('TXT, ');
    expect([...pages.keys()].filter((path) => path.endsWith('.bin'))).toEqual([]);
  });
});

it('links a text to the page of its file, but not from that page', () => {
  const file = `${ITEM}-transcript-${nameOf(CYRILLIC)}.html`;
  expect(item()).toContain(`<a href="../objects/${file}">File record</a>`);
  expect(page(`objects/${file}`)).not.toContain('File record');
});

it('shows and indexes SubRip captions as captions, without their numbers and times', () => {
  const indexed = readResults(pages).map((result) => JSON.stringify(result));
  expect(indexed.some((text) => text.includes('The captioned bell rang again.'))).toBe(true);
  for (const text of [item(), ...indexed]) expect(text).not.toMatch(/-->|--&gt;/);
  expect(item()).toMatch(/data-start="2"[^>]*>.*?The captioned bell/s);
  expect([...pages.keys()].filter((path) => path.endsWith('.srt'))).toHaveLength(1);
});

it('shows neither title, scripts, styles nor comments of an HTML transcript, and keeps its links inside', () => {
  expect(item()).not.toMatch(/tapetitle|runscript|hiddencomment/);
  expect(item()).toContain('<a href="../objects/demo-org-1.html">the collection</a>');
});

describe('languages', () => {
  const langs = (html: string) => [...html.matchAll(/\blang="([^"]*)"/g)].map(([, tag]) => tag);

  it('marks each text with its own language, and not with that of the item', () => {
    const html = item();
    expect(html).toMatch(/<article class="object">/);
    expect(html).toContain('<h1>Interview with a fisherman</h1>');
    expect(html).toMatch(/<div class="prose description"><p>The first/);
    expect(html).toMatch(/<div class="prose" lang="es">Una descripción/);
    expect(html).toMatch(/<div class="text-body" lang="ja"[^>]*>/);
    expect(page('objects/demo-org-1-2.html')).toContain('<h1 lang="ja">山の灯</h1>');
    expect(page('objects/demo-org-1.html')).toMatch(/lang="ja">山の灯/);
    expect(page('objects/demo-org-1-2.html')).toMatch(/<span lang="ja" aria-current="page">\s*山の灯/);
    expect(item()).toMatch(/<bdi lang="ja">山の灯<\/bdi>/);
  });

  it('has no lang attribute that is not the tag of a language', () => {
    const tags = new Set([...pages].filter(([path]) => path.endsWith('.html')).flatMap(([, bytes]) => langs(bytes.toString())));
    expect([...tags].sort()).toEqual(['en', 'es', 'ja', 'ru']);
  });

  it('takes the main language of the archive from --archive-language', async () => {
    const { pages: other } = await build('--archive-language', 'es', '--languages', 'es', '--no-search');
    expect(item(other)).toMatch(/<h1>Interview with/);
    expect(item(other)).toMatch(/<div class="prose">Una descripción/);
    const { code, stderr } = await runMicrofiche(['build', '--archive-language', 'zxx']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Expected a BCP 47 language tag, for example en, es or pt-BR.')]);
  });
});

describe('paragraphs', () => {
  it('keeps paragraphs, lists and line breaks of plain text', () => {
    expect(item()).toMatch(/<p>The first paragraph\.<\/p><p>The second one, with <a href="[^"]*">a link<\/a>\.<\/p>/);
    expect(item()).toContain('<ul><li>Letters</li><li>Diaries</li></ul>');
    expect(item()).toContain('<dd>First line<br>Second line</dd>');
  });

  it('keeps links to a collection inside the site, also with https: and a fragment', () => {
    expect(item()).toContain('with <a href="../objects/demo-org-1.html">a link</a>');
  });
});

describe('markup in any field', () => {
  it('is shown as such, with links that stay inside', () => {
    expect(item()).toContain('<a href="../objects/demo-org-1.html">Pier shed</a> &amp; quay');
    expect(item()).toContain('Shelf <b>4</b>');
    expect(item()).toContain('See <a href="../objects/demo-org-1-2.html">the lamp</a>');
    expect(item()).toContain('a &lt; b');
    expect(item()).not.toMatch(/<dd>[^<]*&lt;a href/);
    expect(item()).toContain('<a href="../objects/demo-org-1.html">The same collection</a>');
    expect(item()).toContain('<a href="https://elsewhere.example/" rel="external noreferrer">Elsewhere</a>');
  });
});

it('has one page for a language, however records write it', () => {
  expect([...pages.keys()].filter((path) => /^browse\/language\/(?!index)/.test(path)).toSorted()).toEqual(
    ['eng', 'jpn', 'und', 'xyz', 'zxx'].map((code) => `browse/language/${code}.html`),
  );
  expect(page('browse/language/jpn.html')).toContain('2 records');
});

it('gives the preferred citation of the nearest record above that states one, and never the credit line', () => {
  const preferred = (id: string) => /<dt>Preferred citation<\/dt> <dd>([^<]*)/.exec(page(`objects/${id}.html`))?.[1];
  expect(preferred('demo-org-1')).toBe('[Item], Quay Papers, Demo Archive.');
  expect(preferred(ITEM)).toBe('[Item], Quay Papers, Demo Archive.');
  expect(preferred('demo-org-1-3')).toBe('Album 3, Demo Archive.');
  expect(preferred('demo-org-1-3-1')).toBe('Album 3, Demo Archive.');
});

it('says in a list of segments which recordings are missing, and not that those are that no record lists', () => {
  const track = (id: string) =>
    new RegExp(`<li>(?:(?!</li>).)*${id}\\.html(?:(?!</li>).)*</li>`, 's').exec(page('objects/demo-org-1-3.html'))?.[0];
  expect(track('demo-org-1-3-2')).toContain('not in this copy');
  expect(track('demo-org-1-3-1')).not.toContain('not in this copy');
  expect(page('objects/demo-org-1-3-1.html')).toContain('The recording is not in this copy.');
});

it('leaves the stored files as they were received', () => {
  const [[, bytes]] = transcripts('') as [Transcript];
  const stored = [...readFiles(join(snapshot, 'media')).values()];
  expect(stored.some((file) => file.equals(bytes))).toBe(true);
});
