/**
 * Corrects the links and the search form of the page not found, and loads the script that every page has. A host sends this page
 * for any path, but its relative links are right only at the top of the site.
 */

/**
 * Finds the directory above the current path that contains the site's web app manifest, and makes the page's links and forms
 * relative to it. `prefix` is the path prefix of the page's locale. The function is inlined into the page as text, so it uses
 * nothing outside itself.
 */
export function fixNotFoundLinks(prefix: string): void {
  const MAX_DEPTH = 16;
  if (!/^https?:$/.test(location.protocol)) return;
  // What the script shows is shown before it is loaded, so that nothing moves.
  document.documentElement.dataset['script'] = '';
  document.getElementById('theme')?.closest('[hidden]')?.removeAttribute('hidden');
  const directories = location.pathname.split('/').slice(1, -1).filter(Boolean).slice(0, MAX_DEPTH);
  const findRoot = async (): Promise<string | undefined> => {
    for (let depth = directories.length; depth >= 0; depth--) {
      const root = new URL(
        directories
          .slice(0, depth)
          .map((directory) => `${directory}/`)
          .join(''),
        `${location.origin}/`,
      ).href;
      const manifest = await fetch(`${root}app.webmanifest`)
        .then((response) => (response.ok ? response.json() : undefined))
        .catch(() => undefined); // some hosts send an HTML page for any missing file
      if (manifest?.start_url === 'index.html') return root;
    }
    return undefined;
  };
  void findRoot().then((root) => {
    if (root === undefined) return;
    const home = new URL(prefix, root);
    for (const link of document.querySelectorAll('a[href]:not([href^="#"]), link[href]'))
      link.setAttribute('href', new URL(link.getAttribute('href') ?? '', home).href);
    for (const form of document.querySelectorAll('form[action]'))
      form.setAttribute('action', new URL(form.getAttribute('action') ?? '', home).href);
    const script = document.createElement('script');
    script.src = new URL('assets/theme.js', root).href;
    document.head.append(script);
  });
}
