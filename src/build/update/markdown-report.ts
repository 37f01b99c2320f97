/** Formats an update report as Markdown. Untrusted text is in code spans, so that it makes no Markdown, HTML, link or mention. */
import { formatFailure, formatIncompleteList } from '../../harvest/report.ts';
import { firstCause } from '../../media/media-report.ts';
import { isInternalHost } from '../../model/internal-host.ts';
import { capitalize } from '../../model/text/capitalize.ts';
import { formatBytes } from '../../platform/quantities.ts';
import { formatCount, lineIf, toPrintable } from '../../platform/text-lines.ts';
import { MISSING_SENTENCES } from '../../snapshot/missing-groups.ts';
import { OUTCOMES, type Outcome } from '../../snapshot/update-file.ts';
import { CHANGES, type ChangedRecord, type Listed, type ListedChanges, type UpdateReport } from './update-report.ts';

/** Maximum items of a list. The JSON report has more. */
const MAX_ITEMS = 20;

/** How a report begins. */
export const REPORT_HEADING = '# Update: ';

/** How each outcome is called in headings and messages. */
export const OUTCOME_WORDS = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, outcome.replaceAll('-', ' ')])) as Readonly<
  Record<Outcome, string>
>;

/** Returns the report as Markdown. */
export function formatUpdateAsMarkdown(report: UpdateReport): string {
  const { outcome, exitCode, messages, startedAt, finishedAt, duration, steps } = report;
  const blocks = [
    `${REPORT_HEADING}${OUTCOME_WORDS[outcome]}`,
    messages.map((message) => `- ${codeSpan(message)}`).join('\n'),
    [
      `- Exit code: ${exitCode}`,
      `- Started: ${startedAt}`,
      `- Finished: ${finishedAt} (${duration.toFixed(1)} s)`,
      `- Upstream: ${[...new Set([report.catalogUrl, report.authorsUrl])].map(codeSpan).join(' and ')}`,
      `- Snapshot: ${codeSpan(report.snapshot)}`,
      `- Site: ${codeSpan(report.out)}`,
    ].join('\n'),
    ...section(
      'Steps',
      steps.map(
        ({ step, state, seconds, cause }) => `${step}: ${state}, ${seconds.toFixed(1)} s${cause ? ` (${codeSpan(cause)})` : ''}`,
      ),
    ),
    ...changeBlocks(report.changes),
    ...snapshotBlocks(report),
    ...mediaBlocks(report),
    ...siteBlocks(report),
    ...(report.verify
      ? report.verify.ok
        ? section('Verification', ['no findings'])
        : listBlock('Findings of verify', report.verify.findings, (finding) =>
            codeSpan(`${finding.in}: ${finding.what}: ${finding.problem}`),
          )
      : []),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function changeBlocks(changes: ListedChanges | undefined): string[] {
  if (!changes) return [];
  // Keys of guide pages and authors have the title already.
  const format = ({ key, title }: ChangedRecord) =>
    title === null || key.endsWith(`:${title}`) ? codeSpan(key) : `${codeSpan(key)} ${codeSpan(title)}`;
  const blocks = CHANGES.flatMap((change) => listBlock(capitalize(change), changes[change], format, 3));
  return [`## Changes since ${changes.since}`, ...(blocks.length > 0 ? blocks : ['None.'])];
}

function snapshotBlocks({ records }: UpdateReport): string[] {
  if (!records) return [];
  const { counts, removed, failures, missing, incompleteLists, mediaFiles, mediaBytes } = records;
  const count = missing.reduce((others, [, own]) => others - own, failures.count);
  return [
    ...section('Snapshot', [
      ...Object.entries(counts).map(([kind, count]) => `${kind}: ${count}`),
      `removed: ${removed}`,
      `media files: ${mediaFiles} (${formatBytes(mediaBytes)})`,
    ]),
    ...section(
      'Missing in the archive itself',
      missing.map(([group, own]) => MISSING_SENTENCES[group](own)),
    ),
    ...listBlock('Failed resources', { count, first: failures.first.slice(0, count) }, (failure) =>
      codeSpan(formatFailure(failure).trim()),
    ),
    ...listBlock('Incomplete lists', incompleteLists, (list) => codeSpan(formatIncompleteList(list).trim())),
  ];
}

function mediaBlocks({ media }: UpdateReport): string[] {
  if (!media) return [];
  const { fetched, alreadyStored, bytes, unreachable, elsewhere, overBudget, tooLarge, failures, quarantined } = media;
  return [
    ...section('Media', [
      `downloaded: ${fetched} (${formatBytes(bytes)})`,
      `stored before: ${alreadyStored}`,
      ...lineIf(overBudget, `skipped, beyond --budget: ${overBudget}`),
      ...lineIf(tooLarge, `skipped, larger than --max-file: ${tooLarge}`),
      ...elsewhere.map(
        ({ host, count }) =>
          `skipped on ${codeSpan(host)}, which ${isInternalHost(host) ? 'only the archive’s own network reaches' : 'is not an allowed host'}: ${count}`,
      ),
      ...unreachable.map(
        ({ host, count, cause, resumeAt }) =>
          `skipped on ${codeSpan(host)}, which ${resumeAt === undefined ? 'is unreachable' : 'must not be requested now'} (${codeSpan(cause)}): ${count}`,
      ),
    ]),
    ...listBlock('Failed media files', failures, ({ owner, url, cause }) => codeSpan(`${owner}: ${cause} (${url})`)),
    ...listBlock('Quarantined media files', quarantined, (file) => codeSpan(`${file.owner}: ${firstCause(file)} (${file.url})`)),
  ];
}

function siteBlocks({ site }: UpdateReport): string[] {
  if (!site) return [];
  const { pages, rendered, documents, files, bytes, written, deleted, pageProblems, mediaProblems, notes } = site;
  return [
    ...section('Site', [
      `pages: ${pages}, ${rendered} rendered`,
      `search documents: ${documents}`,
      `files: ${files} (${formatBytes(bytes)}), ${written} written, ${deleted} deleted`,
      ...notes.map(codeSpan),
    ]),
    ...listBlock('Problems with single pages', pageProblems, ({ page, cause }) => codeSpan(`${page}: ${cause}`)),
    ...listBlock('Unusable media files', mediaProblems, ({ owner, url, cause }) => codeSpan(`${owner}: ${cause} (${url})`)),
  ];
}

function section(heading: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`## ${heading}`, items.map((item) => `- ${item}`).join('\n')];
}

/** Returns a heading with the number of items, and the first of them; nothing if there are none. `format` returns Markdown. */
function listBlock<T>(heading: string, { count, first }: Listed<T>, format: (item: T) => string, level = 2): string[] {
  if (count === 0) return [];
  const shown = first.slice(0, MAX_ITEMS).map((item) => `- ${format(item)}`);
  const omitted = count > shown.length ? [`- and ${formatCount(count - shown.length, 'other')}`] : [];
  return [`${'#'.repeat(level)} ${heading} (${count})`, [...shown, ...omitted].join('\n')];
}

/** Returns untrusted text as a code span: on one line, between more backticks than it contains in a row. */
export function codeSpan(text: string): string {
  const printable = toPrintable(text).trim();
  if (printable === '') return '(empty)';
  const longest = Math.max(0, ...(printable.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const space = /^`|`$/.test(printable) ? ' ' : '';
  return `${fence}${space}${printable}${space}${fence}`;
}
