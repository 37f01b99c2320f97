/** Serves WACZ files with ReplayWeb.page, which runs in the browser, and opens them there. */
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Frame, Page } from 'playwright-core';
import { ROOT } from './commands.ts';

const APP = join(ROOT, 'node_modules/replaywebpage');
const START_PAGE = '<!doctype html><meta charset="utf-8"><script src="/ui.js"></script><replay-app-main></replay-app-main>';

/** ReplayWeb.page with some WACZ files. */
export interface Replay {
  /** Opens a WACZ file in a browser without earlier data, at a URL in it, or at its list of pages with a query. */
  open(name: string, at: { url: string } | { query: string }): Promise<Page>;
  /** Waits for the archived page at a URL, and returns its frame. */
  frame(page: Page, url: string): Promise<Frame>;
  stop(): Promise<void>;
}

/** Serves the files by their names. Readers of WACZ files request parts of them. */
export async function startReplay(browser: Browser, files: Readonly<Record<string, string>>): Promise<Replay> {
  const server = createServer(({ url = '/', headers, method }, response) => {
    const { pathname } = new URL(url, 'http://host');
    const name = pathname.slice(1);
    if (name === '') return void response.writeHead(200, { 'content-type': 'text/html' }).end(START_PAGE);
    const file = files[name] ?? (name === 'ui.js' || name === 'sw.js' ? join(APP, name) : undefined);
    if (file === undefined) return void response.writeHead(404).end();
    const { size } = statSync(file);
    const type = { 'content-type': name.endsWith('.js') ? 'text/javascript' : 'application/wacz', 'accept-ranges': 'bytes' };
    const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? [];
    const start = first === '' ? Math.max(0, size - Number(last || size)) : Number(first);
    const end = first === '' || last === '' ? size - 1 : Math.min(size - 1, Number(last));
    const part = { 'content-range': `bytes ${start}-${end}/${size}`, 'content-length': end - start + 1 };
    response.writeHead(headers.range === undefined ? 200 : 206, { ...type, ...part });
    if (method === 'HEAD') response.end();
    else createReadStream(file, { start, end }).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    async open(name, at) {
      const page = await (await browser.newContext()).newPage();
      const fragment = new URLSearchParams('url' in at ? at : { view: 'pages', ...at });
      await page.goto(`${origin}/?source=/${name}#${fragment}`);
      return page;
    },
    async frame(page, url) {
      const isThere = (frame: Frame) => frame.url().endsWith(`mp_/${url}`);
      while (!page.frames().some(isThere)) await page.waitForEvent('framenavigated');
      const frame = page.frames().find(isThere) as Frame;
      await frame.waitForLoadState();
      return frame;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
