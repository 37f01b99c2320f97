/** The script that Pagefind writes beside an index; the build bundles it from there. */
declare module 'pagefind-of-the-index' {
  export function createInstance(options: { basePath: string; noWorker: boolean }): import('./engine.ts').Pagefind;
}
