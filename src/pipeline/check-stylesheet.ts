/** Checks the further style sheet of a design, which may load nothing: pages work without a network, and none of its files is copied. */
import { ident, parse, walk } from 'css-tree';
import { toPrintable } from '../platform/text-lines.ts';
import { findCssReferences } from '../publish/references-in-css.ts';

/** Addresses that load nothing else. */
const WITHIN = /^(?:data:|#|$)/i;
/** Text in a variable that is an address: `image-set(var(--x))` loads it. */
const ADDRESS = /["']\s*((?:https?:)?\/\/[^"']*)/gi;

/** Returns the mistakes in a style sheet, as ends of sentences that begin with the name of its file. */
export function stylesheetProblems(css: string): string[] {
  const problems: string[] = [];
  const addresses: string[] = [];
  const tree = parse(css, {
    positions: true,
    onParseError: ({ message, line }) => void problems.push(`, line ${line}: ${message.replace(/\.$/, '')}.`),
  });
  let rest = css;
  walk(tree, ({ type, name = '', loc, property, value }) => {
    if (type === 'Atrule' && loc && ident.decode(name).toLowerCase() === 'import') {
      problems.push(' imports another style sheet. Copy its rules into the file.');
      const { start, end } = loc;
      rest = rest.slice(0, start.offset) + ' '.repeat(end.offset - start.offset) + rest.slice(end.offset);
    }
    if (type === 'Declaration' && property?.startsWith('--') && typeof value === 'object' && value?.type === 'Raw')
      addresses.push(...Array.from(String(value.value).matchAll(ADDRESS), ([, address = '']) => address));
  });
  addresses.unshift(...findCssReferences(rest, '').map(({ href }) => href));
  for (const address of addresses)
    if (!WITHIN.test(address))
      problems.push(
        ` loads ${toPrintable(address, 200)}, and pages load no other files. Use a data: URL, or "design.fonts" for fonts.`,
      );
  return [...new Set(problems)];
}
