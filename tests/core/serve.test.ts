/** `serve`: responses for pages, APIs and media files, accepted hosts, and withheld records. */
import { createHash } from 'node:crypto';
import {
  closeSync,
  cpSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import {
  createSharedDirectory,
  createTestDirectory,
  runMicrofiche,
  SAMPLE,
  spawnServe,
  startServe,
  type TestServer,
  upstreamOptions,
} from '../support/commands.ts';
import { createFileRecord, createImage, createRecordWithImage, createSegment, runMedia } from '../support/file-server.ts';
import { harvestInProcess } from '../support/harvest-in-process.ts';
import { createRecord, respond, respondWith, type TestUpstream } from '../support/test-upstream.ts';

const LARGE = 3 * 1024 ** 3;
const PAGE = `<!doctype html><title>About</title>${'<p>The ferry came at noon.</p>'.repeat(100)}`;
const { path: root, remove } = createSharedDirectory();
const dist = join(root, 'dist');
const upstream = createServer((incoming, response) =>
  respond(up.routes.get(new URL(incoming.url ?? '', 'http://x').pathname), incoming, response),
);
let up: Pick<TestUpstream, 'url' | 'routes'>;
let snapshot: string;
let ids: string[];
let photo: Buffer;
/** A server with a site. */
let site: Awaited<ReturnType<typeof spawnServe>>;
/** A server without a site. */
let bare: Awaited<ReturnType<typeof spawnServe>>;

it('serves the sample archive, also in a directory with a snapshot and a site', async () => {
  const cwd = createTestDirectory();
  cpSync(inject('mirror').small, join(cwd, 'content/snapshot'), { recursive: true });
  mkdirSync(join(cwd, 'dist'));
  const sample = await spawnServe(['--sample'], cwd);
  const statusOf = async (path: string) => (await fetch(`${sample.url}${path}`)).status;
  // The snapshot of the directory has another collection only.
  expect([await statusOf('/'), await statusOf('/api/0.2/lica-ferry-1-1/')]).toEqual([404, 200]);
  await sample.stop();
  const { code, stderr } = await runMicrofiche(['serve', '--sample', '--snapshot', SAMPLE]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('--sample and --snapshot exclude each other')]);
});

