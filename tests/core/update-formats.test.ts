/** The report of an update as Markdown and as metrics: untrusted text adds no structure to either. */
import fc from 'fast-check';
import MarkdownIt, { type Token } from 'markdown-it';
import { expect, it } from 'vitest';
import { codeSpan, formatUpdateAsMarkdown } from '../../src/build/update/markdown-report.ts';
import { formatMetrics } from '../../src/build/update/metrics.ts';
import { listFirst, type UpdateReport } from '../../src/build/update/update-report.ts';
import type { Failure } from '../../src/snapshot/read.ts';

/** Returns a report in which every untrusted text is the same. */
function createReport(text: string): UpdateReport {
  const record = [{ key: `object:${text}-1`, title: text }];
  const file = [{ url: text, owner: text, cause: text }];
  const failure = {
    ...{ key: text, kind: 'object' as const, name: text, url: text, status: 500, cause: text },
    ...{ transient: true, attempts: 5, referrer: text, hasEarlierVersion: true, since: null, missing: false },
  };
  return {
    ...{ outcome: 'partial' as const, exitCode: 3, messages: [text] },
    ...{ startedAt: '2026-11-24T01:00:00.000Z', finishedAt: '2026-11-24T01:00:10.500Z', duration: 10.5, succeededAt: null },
    ...{ authorsUrl: text, catalogUrl: text, snapshot: text, out: text, freeBytes: 6 },
    steps: [{ step: 'harvest', state: 'failed', seconds: 1.5, cause: text }],
    records: {
      ...{
        counts: { entity: 3 },
        removed: 1,
        failures: listFirst([failure]),
        missing: [],
        mediaFiles: 1,
        mediaBytes: 2,
        mediaFailed: 3,
      },
      incompleteLists: listFirst([{ kind: 'children', name: text, seen: 1, total: 2, passes: 3 }]),
      mediaQuarantined: 4,
    },
    changes: {
      since: '2026-11-23T01:00:00.000Z',
      ...{ new: listFirst(record), changed: listFirst(record), restored: listFirst(record), removed: listFirst(record) },
    },
    media: {
      ...{
        fetched: 1,
        alreadyStored: 2,
        bytes: 3,
        overBudget: 4,
        tooLarge: 5,
        failures: listFirst(file),
        quarantined: listFirst(file),
      },
      ...{ unreachable: [{ host: text, count: 1, cause: text }], elsewhere: [{ host: text, count: 1 }] },
    },
    site: {
      ...{ pages: 1, documents: 1, files: 1, bytes: 1, written: 1, notes: [text], rendered: 1, deleted: 1 },
      ...{ pageProblems: listFirst([{ page: text, cause: text }]), mediaProblems: listFirst(file) },
    },
    verify: { ok: false, findings: listFirst([{ in: 'site', what: text, problem: text }]) },
  };
}

/** Also makes links of URLs in text, as many viewers do. */
const parser = new MarkdownIt({ html: true, linkify: true });

/** Returns all parts of a Markdown text, in order. */
function partsOf(markdown: string): Token[] {
  const flatten = (tokens: Token[]): Token[] => tokens.flatMap((token) => [token, ...flatten(token.children ?? [])]);
  return flatten(parser.parse(markdown, {}));
}

/** Returns the types of all parts, and the texts that are not code. */
function structureOf(markdown: string): string[] {
  return partsOf(markdown).map(({ type, content }) => (type === 'text' ? content : type));
}

const untrusted = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1 }),
  fc.string({ unit: fc.constantFrom(...'`*_[]()<>#|\\!&~-+=.:/@ \n\r\t"\'0a', '\u2028', '\u202e'), minLength: 1, maxLength: 40 }),
  fc.constantFrom(
    ...[
      '[x](javascript:alert(1))',
      '<script>alert(1)</script>',
      '![](http://x.example/t.gif)',
      'https://x.example',
      '``',
      '`` ` ``',
    ],
    ...[
      '# Heading',
      '\n\n# Heading',
      '- item',
      '| a |\n|---|',
      '~~~',
      '```',
      '@jane',
      'jane@x.example',
      '&amp;',
      '<!--',
      '[^1]: x',
    ],
  ),
);

