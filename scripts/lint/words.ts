/** Finds words that docs/glossary.md says to avoid: in names, comments, texts and documents. The rules are data: words.json. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from './finding.ts';

interface WordRule {
  /** A regular expression. Its flags are `giu`. */
  pattern: string;
  /** What to write instead. */
  use: string;
}

interface WordList {
  rules: WordRule[];
  /** Texts that cannot change, so that no rule applies to them. */
  allowed: Array<{ text: string; why: string }>;
  /** Files that are not scanned. */
  excluded: Array<{ path: string; why: string }>;
}

const WORDS = JSON.parse(readFileSync(join(import.meta.dirname, 'words.json'), 'utf8')) as WordList;
const RULES = WORDS.rules.map((rule) => ({ ...rule, expression: new RegExp(rule.pattern, 'giu') }));
const EXCLUDED = new Set(WORDS.excluded.map(({ path }) => path));
const SCANNED = /^(?:(?:src|scripts|tests|docs)\/.*|[^/]*)\.(?:ts|astro|mjs|json|md|css|sql)$/;
const GLOSSARY = 'docs/glossary.md';

/** A comment that allows the words on its line, and says why. */
const MARK = /(?<!`)(?:\/\/|\/\*|<!--|--)[ \t]*prose-ok:[ \t]*([^*>\s-]?).*/;

/** Returns the discouraged words of a file; none if the file is not scanned. A marked line without such a word is a finding too. */
export function findWords(path: string, text: string): Finding[] {
  if (!SCANNED.test(path) || EXCLUDED.has(path)) return [];
  const lines = (path === GLOSSARY ? withoutAvoidedWords(text) : text).split('\n');
  return lines.flatMap((original, i): Finding[] => {
    const hits = hitsIn(original).map((message): Finding => ({ path, line: i + 1, message }));
    const mark = MARK.exec(original);
    if (!mark) return hits;
    const message = mark[1] ? 'prose-ok: nothing on this line needs it' : 'prose-ok: say why';
    return mark[1] && hits.length > 0 ? [] : [{ path, line: i + 1, message }];
  });
}

/** Returns the discouraged words of a line. Names are split into words first, so that `camelCase` matches “camel case”. */
function hitsIn(line: string): string[] {
  let text = line.replace(MARK, '');
  for (const { text: allowed } of WORDS.allowed) text = text.replaceAll(allowed, ' ');
  text = text.replace(/([a-z0-9])([A-Z])/g, '$1 $2');
  return RULES.flatMap(({ use, expression }) => [...text.matchAll(expression)].map(([word]) => `"${word}": use "${use}"`));
}

/** Returns the glossary without the words that it discourages: those in columns with the headings “Not” and “Word”. */
function withoutAvoidedWords(markdown: string): string {
  let header: string[] = [];
  let inTable = false;
  return markdown
    .split('\n')
    .map((line) => {
      const isRow = line.startsWith('|');
      const cells = line.split('|').map((cell) => cell.trim());
      if (isRow && !inTable) header = cells;
      inTable = isRow;
      return isRow ? cells.filter((_, i) => !['Not', 'Word'].includes(header[i] ?? '')).join('|') : line;
    })
    .join('\n');
}