beforeAll(async () => {
  createSite();
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  up = { url: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`, routes: new Map() };
  photo = await createImage();
  snapshot = await createSnapshot();
  [site, bare] = await Promise.all([spawnServe(['--snapshot', snapshot, '--dir', dist]), spawnServe(['--snapshot', snapshot])]);
});
afterAll(async () => {
  await Promise.all([site?.stop(), bare?.stop()]);
  upstream.closeAllConnections();
  upstream.close();
  remove();
});

function createSite(): void {
  for (const directory of ['assets', 'authors', 'iiif', 'media/tiles/x', '.microfiche-new', 'empty'])
    mkdirSync(join(dist, directory), { recursive: true });
  const files = {
    'index.html': '<!doctype html><title>Home</title>',
    '404.html': '<!doctype html><title>Not here</title>',
    'about.html': PAGE,
    'assets/theme.js': '"the script of the site";',
    'authors/index.html': '<!doctype html><title>Authors</title>',
    'media/tiles/x/info.json': '{}',
    'iiif/collection.json': '{}',
    'no-bytes.txt': '',
    '.microfiche-new/page.html': 'staged',
    '.hidden.html': 'hidden',
  };
  for (const [path, text] of Object.entries(files)) writeFileSync(join(dist, path), text);
  mkdirSync(join(root, 'outside'));
  writeFileSync(join(root, 'outside/canary.txt'), 'canary');
  symlinkSync(join(root, 'outside/canary.txt'), join(dist, 'link.txt'));
  symlinkSync(join(root, 'outside'), join(dist, 'linked'));
  const large = openSync(join(dist, 'large.mp4'), 'w');
  ftruncateSync(large, LARGE);
  writeSync(large, 'the end', LARGE - 7);
  closeSync(large);
}

/** Harvests files that a browser could take for the site's script, page or SVG, and a private item with image and segment. */
async function createSnapshot(): Promise<string> {
  const files: Record<string, [type: string, body: string | Buffer]> = {
    '/assets/theme.js': ['text/javascript', `document.title = "run"; // ${'spoken text '.repeat(50_000)}`],
    '/files/talk.html': ['text/html', '<!doctype html><script>document.title = "run"</script><p>Spoken.'],
    '/files/d.svg': ['image/svg+xml', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'],
    '/files/x.xml': ['application/xml', '<?xml version="1.0"?><x/>'],
    '/files/p.jpg?size=2': ['image/jpeg', photo],
    '/files/private.jpg': ['image/jpeg', await createImage(50, 50, '#123')],
    '/files/below.jpg': ['image/jpeg', await createImage(50, 50, '#321')],
  };
  for (const [path, [type, body]] of Object.entries(files))
    up.routes.set(path.replace(/\?.*/, ''), respondWith(200, { 'content-type': type }, body));
  /** Returns a file record, whose ID contains the beginning of its SHA-1. */
  const file = (path: string, role: string) => {
    const sha1 = createHash('sha1')
      .update((files[path] as [string, string])[1])
      .digest('hex');
    return createFileRecord(`demo-org-1-1-${role}-${sha1.slice(0, 10)}`, `${up.url}${path}`, { role, parent_id: 'demo-org-1-1' });
  };
  const records = [
    createRecordWithImage('demo-org-1-1', `${up.url}/files/p.jpg?size=2`),
    file('/assets/theme.js', 'transcript'),
    file('/files/talk.html', 'transcript'),
    file('/files/d.svg', 'master'),
    file('/files/x.xml', 'master'),
    createRecordWithImage('demo-org-1-2', `${up.url}/files/private.jpg`, { public: '0', title: 'A private matter' }),
    { ...createSegment('demo-org-1-2-1', {}), parent_id: 'demo-org-1-2', links: { img: `${up.url}/files/below.jpg` } },
  ];
  const children = (...ids: string[]) => ({
    total: ids.length,
    next_offset: null,
    objects: ids.map((id) => ({ id, title: `Title of ${id}` })),
  });
  up.routes.set(
    '/api/0.2/demo-org-1/',
    createRecord(up, 'demo-org-1', { model: 'collection', links: { children: `${up.url}/api/0.2/demo-org-1/children/` } }),
  );
  up.routes.set('/api/0.2/demo-org-1/children/', children('demo-org-1-1', 'demo-org-1-2'));
  for (const entry of records as Array<Record<string, unknown>>) up.routes.set(`/api/0.2/${entry['id']}/`, { ...entry });
  const author = (name: string, more = {}) => ({
    id: name,
    title: name,
    url_title: name,
    links: { json: `${up.url}/api/3.0/authors/${name}/` },
    ...more,
  });
  up.routes.set('/api/3.0/authors/', {
    total: 2,
    next_offset: null,
    objects: [author('Ann'), author('Bo', { published: 'false' })],
  });
  const article = { title: 'Bells', json: `${up.url}/api/3.0/articles/Bells/`, html: `${up.url}/Bells/` };
  for (const name of ['Ann', 'Bo']) up.routes.set(`/api/3.0/authors/${name}/`, author(name, { articles: [article] }));
  up.routes.set('/api/3.0/articles/Bells/', {
    ...{ id: 'Bells', title: 'Bells', url_title: 'Bells', links: article, body: '<p>They ring.</p>', sources: [] },
    authors: ['Ann', 'Bo'].map((name) => ({ title: name, ...author(name).links })),
  });
  const directory = join(root, 'snapshot');
  ids = ['demo-org-1', ...records.map(({ id }) => String(id))];
  await harvestInProcess(up, directory, { seeds: ids });
  await runMedia(directory, '--kinds', 'thumb,image,transcript,original');
  return directory;
}

interface Received {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

/** Sends one request, with its path and headers unchanged, on a new connection. */
function send(
  path: string,
  headers: OutgoingHttpHeaders = {},
  { method = 'GET', from = site }: { method?: string; from?: TestServer } = {},
): Promise<Received> {
  const { hostname, port } = new URL(from.url);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, headers, method, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    })
      .on('error', reject)
      .end();
  });
}

const head = (path: string, headers: OutgoingHttpHeaders = {}) => send(path, headers, { method: 'HEAD' });

