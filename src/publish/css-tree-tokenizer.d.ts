declare module 'css-tree/tokenizer' {
  /** Splits a style sheet into tokens (CSS Syntax Level 3). Offsets are in UTF-16 units. A byte order mark is in none. */
  export function tokenize(source: string, onToken: (type: number, start: number, end: number) => void): void;
  /** Numbers of the token types. */
  export const tokenTypes: Readonly<
    Record<
      | 'AtKeyword'
      | 'Comment'
      | 'Function'
      | 'LeftCurlyBracket'
      | 'LeftParenthesis'
      | 'RightCurlyBracket'
      | 'RightParenthesis'
      | 'Semicolon'
      | 'String'
      | 'Url',
      number
    >
  >;
}

declare module 'css-tree/utils' {
  /** Names with escapes, which are the same in strings and URLs. */
  export const ident: { decode(text: string): string };
}
