/** Says in words what is wrong in a file that should be JSON. */
import { type ParseError, type ParseErrorCode, parseTree, printParseErrorCode } from 'jsonc-parser';

const BACKSLASH = 'a backslash in a text must be doubled';
const NUMBER = 'a number is not complete';

/** The mistakes, by their names in the parser. */
const MISTAKES: Readonly<Partial<Record<ReturnType<typeof printParseErrorCode>, string>>> = {
  CommaExpected: 'a comma is missing',
  ColonExpected: 'a colon is missing after a name',
  PropertyNameExpected: 'a name in double quotation marks is missing',
  ValueExpected: 'a value is missing',
  CloseBraceExpected: 'a closing brace } is missing',
  CloseBracketExpected: 'a closing bracket ] is missing',
  EndOfFileExpected: 'something follows the closing brace',
  InvalidSymbol: 'text must be in double quotation marks',
  InvalidCommentToken: 'comments are not allowed',
  UnexpectedEndOfString: 'a quotation mark is missing at the end of a text',
  InvalidEscapeCharacter: BACKSLASH,
  InvalidUnicode: BACKSLASH,
  InvalidNumberFormat: NUMBER,
  UnexpectedEndOfNumber: NUMBER,
  InvalidCharacter: 'a text has a tab or another control character',
};

/** Returns what is wrong, as the end of a sentence after “is not valid JSON”. `message` is that of `JSON.parse`. */
export function describeJsonMistake(text: string, message: string): string {
  if (text.trim() === '') return ': it is empty';
  const errors: ParseError[] = [];
  parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [first] = errors;
  const mistake = first && MISTAKES[printParseErrorCode(first.error as ParseErrorCode)];
  if (!first || mistake === undefined) return `: ${message}`;
  const before = text.slice(0, first.offset);
  const isComma = /,\s*$/.test(before) && /[\]}]/.test(text[first.offset] ?? '');
  return ` (line ${before.split('\n').length}): ${isComma ? 'the comma after the last value must go' : mistake}`;
}
