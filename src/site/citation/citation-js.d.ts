/** The parts of Citation.js that are used here; the library brings no types. */
declare module '@citation-js/core' {
  export interface CslRegistry {
    constructor: new (engine: CslEngine) => CslRegistry;
  }
  export interface CslEngine {
    updateItems(ids: string[]): void;
    makeBibliography(): [unknown, string[]];
    /** The items that it has seen. */
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
