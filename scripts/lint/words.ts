/** Finds words that docs/glossary.md says to avoid, and British spelling: in names, comments, texts and documents. */
import type { Finding } from './finding.ts';

/** What is discouraged, and what to write instead. */
const RULES: ReadonlyArray<readonly [pattern: RegExp, use: string]> = [
  [/\b(be|was|were) had\b/giu, 'could not be downloaded; failed; is unavailable'],
  [/\banew\b/giu, 'again; from scratch'],
  [/\bbesides\b/giu, 'in addition to; other than'],
  [/\bliving archives?\b/giu, 'live archive (pages); upstream (code, messages, documents)'],
  [/\bsticks?\b/giu, 'USB drive'],
  [/\b(stead|in the place of)\b/giu, 'instead; instead of; placeholder'],
  [/\bmend(s|ed|ing)?\b/giu, 'repair'],
  [/\bheld ?back\b/giu, 'withheld; stream-only (a recording)'],
  [/\b(no|some|every)body\b|\bwhoever\b|\bwhatever\b/giu, 'name the component, or use the passive; regardless of; any'],
  [/\b(without end|for ever)\b/giu, 'indefinitely'],
  [/\b(MOST|LONGEST|LEAST|FEWEST|LARGEST|DEEPEST)_\w+/giu, 'MAX_…; MIN_…'],
  [
    /\b(licence[sd]?|neighbour\w*|(mis)?behaviour\w*|colour\w*|favour\w*|honour\w*|centre[sd]?|organis(e|ed|es|ing|ation)\w*|recognis\w+|normalis\w+|grey|cancelled|labelled|travell\w+|programmes?)\b/giu,
    'American spelling: license, neighbor, behavior, color, center, organize, gray, canceled',
  ],
];

const SCANNED = /^(?:(?:src|scripts|content\/drawing|tests|docs)\/.*|[^/]*)\.(?:ts|astro|mjs|json|md|css|sql)$/;
/** Not scanned: what npm writes, other languages, the text of the sample archive, and the lists of the words themselves. */
const EXCLUDED = new Set(['package-lock.json', 'scripts/bench/search-queries.json', 'docs/glossary.md', 'scripts/lint/words.ts']);
const TRANSLATION = /^src\/site\/language\/(?!en\.)\w+\.json$/;
/** A comment that allows the words on its line, and says why. */
const MARK = /(?<!`)(?:\/\/|\/\*|<!--|--)[ \t]*prose-ok: \w/;

/** Returns the discouraged words of a file; none if it is not scanned. A marked line without such a word is a finding too. */
export function findWords(path: string, text: string): Finding[] {
  if (!SCANNED.test(path) || EXCLUDED.has(path) || TRANSLATION.test(path)) return [];
  return text.split('\n').flatMap((line, i): Finding[] => {
    // Names are split into words first, so that `camelCase` matches “camel case”.
    const words = line.replace(/([a-z0-9])([A-Z])/g, '$1 $2');
    const hits = RULES.flatMap(([pattern, use]) =>
      [...words.matchAll(pattern)].map(([word]) => ({ path, line: i + 1, message: `"${word}": use "${use}"` })),
    );
    if (!MARK.test(line)) return hits;
    return hits.length > 0 ? [] : [{ path, line: i + 1, message: 'prose-ok: nothing on this line needs it' }];
  });
}
