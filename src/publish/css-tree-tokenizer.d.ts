declare module 'css-tree/tokenizer' {
  /** Reads a style sheet (CSS Syntax Level 3). Offsets are in UTF-16 units; a byte order mark at the beginning is left out of the first token. */
  export function tokenize(source: string, onToken: (type: number, start: number, end: number) => void): void;
  export const tokenTypes: Readonly<
    Record<
      'AtKeyword' | 'Function' | 'LeftCurlyBracket' | 'LeftParenthesis' | 'RightParenthesis' | 'Semicolon' | 'String' | 'Url',
      number
    >
  >;
}
