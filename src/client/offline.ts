/** Makes a hosted mirror installable and readable without a network. On file:// it is so anyway, and a browser would only complain. */

/** `top` is the address of the mirror's first folder. */
export function offline(top: string): void {
  if (!/^https?:$/.test(location.protocol) || !navigator.serviceWorker || !isSecureContext) return;
  const manifest = document.createElement('link');
  manifest.rel = 'manifest';
  manifest.href = `${top}app.webmanifest`;
  document.head.append(manifest);
  addEventListener('load', () => {
    const { serviceWorker } = navigator;
    serviceWorker
      .register(`${top}sw.js`)
      .then(() => serviceWorker.ready)
      .then(({ active }) => {
        if (serviceWorker.controller) return; // it has seen this page already
        const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
        active?.postMessage([location.href, ...loaded]);
      })
      .catch(() => undefined); // the host or the reader forbids it: the mirror is read as before
  });
}