describe('media files', () => {
  it('never replace a file of the site', async () => {
    expect((await send('/assets/theme.js')).body.toString()).toBe('"the script of the site";');
    expect((await send('/assets/theme.js', {}, { from: bare })).body.toString()).toContain('spoken text');
  });

  it.each([
    ['/assets/theme.js', 'text/plain', undefined],
    ['/files/talk.html', 'text/plain', 'attachment'],
    ['/files/d.svg', 'text/plain', 'attachment'],
    ['/files/x.xml', 'text/plain', 'attachment'],
    ['/files/p.jpg?size=2', 'image/jpeg', undefined],
  ])('have a content type with which browsers run nothing in them: %s', async (path, type, disposition) => {
    const { status, headers } = await send(path, {}, { from: bare });
    expect([status, headers['content-type'], headers['content-disposition']]).toEqual([200, type, disposition]);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toBe("sandbox; default-src 'none'");
  });

  it('are not served as scripts, or from outside media/, after changes in the database', async () => {
    const other = join(root, 'tampered');
    mkdirSync(join(other, 'media/x'), { recursive: true });
    writeFileSync(join(other, 'media/x/a.js'), 'alert(1)');
    symlinkSync(join(root, 'outside/canary.txt'), join(other, 'media/x/link.txt'));
    const db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'), { readOnly: true });
    db.exec(`VACUUM INTO '${join(other, 'snapshot.sqlite')}'`);
    db.close();
    const copy = new DatabaseSync(join(other, 'snapshot.sqlite'));
    copy.exec('PRAGMA ignore_check_constraints = ON');
    copy.exec('PRAGMA foreign_keys = OFF');
    const update = copy.prepare('UPDATE media SET path = ? WHERE url = ?');
    const updateFile = copy.prepare('UPDATE blob SET path = ?, mimetype = ? WHERE path = (SELECT path FROM media WHERE url = ?)');
    const urls = ['/assets/theme.js', '/files/talk.html', '/files/d.svg', '/files/x.xml'].map((path) => `${up.url}${path}`);
    const rows = [
      ['media/x/a.js', 'text/javascript'],
      ['../outside/canary.txt', 'text/plain'],
      ['media/x/link.txt', 'text/plain'],
      ['snapshot.sqlite', 'image/png'],
    ] as const;
    for (const [n, [path, type]] of rows.entries()) {
      updateFile.run(path, type, urls[n] as string);
      update.run(path, urls[n] as string);
    }
    copy.close();
    const server = await startServe(['--snapshot', other]);
    try {
      const script = await send('/assets/theme.js', {}, { from: server });
      expect([script.headers['content-type'], script.headers['content-disposition']]).toEqual(['text/plain', 'attachment']);
      for (const path of ['/files/talk.html', '/files/d.svg', '/files/x.xml'])
        expect([path, (await send(path, {}, { from: server })).status]).toEqual([path, 404]);
    } finally {
      await server.stop();
    }
  });

  it('of a served snapshot can be downloaded into another one', async () => {
    const other = join(root, 'again');
    const args = [...upstreamOptions(bare.url), '--snapshot', other, '--root', ids.join(',')];
    expect((await runMicrofiche(['harvest', ...args])).code).toBe(0);
    const report = await runMedia(other, '--kinds', 'thumb,image,transcript,original');
    expect([report.fetched + report.shared, report.failures, report.quarantined]).toEqual([7, [], []]);
    const filesOf = (dir: string) => {
      const db = new DatabaseSync(join(dir, 'snapshot.sqlite'), { readOnly: true });
      const rows = db.prepare('SELECT owner, sha256, mimetype, size FROM media JOIN blob USING (path) ORDER BY owner').all();
      db.close();
      return rows;
    };
    expect(filesOf(other)).toEqual(filesOf(snapshot));
  });
});

