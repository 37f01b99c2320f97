/**
 * What scripts may write and load in browsers that know Trusted Types, where the policy of pages (src/site/csp.ts) forbids all
 * else: no text becomes markup or a script.
 */

/** The part of the API that is used here. TypeScript's DOM types do not include it. */
interface TrustedTypes {
  readonly defaultPolicy: object | null;
  createPolicy(
    name: 'default',
    rules: {
      createHTML(html: string, type: string, sink: string): string | undefined;
      createScriptURL(url: string): string | undefined;
    },
  ): void;
}

/** Another page of the site is parsed without running its scripts; one from a pack replaces the page that loaded it. */
const HTML_SINKS = ['DOMParser parseFromString', 'Document write'];
/** Plain text: the viewer of images empties elements, and the keyboard of a kiosk labels keys, by `innerHTML`. */
const hasNoTag = (html: string): boolean => !html.includes('<');

/** Allows the scripts of the site alone, and markup only in whole pages. `rootUrl`: the site's top directory. */
export function limitScripts(rootUrl: string): void {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  if (!trustedTypes || trustedTypes.defaultPolicy) return; // a page from a pack runs after its loader
  trustedTypes.createPolicy('default', {
    createHTML: (html, _type, sink) => (HTML_SINKS.includes(sink) || hasNoTag(html) ? html : undefined),
    createScriptURL: (url) => (new URL(url, document.baseURI).href.startsWith(rootUrl) ? url : undefined),
  });
}
