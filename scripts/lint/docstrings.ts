/** Finds exported names without a docstring. */
import ts from 'typescript';
import type { Finding } from './finding.ts';

/** Returns the exported functions, types, interfaces, classes and constants of a file that have none. */
export function findMissingDocstrings(path: string, text: string): Finding[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, ts.ScriptKind.TS);
  const listed = listedExports(source);
  const findings: Finding[] = [];
  const described = new Set<string>();
  for (const statement of source.statements) {
    const modifiers = ts.canHaveModifiers(statement) ? (statement.modifiers ?? []) : [];
    const isExported = modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    const names = namesOf(statement).filter((name) => isExported || listed.has(name));
    // One docstring is enough for all overloads of a function.
    if (hasDocstring(statement, text)) for (const name of names) described.add(name);
    const line = source.getLineAndCharacterOfPosition(statement.getStart(source)).line + 1;
    for (const name of names)
      if (!described.has(name)) findings.push({ path, line, message: `${name} is exported and has no docstring` });
  }
  return findings;
}

/** Names that a file exports by `export { … }`. */
function listedExports({ statements }: ts.SourceFile): Set<string> {
  const clauses = statements.filter(ts.isExportDeclaration).filter(({ moduleSpecifier }) => !moduleSpecifier);
  const listed = clauses.flatMap(({ exportClause }) =>
    exportClause && ts.isNamedExports(exportClause) ? [...exportClause.elements] : [],
  );
  return new Set(listed.map(({ name, propertyName }) => (propertyName ?? name).text));
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.flatMap(({ name }) => boundNames(name));
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isEnumDeclaration(statement) ||
    ts.isModuleDeclaration(statement);
  return isNamed ? [statement.name?.text ?? 'the default export'] : [];
}

/** The names that a declaration gives; `{ a, b: [c] }` gives two. */
function boundNames(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? boundNames(element.name) : []));
}

/** Whether the last comment before a statement is a docstring. A blank line between them makes it the header of the module. */
function hasDocstring(statement: ts.Statement, text: string): boolean {
  const last = ts.getLeadingCommentRanges(text, statement.pos)?.at(-1);
  if (last === undefined || !/^\/\*\*[\s*]*[^\s*/]/.test(text.slice(last.pos, last.end))) return false;
  return /^[^\S\n]*\n?[^\S\n]*\S/.test(text.slice(last.end));
}
