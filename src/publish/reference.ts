/** What a page, style sheet or script refers to. */

/** One URL that a file refers to. */
export interface Reference {
  /** The URL as written, with entities and escapes decoded. */
  href: string;
  /**
   * How a browser uses it. `load`: fetches it. `run`: fetches it, and the response may fetch more, so even a `data:` URL may use
   * the network. `link`: nothing, until a reader follows it. `send`: sends a form or ping there. `network`: uses the network for
   * any URL.
   */
  use: 'load' | 'run' | 'link' | 'send' | 'network';
  /** Element and attribute, such as `img src`. */
  where: string;
}
