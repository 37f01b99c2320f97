/** Listens: the built site at `/` where there is one, both APIs and the snapshot's media beside it. */
import type { AddressInfo } from 'node:net';
import { type ServerType, serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { cors } from 'hono/cors';
import type { Store } from '../snapshot/store.ts';
import { createApi } from './app.ts';
import type { Fault } from './faults.ts';

export interface ServeOptions {
  store: Store;
  /** The built site's folder. */
  dir: string | undefined;
  /** 0 takes any free port. */
  port: number;
  host: string;
  faults?: ReadonlySet<Fault>;
}

export interface RunningServer {
  /** Without a trailing slash. */
  url: string;
  close(): Promise<void>;
}

/** Starts the server. Rejects when the port is taken. */
export async function listen({ store, dir, port, host, faults }: ServeOptions): Promise<RunningServer> {
  const app = new Hono();
  app.route('/', createApi(store, faults ? { faults } : {}));
  if (dir !== undefined) {
    // Pages of others may look into the pictures (IIIF Image API 3.0, §7.1).
    app.use('/media/tiles/*', cors());
    app.use('*', serveStatic({ root: dir }));
    app.notFound(async (c) => {
      const page = await serveStatic({ root: dir, path: '404.html' })(c, async () => {});
      return page instanceof Response
        ? new Response(page.body, { status: 404, headers: page.headers })
        : c.text('Not found', 404);
    });
  }
  return new Promise((resolve, reject) => {
    const server: ServerType = serve({ fetch: app.fetch, port, hostname: host }, (address: AddressInfo) => {
      server.off('error', reject);
      resolve({
        url: `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`,
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            if ('closeAllConnections' in server) server.closeAllConnections();
          }),
      });
    });
    server.on('error', reject);
  });
}