describe('private records', () => {
  const PRIVATE = ['demo-org-1-2', 'demo-org-1-2-1'];

  it.each(PRIVATE)('are withheld if a site is served: %s', async (id) => {
    for (const path of ['', 'children/', 'files/']) expect((await send(`/api/0.2/${id}/${path}`)).status).toBe(404);
    expect((await send(`/api/0.2/${id}/`, {}, { from: bare })).status).toBe(200);
  });

  it('are missing from lists and totals, as are unpublished authors', async () => {
    const children = JSON.parse((await send('/api/0.2/demo-org-1/children/')).body.toString());
    expect([children.total, children.objects.map(({ id }: { id: string }) => id)]).toEqual([1, ['demo-org-1-1']]);
    const authors = JSON.parse((await send('/api/3.0/authors/')).body.toString());
    expect([authors.total, authors.objects.map(({ id }: { id: string }) => id)]).toEqual([1, ['Ann']]);
    expect((await send('/api/3.0/authors/Bo/')).status).toBe(404);
    expect(JSON.parse((await send('/api/0.2/demo-org-1/children/', {}, { from: bare })).body.toString()).total).toBe(2);
  });

  it('are not named as authors of guide pages if they are unpublished authors', async () => {
    const authorsOf = async (from: typeof site) => {
      const { authors } = JSON.parse((await send('/api/3.0/articles/Bells/', {}, { from })).body.toString());
      return authors.map(({ title }: { title: string }) => title);
    };
    expect([await authorsOf(site), await authorsOf(bare)]).toEqual([['Ann'], ['Ann', 'Bo']]);
  });

  it('withhold their media files, and those of the records below them', async () => {
    for (const path of ['/files/private.jpg', '/files/below.jpg']) {
      expect([path, (await send(path)).status]).toEqual([path, 404]);
      expect([path, (await send(path, {}, { from: bare })).status]).toEqual([path, 200]);
    }
    expect((await send('/files/p.jpg?size=2')).status).toBe(200);
  });

  it('are withheld if other machines can connect', async () => {
    const server = await startServe(['--snapshot', snapshot, '--host', '0.0.0.0']);
    const open = await startServe(['--snapshot', snapshot, '--allow-host', 'mirror.example.org']);
    try {
      for (const { url } of [server, open]) {
        const local = url.replace('0.0.0.0', '127.0.0.1');
        expect((await fetch(`${local}/api/0.2/demo-org-1-1/`)).status).toBe(200);
        expect((await fetch(`${local}/api/0.2/demo-org-1-2/`)).status).toBe(404);
      }
    } finally {
      await Promise.all([server.stop(), open.stop()]);
    }
  });
});

describe('private records, of a server to which only this machine can connect,', () => {
  const PRIVATE = ['/api/0.2/demo-org-1-2/', '/api/0.2/demo-org-1-2-1/', '/files/private.jpg'];

  it.each(['Forwarded', 'Via', 'X-Forwarded-For', 'X-Forwarded-Proto', 'X-Real-IP'])(
    'are withheld from requests that a proxy forwards with %s',
    async (name) => {
      for (const path of PRIVATE) {
        expect([path, (await send(path, {}, { from: bare })).status]).toEqual([path, 200]);
        expect([path, (await send(path, { [name]: '203.0.113.9' }, { from: bare })).status]).toEqual([path, 404]);
      }
      expect((await send('/api/0.2/demo-org-1-1/', { [name]: 'x' }, { from: bare })).status).toBe(200);
    },
  );

  it('are withheld from requests by HTTP/1.0, as which nginx forwards', async () => {
    const { hostname, port } = new URL(bare.url);
    const statusOf = async (path: string) => {
      const socket = connect(Number(port), hostname);
      socket.write(`GET ${path} HTTP/1.0\r\nHost: ${hostname}:${port}\r\n\r\n`);
      return (await socket.setEncoding('latin1').toArray()).join('').slice(9, 12);
    };
    expect(await Promise.all(['/api/0.2/demo-org-1-1/', ...PRIVATE].map(statusOf))).toEqual(['200', '404', '404', '404']);
  });

  it('are withheld with --no-private', async () => {
    const server = await startServe(['--snapshot', snapshot, '--no-private']);
    try {
      for (const path of PRIVATE) expect([path, (await send(path, {}, { from: server })).status]).toEqual([path, 404]);
    } finally {
      await server.stop();
    }
  });
});

