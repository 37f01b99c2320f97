/** Connects the small script on every page of a kiosk with those that are loaded when they are needed: the on-screen keyboard and the QR code. */

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
    /** Draws the QR code of a panel again, for another URL. Set by phone-code.js. */
    microfichePhoneCode?: (panel: Element, url: string) => void;
  }
}
