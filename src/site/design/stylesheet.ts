/** Checks the further style sheet of a design. */
import { parse, walk } from 'css-tree';

/** Returns the mistakes in a style sheet, as ends of sentences that begin with the name of its file. */
export function stylesheetProblems(css: string): string[] {
  const problems: string[] = [];
  const tree = parse(css, {
    positions: true,
    onParseError: ({ message, line }) => void problems.push(`, line ${line}: ${message}.`),
  });
  walk(tree, (node) => {
    if (node.type === 'Atrule' && node.name === 'import')
      problems.push(' imports another style sheet. Copy its rules into the file.');
    if (node.type === 'Url' && !/^(?:data:|#)/i.test(String(node.value)))
      problems.push(` loads ${String(node.value)}, and pages load no other files. Use a data: URL, or "design.fonts" for fonts.`);
  });
  return problems;
}
