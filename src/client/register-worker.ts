/** Makes a hosted site installable and available offline. Does nothing on file://, where browsers would only log errors. */
import { canFetch, isPackaged } from './protocol.ts';

/** Adds the web app manifest to the page and registers the service worker. `rootUrl` is the URL of the site's top directory. */
export function registerServiceWorker(rootUrl: string): void {
  if (!canFetch() || isPackaged() || !navigator.serviceWorker || !isSecureContext) return;
  const manifest = document.createElement('link');
  manifest.rel = 'manifest';
  manifest.href = `${rootUrl}app.webmanifest`;
  document.head.append(manifest);
  addEventListener('load', () => {
    const { serviceWorker } = navigator;
    serviceWorker
      .register(`${rootUrl}sw.js`)
      .then(() => serviceWorker.ready)
      .then(({ active }) => {
        if (serviceWorker.controller) return; // it has handled this page already
        const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
        active?.postMessage([location.href, ...loaded]);
      })
      .catch(() => undefined); // the host or the browser denies it; the site works without a service worker
  });
}
