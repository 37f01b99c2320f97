/** An npm registry with packages that are not published yet. It sends requests for all others to the registry of this machine. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { execa } from 'execa';

/** What a package.json says of the package. */
interface Named {
  name: string;
  version: string;
}

/** Starts the registry. `packages` are package.json files, each with the file that `npm pack` made. */
export async function startTestRegistry(packages: ReadonlyArray<[manifest: string, tarball: string]>) {
  const { stdout: others } = await execa('npm', ['config', 'get', 'registry']);
  const own = new Map(
    packages.map(([manifest, tarball]) => {
      const read = JSON.parse(readFileSync(manifest, 'utf8')) as Named;
      return [read.name, { ...read, bytes: readFileSync(tarball) }];
    }),
  );
  const server = createServer(({ url = '/' }, response) => {
    const { port } = server.address() as AddressInfo;
    const [, name = ''] = url.split('/');
    const found = own.get(name);
    if (!found) return void response.writeHead(302, { location: new URL(url, others).href }).end();
    if (url.endsWith('.tgz')) return void response.end(found.bytes);
    const { bytes: _, ...manifest } = found;
    const dist = { tarball: `http://127.0.0.1:${port}/${name}/-/${name}-${manifest.version}.tgz` };
    const packument = {
      name,
      'dist-tags': { latest: manifest.version },
      versions: { [manifest.version]: { ...manifest, dist } },
    };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(packument));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
