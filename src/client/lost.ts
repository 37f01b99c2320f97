/** The way home from the page that a host answers with wherever nothing is: its relative links hold in the mirror's first folder only. */

/**
 * Finds the folder above this address that holds the mirror's web app manifest, and points the page's links there. `prefix` is that of the page's
 * edition. The function stands in the page as text, so it uses nothing of this module.
 */
export function leadHome(prefix: string): void {
  const MOST_FOLDERS = 16;
  if (!/^https?:$/.test(location.protocol)) return;
  const folders = location.pathname.split('/').slice(1, -1).filter(Boolean).slice(0, MOST_FOLDERS);
  const findRoot = async (): Promise<string | undefined> => {
    for (let depth = folders.length; depth >= 0; depth--) {
      const root = new URL(
        folders
          .slice(0, depth)
          .map((folder) => `${folder}/`)
          .join(''),
        `${location.origin}/`,
      ).href;
      const manifest = await fetch(`${root}app.webmanifest`)
        .then((response) => (response.ok ? response.json() : undefined))
        .catch(() => undefined); // some hosts answer with a page wherever nothing is
      if (manifest?.start_url === 'index.html') return root;
    }
    return undefined;
  };
  void findRoot().then((root) => {
    if (root === undefined) return;
    const home = new URL(prefix, root);
    for (const link of document.querySelectorAll('a[href]:not([href^="#"]), link[href]'))
      link.setAttribute('href', new URL(link.getAttribute('href') ?? '', home).href);
  });
}
