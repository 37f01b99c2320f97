/** Connects the two scripts of a kiosk: the small one on every page, and the on-screen keyboard, which is loaded when it is needed. */

/** Key in the window’s storage: set while the visitor types Latin letters on Japanese pages, so that the next field begins with them. */
export const LATIN_CHOSEN = 'microfiche-latin';

/** An open on-screen keyboard. */
export interface Closable {
  close(): void;
}

declare global {
  interface Window {
    /** Opens the on-screen keyboard for one input. Set by keyboard.js. */
    microficheKeyboard?: (input: HTMLInputElement) => Closable;
  }
}
