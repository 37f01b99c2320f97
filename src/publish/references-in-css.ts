/** The addresses in a style sheet, read as browsers read it (CSS Syntax Level 3): escapes resolved, comments left out, in linear time. */
import { tokenize, tokenTypes } from 'css-tree/tokenizer';
import type { Reference } from './references.ts';

/** Functions in which a string is an address. */
const ADDRESS_FUNCTIONS = /^(?:url|src|image|image-set|-webkit-image-set)$/;

/** Every address that a browser fetches for a style sheet, or for a `style` attribute. */
export function referencesInCss(css: string, where: string): Reference[] {
  const found: Reference[] = [];
  const add = (href: string, use: Reference['use']) => void found.push({ href: href.trim(), use, where });
  const functions: string[] = [];
  /** Where the unquoted address begins in a `url(` that is written with escapes: the tokenizer takes it for any other function. */
  let bare: number | undefined;
  /** The at-rule whose prelude is being read. */
  let rule: string | undefined;
  tokenize(css, (type, start, end) => {
    const text = css.slice(start, end);
    switch (type) {
      case tokenTypes.AtKeyword:
        rule = unescaped(text.slice(1)).toLowerCase();
        break;
      case tokenTypes.Semicolon:
      case tokenTypes.LeftCurlyBracket:
        rule = undefined;
        break;
      case tokenTypes.Function:
        functions.push(unescaped(text.slice(0, -1)).toLowerCase());
        if (functions.at(-1) === 'url') bare = end;
        break;
      case tokenTypes.LeftParenthesis:
        functions.push('');
        break;
      case tokenTypes.RightParenthesis:
        if (functions.pop() === 'url' && bare !== undefined) add(unescaped(css.slice(bare, start)), 'run');
        bare = undefined;
        break;
      case tokenTypes.Url:
        if (rule !== 'namespace')
          add(unescaped(text.slice(text.indexOf('(') + 1).replace(/\)$/, '')), rule === 'import' ? 'run' : 'load');
        break;
      case tokenTypes.String: {
        bare = undefined;
        const inside = functions.at(-1);
        if (rule === 'import' && (inside === undefined || ADDRESS_FUNCTIONS.test(inside))) add(stringValue(text), 'run');
        else if (rule !== 'namespace' && inside !== undefined && ADDRESS_FUNCTIONS.test(inside)) add(stringValue(text), 'load');
        break;
      }
    }
  });
  if (bare !== undefined) add(unescaped(css.slice(bare)), 'run');
  return found;
}

function stringValue(text: string): string {
  const quote = text[0];
  return unescaped(text.slice(1, text.length > 1 && text.endsWith(quote as string) ? -1 : undefined));
}

/** CSS escapes: up to six hexadecimal digits and one white space, a line break that goes, or the character itself. */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(?:([0-9a-f]{1,6})(?:\r\n|[ \t\r\n\f])?|(\r\n|[\r\n\f])|([\s\S]?))/gi, (_, hex, line, character) => {
    if (hex === undefined) return line === undefined ? character : '';
    const code = Number.parseInt(hex, 16);
    return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? '\ufffd' : String.fromCodePoint(code);
  });
}
