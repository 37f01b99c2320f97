/** Harvests through a proxy of the network, which environment variables name, and from servers with problems of TLS. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { explainTransportError } from '../../../src/http/errors.ts';
import { postJson } from '../../../src/http/post-json.ts';
import { runMicrofiche } from '../../support/commands.ts';
import { createSnapshotPath, readStoredBody } from '../../support/harvest-in-process.ts';
import { addRecords, startTestUpstream } from '../../support/test-upstream.ts';

/** Starts a proxy that leads each host to one port. Returns its URL, and the hosts that it was asked for. */
async function startProxy(port: number) {
  const asked: string[] = [];
  const server = createServer((incoming, response) => {
    const { host, pathname, search } = new URL(incoming.url ?? '');
    asked.push(host);
    const forwarded = request({ port, host: '127.0.0.1', path: `${pathname}${search}`, headers: incoming.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(forwarded);
  });
  server.on('connect', ({ url = '' }, client) => {
    asked.push(url.replace(/:80$/, ''));
    const upstream = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    for (const socket of [upstream, client]) socket.on('error', () => [upstream, client].forEach((each) => void each.destroy()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

it('sends requests through HTTP_PROXY, but none to this machine and to hosts of NO_PROXY', async () => {
  const upstream = await startTestUpstream();
  addRecords(upstream, 1);
  const proxy = await startProxy(Number(new URL(upstream.url).port));
  const harvest = (url: string, env: Record<string, string>) => {
    const snapshot = createSnapshotPath();
    const args = ['harvest', '--snapshot', snapshot, '--authors-url', url, '--catalog-url', url, '--root', 'demo-org-1-1'];
    return runMicrofiche([...args, '--attempts', '1'], { env }).then((result) => ({ ...result, snapshot }));
  };
  const proxied = await harvest('http://archive.example', { HTTP_PROXY: proxy.url });
  expect(readStoredBody(proxied.snapshot, 'demo-org-1-1')).toContain('demo-org-1-1');
  expect([...new Set(proxy.asked)]).toEqual(['archive.example']);
  proxy.asked.length = 0;
  const local = await harvest(upstream.url, { HTTP_PROXY: proxy.url });
  expect(readStoredBody(local.snapshot, 'demo-org-1-1')).toContain('demo-org-1-1');
  const without = await harvest('http://archive.invalid', { HTTP_PROXY: proxy.url, NO_PROXY: 'archive.invalid' });
  expect([without.code, proxy.asked]).toEqual([1, []]);
});

it('copies from a site, and posts to a webhook, through HTTP_PROXY', async () => {
  const upstream = await startTestUpstream();
  const proxy = await startProxy(Number(new URL(upstream.url).port));
  const env = { HTTP_PROXY: proxy.url };
  const { code } = await runMicrofiche(['sync', 'http://copy.example/site', createSnapshotPath()], { env });
  vi.stubEnv('HTTP_PROXY', proxy.url);
  onTestFinished(() => void vi.unstubAllEnvs());
  await postJson('http://hook.example/', '{}', 'test');
  expect([code, [...new Set(proxy.asked)].sort()]).toEqual([1, ['copy.example', 'hook.example']]);
});

it('says in words what is wrong with TLS', async () => {
  const upstream = await startTestUpstream();
  const url = upstream.url.replace('http:', 'https:');
  const args = ['harvest', '--snapshot', createSnapshotPath(), '--authors-url', url, '--catalog-url', url, '--attempts', '1'];
  const { code, stderr } = await runMicrofiche(args);
  expect([code, stderr]).toEqual([1, expect.stringContaining('(the server does not answer in TLS: try http://)')]);
  expect(stderr).not.toContain('openssl');
  for (const name of ['SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'])
    expect(explainTransportError(Object.assign(new Error(name), { code: name })).message).toContain('NODE_EXTRA_CA_CERTS');
});
