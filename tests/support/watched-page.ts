/** Opens pages in a browser and detects the effects of hostile values: scripts that run, requests, dialogs, changed elements. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'puppeteer-core';
import { isLateTransition } from './chromium.ts';

/** Starts a server that must not be requested. It responds with a script, which would run if it were loaded. */
export async function startCanary(): Promise<{ url: string; requests: string[]; close: () => void }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    response
      .writeHead(200, { 'content-type': 'text/javascript', 'access-control-allow-origin': '*' })
      .end('console.log("hacked")');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, close: () => void server.close() };
}

/** A tab, with all events in it that should never happen. */
export interface WatchedPage {
  page: Page;
  /** The events since the tab was opened, each with its page. */
  signs: string[];
}

/** Opens a tab and watches it. `top` is the URL of the site. */
export async function openWatchedPage(browser: Browser, top: string): Promise<WatchedPage> {
  const page = await browser.newPage();
  const signs: string[] = [];
  const note = (sign: string) => void signs.push(`${decodeURI(page.url()).replace(top, '')}: ${sign}`);
  page.on('dialog', (dialog) => {
    note(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on(
    'console',
    (message) => /hacked|policy|refused/i.test(message.text()) && note(`console: ${message.text().slice(0, 300)}`),
  );
  page.on('pageerror', (error) => isLateTransition(error as Error) || note(`error: ${(error as Error).message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(top) && !/^(?:blob|data):/.test(request.url()))
      note(`requested: ${request.url().slice(0, 300)}`);
  });
  await page.evaluateOnNewDocument(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`blocked by the policy: ${violatedDirective} ${blockedURI}`),
    );
  });
  await page.setViewport({ width: 1200, height: 900 });
  return { page, signs };
}

/** Does to a page's elements (`within` a selector) what a reader can. Returns what is wrong with those of the entire page. */
export async function exercise(page: Page, within = 'main'): Promise<string[]> {
  return page.evaluate(async (within) => {
    const wrong: string[] = [];
    for (const details of document.querySelectorAll('details')) details.open = true;
    const parts = [...document.querySelectorAll(within)].flatMap((part) => [...part.querySelectorAll('*')]);
    for (const element of parts) {
      for (const type of ['mouseover', 'mouseenter', 'pointerover', 'pointerenter', 'focus', 'toggle'])
        element.dispatchEvent(new MouseEvent(type, { bubbles: type.endsWith('over') }));
      // Links and forms that open another page are not followed, except those with a script.
      const link = element.closest('a, form')?.matches('a') ? element.closest('a') : undefined;
      const href =
        link?.getAttribute('href') ?? link?.getAttribute('xlink:href') ?? element.closest('form')?.getAttribute('action');
      const leaves = href != null && !/^(?:javascript|vbscript):/.test(URL.parse(href, document.baseURI)?.protocol ?? '');
      if (!leaves && !element.matches('a.zoom'))
        element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
    }
    for (const player of document.querySelectorAll('video')) {
      player.muted = true;
      void player.play().catch(() => undefined); // it never settles without a playable file
    }
    await new Promise((resolve) => setTimeout(resolve, 30));

    const allowedScript = /^(?:application\/ld\+json|application\/json)$/;
    const ours = new URL(document.querySelector<HTMLScriptElement>('script[src$="assets/theme.js"]')?.src ?? document.baseURI);
    for (const element of document.querySelectorAll<HTMLElement>('*')) {
      const name = element.localName;
      const markup = () => element.outerHTML.slice(0, 200);
      if (
        /^(?:iframe|frame|frameset|object|embed|base|portal|template|math|foreignobject|marquee|style|textarea|noscript|input)$/.test(
          name,
        )
      ) {
        const known =
          (name === 'style' && element.closest('head, .zoom-view')) ||
          (name === 'input' && /^(?:search|checkbox|radio|number|text)$/.test((element as HTMLInputElement).type)) ||
          (name === 'input' && element.matches('#file[type="file"]')) ||
          (name === 'textarea' && /^(?:words|as-text)$/.test(element.id)) ||
          (name === 'noscript' && !element.closest('article'));
        if (!known) wrong.push(`element: ${markup()}`);
      }
      if (element instanceof HTMLScriptElement) {
        const near =
          element.src.startsWith(new URL('..', ours).href) && /\/(?:assets|pages|thumbs)\/[\w./-]+\.js$/.test(element.src);
        if (element.src ? !near : !allowedScript.test(element.type) && !/^\(/.test(element.text))
          wrong.push(`script: ${markup()}`);
        if (element.type === 'application/ld+json') JSON.parse(element.text);
      }
      if (element instanceof HTMLMetaElement && element.httpEquiv && element.httpEquiv !== 'Content-Security-Policy')
        wrong.push(`meta: ${markup()}`);
      for (const { name: attribute, value } of element.attributes) {
        if (/^on/i.test(attribute)) wrong.push(`handler: ${markup()}`);
        // While one page replaces another, the picture of both has a name.
        const named = name === 'img' && attribute === 'style' && /^(?:view-transition-name: picture;)?$/.test(value);
        if (
          /^(?:srcdoc|ping|background|formaction|xlink:href|srcset|style|target)$/i.test(attribute) &&
          !element.closest('.zoom-view, .simple-keyboard, .wave') &&
          !named
        )
          wrong.push(`attribute ${attribute}: ${markup()}`);
        if (/^(?:href|src|action|poster|data|cite)$/i.test(attribute)) {
          const { protocol } = new URL(value, document.baseURI);
          const link = name === 'a' || name === 'link';
          if (
            !(
              protocol === location.protocol ||
              (link && /^(?:https?|mailto):$/.test(protocol)) ||
              (name === 'img' && /^(?:blob|data):$/.test(protocol))
            )
          )
            wrong.push(`address: ${markup()}`);
        }
        if (attribute === 'id' && element.closest('.prose')) wrong.push(`id: ${markup()}`);
      }
    }
    const citation = (style: string) =>
      [...document.querySelectorAll('.citations dt')]
        .find((term) => term.textContent?.includes(style))
        ?.parentElement?.querySelector('dd')?.textContent ?? '';
    const lines = citation('RIS').split(/[\n\r\v\f\u0085\u2028\u2029]/);
    const tags = lines.map((line) => /^([A-Z][A-Z0-9]) {2}-(?: |$)/.exec(line)?.[1]);
    if (
      citation('RIS') !== '' &&
      (tags.includes(undefined) || tags.indexOf('TY', 1) > 0 || tags.indexOf('ER') !== tags.length - 1)
    )
      wrong.push(`RIS: ${lines.join(' | ')}`);
    const bib = citation('BibTeX');
    if (
      bib !== '' &&
      (bib.match(/^@/gm)?.length !== 1 ||
        bib
          .split('\n')
          .slice(1, -1)
          .some((line) => !/^\t(?:[\w-]+ = \{.*\}|month = [a-z]{3}),?$/.test(line)))
    )
      wrong.push(`BibTeX: ${bib}`);
    // The title isolates the names in it.
    const shown = document.documentElement.outerHTML.replace(/<title>[^<]*<\/title>|[\t\n\r\f]/g, '');
    const illegible = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.exec(shown);
    if (illegible) wrong.push(`illegible: U+${illegible[0].charCodeAt(0).toString(16)}`);
    if (frames.length > 0) wrong.push('frames');
    if ('hacked' in window || document.title.startsWith('hacked')) wrong.push('it ran');
    return wrong;
  }, within);
}

/** Runs a task for each element of a list, in `tabs` tabs in parallel. Returns the events of all tabs. */
export async function runInTabs<T>(
  browser: Browser,
  top: string,
  tabs: number,
  items: readonly T[],
  task: (page: Page, item: T) => Promise<string[]>,
): Promise<string[]> {
  const queue = [...items];
  const signs = await Promise.all(
    Array.from({ length: tabs }, async () => {
      const { page, signs } = await openWatchedPage(browser, top);
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
        const wrong = await task(page, item).catch((error: Error) => [`failed: ${error.message}`]);
        signs.push(...wrong.map((what) => `${JSON.stringify(item)}: ${what}`));
      }
      await page.close();
      return signs;
    }),
  );
  return signs.flat();
}
