/** The script that Pagefind writes into a search index. The build bundles it from there. */
declare module 'pagefind-of-the-index' {
  export function createInstance(options: Record<string, unknown>): import('./index-parts.ts').Pagefind;
}