describe('the Host header', () => {
  const hosts = (port: string) => ({
    ours: [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST.:${port}`, `[::1]:${port}`],
    others: [
      'evil.example',
      `evil.example:${port}`,
      'localhost',
      `127.0.0.1.evil.example:${port}`,
      `10.1.2.3:${port}`,
      'a b',
      `x@localhost:${port}`,
    ],
  });

  it('must name this server, for pages, APIs and media files', async () => {
    const { ours, others } = hosts(new URL(site.url).port);
    for (const path of ['/', '/api/0.2/demo-org-1-1/', '/files/p.jpg?size=2']) {
      for (const host of ours) expect([host, (await send(path, { host })).status]).toEqual([host, 200]);
      for (const host of others) {
        const { status, body } = await send(path, { host });
        expect([host, [400, 421].includes(status), body.toString().includes('demo-org')]).toEqual([host, true, false]);
      }
    }
    const { body } = await send('/', { host: 'evil.example:4321' });
    expect(body.toString()).toMatch(/^This server does not accept requests for the host "evil\.example:4321".*--allow-host.*\n$/);
  });

  it('may not be there twice, since another program may read the other one', async () => {
    const { hostname, port, host } = new URL(site.url);
    const response = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () =>
        socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`),
      );
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      socket.on('error', reject).on('close', () => resolve(text));
    });
    expect(response).toMatch(/^HTTP\/1\.1 400 [\s\S]*The request must have one Host header\.\n$/);
  });

  it('is replaced by the host of an absolute URL', async () => {
    const { port } = new URL(site.url);
    expect((await send('http://evil.example/', { host: `localhost:${port}` })).status).toBe(421);
    expect((await send(`http://localhost:${port}/about.html`, { host: 'evil.example' })).status).toBe(200);
  });

  it('may name the hosts of --allow-host, and the addresses of this machine if it listens on all of them', async () => {
    const server = await startServe([
      '--snapshot',
      snapshot,
      '--host',
      '0.0.0.0',
      '--allow-host',
      'mirror.example.org',
      'x.example:8080',
    ]);
    const { port } = new URL(server.url);
    const from = { ...server, url: `http://127.0.0.1:${port}` };
    const addresses = Object.values(networkInterfaces())
      .flatMap((group) => group ?? [])
      .filter(({ family }) => family === 'IPv4');
    try {
      for (const host of [
        'mirror.example.org',
        'mirror.example.org:443',
        'x.example:8080',
        ...addresses.map(({ address }) => `${address}:${port}`),
      ])
        expect([host, (await send('/api/3.0/authors/', { host }, { from })).status]).toEqual([host, 200]);
      for (const host of ['x.example', `192.0.2.7:${port}`])
        expect([host, (await send('/api/3.0/authors/', { host }, { from })).status]).toEqual([host, 421]);
    } finally {
      await server.stop();
    }
    expect((await runMicrofiche(['serve', '--snapshot', snapshot, '--allow-host', 'a/b'])).code).toBe(2);
  });
});

describe('paths', () => {
  it.each(['/link.txt', '/linked/canary.txt', '/linked/', '/.hidden.html', '/.microfiche-new/page.html', '/empty/', '/empty'])(
    'over a symbolic link, or to files that are not published, are not found: %s',
    async (path) => {
      const { status, body } = await send(path);
      expect([status, body.toString()]).toEqual([404, '<!doctype html><title>Not here</title>']);
    },
  );

  const MALFORMED = [
    '/../outside/canary.txt',
    '/..',
    '/./about.html',
    '/assets/../about.html',
    '/%2e%2e/outside/canary.txt',
    '/%2e%2e%2foutside/canary.txt',
    '/..%2foutside%2fcanary.txt',
    '/..%5coutside%5ccanary.txt',
    '/..\\outside\\canary.txt',
    '/assets/..%2f..%2foutside/canary.txt',
    '/%252e%252e/outside/canary.txt',
    '/about.html%00.txt',
    '/about.html%0a',
    '/%',
    '/%ff',
    '/%c0%ae%c0%ae/outside/canary.txt',
    '//about.html',
    '/assets//theme.js',
    '/about.html/',
    '/C:/about.html',
    `/${'a'.repeat(5000)}`,
    `/${'a/'.repeat(2000)}`,
    '/media/../snapshot.sqlite',
    '/snapshot.sqlite',
    '/api/0.2/..%2f..%2fetc/',
  ];

  it('are not found if they are malformed', async () => {
    for (const path of MALFORMED) {
      const { status, body } = await send(path);
      expect([path.slice(0, 50), [400, 404].includes(status)]).toEqual([path.slice(0, 50), true]);
      expect(body.toString()).not.toMatch(/canary|ferry|SQLite/);
    }
  });

  it('of a directory redirect to its page', async () => {
    const { status, headers } = await send('/authors');
    expect([status, headers.location]).toEqual([301, '/authors/']);
    expect((await send('/authors/')).body.toString()).toContain('Authors');
    expect((await send('/?q=ferry')).body.toString()).toContain('Home');
  });

  it('cannot be written', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const { status, headers } = await send('/about.html', {}, { method });
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
    }
  });
});

