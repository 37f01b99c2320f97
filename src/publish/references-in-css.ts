/** Extracts URLs from style sheets as browsers parse them (CSS Syntax Level 3), with escapes and comments, in linear time. */
import { tokenize, tokenTypes } from 'css-tree/tokenizer';
import { ident } from 'css-tree/utils';

/** Functions whose string arguments are URLs. */
export const URL_FUNCTIONS = /^(?:url|src|image|image-set|-webkit-image-set)$/;

/** Returns every URL that a browser fetches for a style sheet or a `style` attribute. `where` becomes part of the result. */
export function findCssReferences(css: string, where: string): Reference[] {
  const found: Reference[] = [];
  const add = (href: string, use: Reference['use']) => void found.push({ href: href.trim(), use, where });
  const functions: string[] = [];
  /** Start of the unquoted URL in a `url(` that is written with escapes, which the tokenizer does not recognize. */
  let unquotedStart: number | undefined;
  /** Name of the at-rule whose prelude is being read. */
  let rule: string | undefined;
  tokenize(css, (type, start, end) => {
    const text = css.slice(start, end);
    switch (type) {
      case tokenTypes.AtKeyword:
        rule = ident.decode(text.slice(1)).toLowerCase();
        break;
      case tokenTypes.Semicolon:
      case tokenTypes.LeftCurlyBracket:
        rule = undefined;
        break;
      case tokenTypes.Function:
        functions.push(ident.decode(text.slice(0, -1)).toLowerCase());
        if (functions.at(-1) === 'url') unquotedStart = end;
        break;
      case tokenTypes.LeftParenthesis:
        functions.push('');
        break;
      case tokenTypes.RightParenthesis:
        if (functions.pop() === 'url' && unquotedStart !== undefined) add(ident.decode(css.slice(unquotedStart, start)), 'run');
        unquotedStart = undefined;
        break;
      case tokenTypes.Url:
        if (rule !== 'namespace')
          add(ident.decode(text.slice(text.indexOf('(') + 1).replace(/\)$/, '')), rule === 'import' ? 'run' : 'load');
        break;
      case tokenTypes.String: {
        unquotedStart = undefined;
        const enclosing = functions.at(-1);
        if (rule === 'import' && (enclosing === undefined || URL_FUNCTIONS.test(enclosing))) add(stringValue(text), 'run');
        else if (rule !== 'namespace' && enclosing !== undefined && URL_FUNCTIONS.test(enclosing)) add(stringValue(text), 'load');
        break;
      }
    }
  });
  if (unquotedStart !== undefined) add(ident.decode(css.slice(unquotedStart)), 'run');
  return found;
}

function stringValue(text: string): string {
  const quote = text[0];
  return ident.decode(text.slice(1, text.length > 1 && text.endsWith(quote as string) ? -1 : undefined));
}

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
