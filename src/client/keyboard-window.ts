/** How a kiosk's two scripts meet: the small one on every page, and the keyboard, which is loaded when it is wanted. */

export interface Closable {
  close(): void;
}

declare global {
  interface Window {
    /** The on-screen keyboard for one input; in keyboard.js. */
    microficheKeyboard?: (input: HTMLInputElement) => Closable;
  }
}