describe('ranges, HEAD and conditional requests', () => {
  const files = ['/large.mp4', '/files/p.jpg?size=2'];

  it.each(files)('ranges of %s', async (path) => {
    const { headers } = await head(path);
    const size = Number(headers['content-length']);
    expect(size).toBe(path === '/large.mp4' ? LARGE : photo.length);
    const tail = await send(path, { range: 'bytes=-7' });
    expect([tail.status, tail.headers['content-range'], tail.body.length]).toEqual([
      206,
      `bytes ${size - 7}-${size - 1}/${size}`,
      7,
    ]);
    if (path === '/large.mp4') expect(tail.body.toString()).toBe('the end');
    const end = await send(path, { range: `bytes=${size - 3}-` });
    expect([end.status, end.body]).toEqual([206, tail.body.subarray(4)]);
    const middle = await send(path, { range: 'bytes=2-5' });
    expect([middle.status, middle.body.length]).toEqual([206, 4]);
    const beyond = await send(path, { range: `bytes=${size}-` });
    expect([beyond.status, beyond.headers['content-range']]).toEqual([416, `bytes */${size}`]);
    const part = await head(path, { range: 'bytes=2-5' });
    expect([part.status, part.headers['content-length'], part.body.length]).toEqual([206, '4', 0]);
    const ifSame = await send(path, { range: 'bytes=0-0', 'if-range': headers.etag });
    expect(ifSame.status).toBe(206);
    expect((await head(path, { range: 'bytes=0-0', 'if-range': '"other"' })).status).toBe(200);
    expect((await head(path, { range: 'lines=1-2' })).status).toBe(200);
  });

  it.each([...files, '/about.html', '/no-bytes.txt'])('conditional requests for %s', async (path) => {
    const { headers, status } = await head(path);
    expect([status, headers['cache-control'], headers['accept-ranges']]).toEqual([200, 'no-cache', 'bytes']);
    expect(headers.etag).toMatch(/^"[^"]+"$/);
    const same = await send(path, { 'if-none-match': headers.etag });
    expect([same.status, same.body.length, same.headers.etag]).toEqual([304, 0, headers.etag]);
    expect((await send(path, { 'if-modified-since': headers['last-modified'] })).status).toBe(304);
    expect((await head(path, { 'if-none-match': '"other"', 'if-modified-since': headers['last-modified'] })).status).toBe(200);
    expect((await head(path, { 'if-match': '"other"' })).status).toBe(412);
  });

  it('uses the SHA-256 of a media file as its tag', async () => {
    const db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'), { readOnly: true });
    const row = db.prepare('SELECT sha256 FROM media JOIN blob USING (path) WHERE url = ?').get(`${up.url}/files/p.jpg?size=2`);
    db.close();
    expect((await head('/files/p.jpg?size=2')).headers.etag).toBe(`"${row?.['sha256']}"`);
  });

  it('changes the tag of a page that changes', async () => {
    const path = join(dist, 'changing.html');
    writeFileSync(path, 'one');
    const { headers } = await head('/changing.html');
    writeFileSync(path, 'two');
    const after = await send('/changing.html', { 'if-none-match': headers.etag });
    rmSync(path);
    expect([after.status, after.body.toString()]).toEqual([200, 'two']);
  });

  it('close every file descriptor, even if a client disconnects', async () => {
    const open = () => [site, bare].reduce((total, { pid }) => total + readdirSync(`/proc/${pid}/fd`).length, 0);
    await Promise.all(files.map((path) => head(path)));
    const before = open();
    for (let round = 0; round < 10; round++)
      await Promise.all([
        ...[...files, '/about.html'].flatMap((path) => [
          head(path),
          head(path, { range: 'bytes=0-1' }),
          send(path, { range: 'bytes=0-1' }),
        ]),
        send('/assets/theme.js', {}, { method: 'HEAD', from: bare }),
        disconnect('/large.mp4'),
        disconnect('/about.html', 'Accept-Encoding: br\r\n'),
      ]);
    await expect.poll(open).toBeLessThanOrEqual(before);
  });

  /** Sends a request for one file, and disconnects after the first bytes. */
  function disconnect(path: string, headers = ''): Promise<void> {
    const { hostname, port, host } = new URL(site.url);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () =>
        socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n`),
      );
      socket.once('data', () => socket.destroy());
      socket.on('error', reject);
      socket.on('close', () => resolve());
    });
  }
});

describe('pages', () => {
  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('are compressed with %s', async (encoding, decompress) => {
    const { headers, body } = await send('/about.html', { 'accept-encoding': encoding });
    expect([headers['content-encoding'], headers.vary]).toEqual([encoding, 'Accept-Encoding']);
    expect(decompress(body).toString()).toBe(PAGE);
    expect(body.length).toBeLessThan(PAGE.length / 4);
    expect(headers.etag).toMatch(/^W\//);
    const same = await send('/about.html', { 'accept-encoding': encoding, 'if-none-match': headers.etag });
    expect([same.status, same.headers['content-encoding'], same.body.length]).toEqual([304, undefined, 0]);
  });

  it('are not compressed for clients that do not accept it, or for ranges', async () => {
    for (const accepted of [undefined, 'identity', 'br;q=0, gzip;q=0', 'zstd']) {
      const { headers, body } = await send('/about.html', accepted === undefined ? {} : { 'accept-encoding': accepted });
      expect([accepted, headers['content-encoding'], body.toString() === PAGE]).toEqual([accepted, undefined, true]);
    }
    const part = await send('/about.html', { 'accept-encoding': 'br', range: 'bytes=0-8' });
    expect([part.status, part.headers['content-encoding'], part.body.toString()]).toEqual([206, undefined, '<!doctype']);
    expect((await send('/files/p.jpg?size=2', { 'accept-encoding': 'br' })).headers['content-encoding']).toBeUndefined();
  });

  it('have headers against referrers and content sniffing', async () => {
    const { headers } = await send('/about.html');
    expect([headers['referrer-policy'], headers['x-content-type-options'], headers['content-type']]).toEqual([
      'no-referrer',
      'nosniff',
      'text/html; charset=utf-8',
    ]);
    expect(headers['content-security-policy']).toBeUndefined(); // pages contain their own policy
  });

  it('on other hosts may read what IIIF viewers need', async () => {
    for (const path of ['/media/tiles/x/info.json', '/iiif/collection.json'])
      expect([path, (await send(path)).headers['access-control-allow-origin']]).toEqual([path, '*']);
    expect((await send('/about.html')).headers['access-control-allow-origin']).toBeUndefined();
  });
});

describe('the command', () => {
  it('names the port that is in use', async () => {
    const { port } = new URL(site.url);
    const { code, stderr } = await runMicrofiche(['serve', '--snapshot', snapshot, '--dir', dist, '--port', port]);
    expect([code, stderr.trim()]).toEqual([
      1,
      `microfiche: Port ${port} is in use. Choose another one with --port, or any free one with --port 0.`,
    ]);
  });

  it('serves no site if only the snapshot is named', async () => {
    const directory = join(root, 'work');
    mkdirSync(join(directory, 'dist'), { recursive: true });
    writeFileSync(join(directory, 'dist/index.html'), 'an earlier site');
    const alone = await spawnServe(['--snapshot', snapshot], directory);
    const both = await spawnServe([], directory);
    try {
      expect([(await send('/', {}, { from: alone })).status, (await send('/', {}, { from: both })).status]).toEqual([404, 200]);
    } finally {
      await Promise.all([alone.stop(), both.stop()]);
    }
  });

  it('stops while a download is in progress', async () => {
    const server = await startServe(['--snapshot', SAMPLE, '--dir', dist]);
    const { hostname, port, host } = new URL(server.url);
    const socket = connect(Number(port), hostname, () => socket.write(`GET /large.mp4 HTTP/1.1\r\nHost: ${host}\r\n\r\n`));
    await new Promise((resolve) => socket.once('readable', resolve));
    socket.on('error', () => undefined);
    const startedAt = performance.now();
    await server.stop();
    expect(performance.now() - startedAt).toBeLessThan(60_000);
  });
});
