/** Checks a design's further style sheet, which may load nothing: pages work offline, and none of its files is copied. */
import { parse, walk } from 'css-tree';
import { tokenize, tokenTypes } from 'css-tree/tokenizer';
import { ident } from 'css-tree/utils';
import { transform } from 'lightningcss';
import { toPrintable } from '../platform/text-lines.ts';
import { findCssReferences, URL_FUNCTIONS } from '../publish/references-in-css.ts';

/** Addresses that load nothing else. */
const WITHIN = /^(?:data:|#|$)/i;
/** Functions whose result is known only in the browser. */
const COMPUTED = /^(?:var|env|attr|if|inherit|--.*)$/;

/** Returns the mistakes in a style sheet, as ends of sentences that begin with the name of its file. */
export function stylesheetProblems(css: string): string[] {
  const problems = [...syntaxProblems(css)];
  let rest = css;
  // What cannot be parsed is searched for addresses all the same.
  walk(parse(css, { positions: true, onParseError: () => undefined }), (node) => {
    if (node.type !== 'Atrule') return;
    const rule = ident.decode(node.name).toLowerCase();
    if (rule === 'namespace') problems.push(' has "@namespace", which must be before all other rules of the site. Remove it.');
    if (!node.loc || rule !== 'import') return;
    problems.push(' imports another style sheet. Copy its rules into the file.');
    const { start, end } = node.loc;
    rest = rest.slice(0, start.offset) + ' '.repeat(end.offset - start.offset) + rest.slice(end.offset);
  });
  for (const { href } of findCssReferences(rest, ''))
    if (!WITHIN.test(href))
      problems.push(
        ` loads ${toPrintable(href, 200)}, and pages load no other files. Use a data: URL, or "design.fonts" for fonts.`,
      );
  problems.push(...tokenProblems(css));
  return [...new Set(problems)];
}

/** The parser's names of characters. */
const CHARACTERS: Readonly<Record<string, string>> = {
  CloseCurlyBracket: '}',
  CloseParenthesis: ')',
  CloseSquareBracket: ']',
  CurlyBracketBlock: '{',
  ParenthesisBlock: '(',
  SquareBracketBlock: '[',
  Colon: ':',
  Comma: ',',
  Semicolon: ';',
};

/** Returns what is not CSS: the first mistake, as a sentence with its line. */
function syntaxProblems(css: string): string[] {
  try {
    transform({ filename: 'design.css', code: Buffer.from(css) });
    return [];
  } catch (error) {
    const { message, loc } = error as Error & { loc?: { line: number } };
    if (!loc) throw error;
    const [, name = '', text] = /^Unexpected token (\w+)(?:\(['"]?(.*?)['"]?\))?$/.exec(message) ?? [];
    const token = text ?? CHARACTERS[name];
    const plain = /^Unexpected token /.test(message) ? 'this is not CSS' : message;
    return [`, line ${loc.line}: ${token === undefined ? plain : `"${toPrintable(token, 80)}" is not expected here`}.`];
  }
}

/** Returns what browsers accept although it is a mistake, and addresses that only they would know. */
function tokenProblems(css: string): string[] {
  const problems: string[] = [];
  const functions: string[] = [];
  const blocks: number[] = [];
  const lineOf = (offset: number) => css.slice(0, offset).split('\n').length;
  tokenize(css, (type, start, end) => {
    const text = css.slice(start, end);
    if (type === tokenTypes.LeftCurlyBracket) blocks.push(start);
    else if (type === tokenTypes.RightCurlyBracket) blocks.pop();
    else if (type === tokenTypes.LeftParenthesis) functions.push('');
    else if (type === tokenTypes.RightParenthesis) functions.pop();
    else if (type === tokenTypes.Comment && (text.length < 4 || !text.endsWith('*/')))
      problems.push(`, line ${lineOf(start)}: the comment that begins here has no end. Close it with "*/".`);
    if (type !== tokenTypes.Function) return;
    const name = ident.decode(text.slice(0, -1)).toLowerCase();
    const loading = functions.find((outer) => URL_FUNCTIONS.test(outer));
    functions.push(name);
    if (loading !== undefined && COMPUTED.test(name))
      problems.push(
        `, line ${lineOf(start)}: ${name}() within ${loading}() can be the address of any file, and pages load no other files. Write a data: URL there.`,
      );
  });
  const [open] = blocks;
  if (open !== undefined) problems.push(`, line ${lineOf(open)}: the block that begins here has no end. Close it with "}".`);
  return problems;
}
