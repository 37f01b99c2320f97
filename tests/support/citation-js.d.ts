/** Types for the part of Citation.js that tests use; the package has none. */
declare module '@citation-js/core' {
  export interface CslEngine {
    updateItems(ids: string[]): void;
    makeBibliography(): [unknown, string[]];
  }
  export const plugins: {
    config: {
      get(name: '@csl'): {
        templates: { add(name: string, xml: string): void };
        engine(items: object[], template: string, language: string, format: 'text'): CslEngine;
      };
    };
    input: {
      chain(text: string, options: { forceType: string }): object[];
    };
  };
}
declare module '@citation-js/plugin-csl';
declare module '@citation-js/plugin-bibtex';
declare module '@citation-js/plugin-ris';
