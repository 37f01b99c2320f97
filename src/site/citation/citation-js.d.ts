/** Types for the part of Citation.js that is used here; the package has none. */
declare module '@citation-js/core' {
  export interface CslRegistry {
    constructor: new (engine: CslEngine) => CslRegistry;
  }
  export interface CslEngine {
    updateItems(ids: string[]): void;
    makeBibliography(): [unknown, string[]];
    /** The items of earlier calls. */
    registry: CslRegistry;
  }
  export const plugins: {
    config: {
      get(name: '@bibtex'): { format: { checkLabel: boolean } };
      get(name: '@csl'): {
        templates: { add(name: string, xml: string): void; has(name: string): boolean };
        engine(items: object[], template: string, language: string, format: 'text'): CslEngine;
      };
    };
    output: {
      format(name: 'bibtex' | 'ris', items: object[]): string;
      format(name: 'ris', items: object[], options: { format: 'object' }): Array<Record<string, unknown>>;
    };
  };
}
declare module '@citation-js/plugin-csl';
declare module '@citation-js/plugin-bibtex';
declare module '@citation-js/plugin-ris';