it('no title, cause or path adds anything to the structure of the Markdown report', () => {
  // What is said of a host depends on its name.
  const structureWith = (text: string) =>
    structureOf(
      formatUpdateAsMarkdown(createReport(text)).replace('only the archive’s own network reaches', 'is not an allowed host'),
    );
  const expected = structureWith('Plain');
  expect(expected.filter((type) => type === 'code_inline').length).toBeGreaterThan(20);
  fc.assert(
    fc.property(untrusted, (text) => {
      fc.pre(/[^\s\p{Cc}\p{Zs}\p{Zl}\p{Zp}\u061c\ufeff\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(text));
      expect(structureWith(text)).toEqual(expected);
    }),
  );
});

it('a code span shows its text', () => {
  const shown = (text: string) =>
    partsOf(`- ${codeSpan(text)}`).flatMap(({ type, content }) => (type === 'code_inline' ? [content] : []));
  expect(shown('Title')).toEqual(['Title']);
  expect(shown('`a` and ``b``')).toEqual(['`a` and ``b``']);
  expect(shown('two\nlines')).toEqual(['two lines']);
  expect(codeSpan(' \n')).toBe('(empty)');
});

it('shows the first 20 of a long list, and how many are left out', () => {
  const many = Array.from({ length: 1_234 }, (_, n) => ({ key: `object:demo-org-1-${n}`, title: `Title ${n}` }));
  const report = createReport('Plain');
  const markdown = formatUpdateAsMarkdown({
    ...report,
    changes: { ...report.changes, since: report.startedAt, new: listFirst(many) } as NonNullable<UpdateReport['changes']>,
  });
  expect(markdown).toContain('### New (1234)\n\n- `object:demo-org-1-0` `Title 0`\n');
  expect(markdown).toContain('- `object:demo-org-1-19` `Title 19`\n- and 1214 others\n');
});

it('counts all that is missing in the archive, also beyond the end of the list', () => {
  const report = createReport('Plain');
  const records = report.records as NonNullable<UpdateReport['records']>;
  const failures = { count: 3_001, first: Array.from({ length: 1_000 }, () => records.failures.first[0] as Failure) };
  const markdown = formatUpdateAsMarkdown({ ...report, records: { ...records, failures, missing: [['article', 3_000]] } });
  expect(markdown).toContain('- 3,000 articles that authors name are not in the guide.\n');
  expect(markdown).toMatch(/## Failed resources \(1\)\n\n- `Plain[^\n]*\n\n/);
});

interface ParsedSample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/**
 * Parses the text format of Prometheus strictly (https://prometheus.io/docs/instrumenting/exposition_formats/). Each metric needs
 * HELP and TYPE directly before its samples, and no sample may be repeated.
 */
function parseMetrics(text: string): ParsedSample[] {
  if (!text.endsWith('\n')) throw new Error('The last line must end with a line feed.');
  const samples: ParsedSample[] = [];
  const [seen, described] = [new Set<string>(), new Set<string>()];
  let [help, current]: Array<string | undefined> = [];
  for (const line of text.slice(0, -1).split('\n')) {
    const [, helpName] = /^# HELP ([a-zA-Z_:][\w:]*) (?:[^\\\n]|\\\\|\\n)+$/.exec(line) ?? [];
    const [, typeName] = /^# TYPE ([a-zA-Z_:][\w:]*) gauge$/.exec(line) ?? [];
    if (helpName !== undefined) {
      if (described.has(helpName)) throw new Error(`${helpName} is described twice.`);
      described.add(helpName);
      help = helpName;
    } else if (typeName !== undefined) {
      if (typeName !== help) throw new Error(`${typeName} has no HELP.`);
      current = typeName;
    } else {
      const [, name = '', labels = '', value] =
        /^([a-zA-Z_:][\w:]*)\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)*)\} (-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/.exec(line) ?? [];
      if (value === undefined || name !== current || seen.has(`${name}{${labels}}`)) throw new Error(`Not a sample: ${line}`);
      seen.add(`${name}{${labels}}`);
      const pairs = [...labels.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\\n]|\\["\\n])*)"/g)];
      const decode = (written: string) => written.replace(/\\(.)/g, (_, sign) => (sign === 'n' ? '\n' : sign));
      samples.push({
        name,
        labels: Object.fromEntries(pairs.map(([, label, written = '']) => [label, decode(written)])),
        value: Number(value),
      });
    }
  }
  return samples;
}

it('metrics follow the grammar of the text format, with any path of the snapshot', () => {
  fc.assert(
    fc.property(untrusted, (snapshot) => {
      const samples = parseMetrics(formatMetrics({ ...createReport('Plain'), snapshot }));
      expect(new Set(samples.map(({ labels }) => labels['snapshot']))).toEqual(new Set([snapshot]));
    }),
  );
});

it('metrics have times and durations in seconds, and leave out what is not known', () => {
  const values = (report: UpdateReport) =>
    new Map(
      parseMetrics(formatMetrics(report)).map(({ name, labels: { snapshot: _, ...labels }, value }) => [
        [name.replace('microfiche_', ''), ...Object.values(labels)].join(' '),
        value,
      ]),
    );
  const full = values({ ...createReport('x'), succeededAt: '2026-11-23T01:00:10.500Z' });
  expect(full.get('update_start_timestamp_seconds')).toBe(Date.UTC(2026, 10, 24, 1) / 1000);
  expect(full.get('update_end_timestamp_seconds')).toBe(Date.UTC(2026, 10, 24, 1, 0, 10, 500) / 1000);
  expect(full.get('update_success_timestamp_seconds')).toBe(Date.UTC(2026, 10, 23, 1, 0, 10, 500) / 1000);
  expect(full.get('update_step_duration_seconds harvest')).toBe(1.5);
  const skipped = ['budget', 'size', 'host', 'unreachable'].map((reason) => full.get(`media_skipped ${reason}`));
  expect([...skipped, full.get('disk_free_bytes')]).toEqual([4, 5, 1, 1, 6]);
  expect([full.get('update_outcome partial'), full.get('update_outcome complete')]).toEqual([1, 0]);
  expect([full.get('records entity'), full.get('update_changes new'), full.get('verify_findings')]).toEqual([3, 1, 1]);
  const { records: _, changes: __, media: ___, site: ____, verify: _____, freeBytes: ______, ...locked } = createReport('x');
  expect(
    [...values({ ...locked, steps: [], outcome: 'locked', exitCode: 5 }).keys()].filter((name) => !/outcome/.test(name)),
  ).toEqual(['update_start_timestamp_seconds', 'update_end_timestamp_seconds', 'update_duration_seconds', 'update_exit_code']);
});
