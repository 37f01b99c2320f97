/** Connects the small script on every kiosk page with those loaded when needed: the on-screen keyboard and the QR code. */

/** Key in the window’s storage: set while the visitor types Latin letters on Japanese pages, for the next field. */
export const LATIN_CHOSEN = 'microfiche-latin';

/** What a visitor types into. */
export type TypedField = HTMLInputElement | HTMLTextAreaElement;

declare global {
  interface Window {
    /** Opens the on-screen keyboard for one field. Returns a function that closes it. Set by keyboard.js. */
    microficheKeyboard?: (input: TypedField) => () => void;
    /** Draws the QR code of a panel again, for another URL. Set by phone-code.js. */
    microfichePhoneCode?: (panel: Element, url: string) => void;
  }
}
