/** What the tests use of markdown-it, which has no types. */
declare module 'markdown-it' {
  /** A part of a text. */
  export interface Token {
    type: string;
    content: string;
    children: Token[] | null;
  }
  /** A parser of Markdown. */
  export default class MarkdownIt {
    constructor(options: { html: boolean; linkify: boolean });
    parse(text: string, environment: object): Token[];
    render(text: string): string;
  }
}
