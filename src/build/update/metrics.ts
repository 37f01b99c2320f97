/** Formats the report of an update for the textfile collector of Prometheus' node_exporter. */
import { OUTCOMES } from '../../snapshot/update-file.ts';
import { CHANGES, STEPS, type UpdateReport } from './update-report.ts';

/** A measurement: its value, and the labels that distinguish it from others of the same metric. */
interface Sample {
  labels?: Record<string, string>;
  /** Not reported if undefined. */
  value: number | undefined;
}

/** A metric: what it measures, and its samples. All metrics are gauges: each file describes the last update alone. */
type Metric = [name: string, help: string, samples: Sample[]];

/**
 * Returns the metrics in the text format of Prometheus. Each has the label `snapshot`, the path of its directory, so that the
 * files of several mirrors on one machine do not contradict each other.
 */
export function formatMetrics(report: UpdateReport): string {
  const lines = [...runMetrics(report), ...snapshotMetrics(report), ...siteMetrics(report)].flatMap(([name, help, samples]) => {
    const measured = samples.flatMap(({ labels, value }) =>
      value === undefined ? [] : [`microfiche_${name}${formatLabels({ snapshot: report.snapshot, ...labels })} ${value}`],
    );
    return measured.length === 0 ? [] : [`# HELP microfiche_${name} ${help}`, `# TYPE microfiche_${name} gauge`, ...measured];
  });
  return `${lines.join('\n')}\n`;
}

const one = (value: number | undefined): Sample[] => [{ value }];
/** A measurement for each value of a label. */
const by = <T extends string>(label: string, names: readonly T[], measure: (name: T) => number | undefined): Sample[] =>
  names.map((name) => ({ labels: { [label]: name }, value: measure(name) }));

function runMetrics({ outcome, exitCode, startedAt, finishedAt, duration, succeededAt, steps, changes }: UpdateReport): Metric[] {
  const secondsOf = new Map(steps.map(({ step, seconds }) => [step, seconds]));
  return [
    ['update_start_timestamp_seconds', 'When the last update started, in Unix time.', one(toUnixTime(startedAt))],
    ['update_end_timestamp_seconds', 'When the last update ended, in Unix time.', one(toUnixTime(finishedAt))],
    ['update_success_timestamp_seconds', 'When an update last ended with exit code 0 or 3.', one(toUnixTime(succeededAt))],
    ['update_duration_seconds', 'Duration of the last update.', one(duration)],
    [
      'update_step_duration_seconds',
      'Duration of the steps of the last update.',
      by('step', STEPS, (step) => secondsOf.get(step)),
    ],
    ['update_exit_code', 'Exit code of the last update.', one(exitCode)],
    [
      'update_outcome',
      '1 for the outcome of the last update, 0 for all others.',
      by('outcome', OUTCOMES, (name) => (name === outcome ? 1 : 0)),
    ],
    [
      'update_changes',
      'Records that changed since the site was last built.',
      by('change', CHANGES, (change) => changes?.[change].count),
    ],
  ];
}

function snapshotMetrics({ records, media, freeBytes }: UpdateReport): Metric[] {
  const [counts, skipped] = [records?.counts ?? {}, media ? countSkipped(media) : {}];
  return [
    ['records', 'Records in the snapshot, by kind.', by('kind', Object.keys(counts), (kind) => counts[kind])],
    ['records_removed', 'Records in the snapshot that upstream has removed.', one(records?.removed)],
    ['failed_resources', 'Resources that could not be fetched.', one(records?.failures.count)],
    ['incomplete_lists', 'Lists of upstream that showed fewer entries than their totals.', one(records?.incompleteLists.count)],
    ['media_files', 'Distinct media files in the snapshot.', one(records?.mediaFiles)],
    ['media_bytes', 'Size of the media files in the snapshot.', one(records?.mediaBytes)],
    ['media_failed', 'Media URLs that could not be downloaded.', one(records?.mediaFailed)],
    ['media_quarantined', 'Media files that failed verification.', one(records?.mediaQuarantined)],
    [
      'media_skipped',
      'Media URLs that the last update skipped.',
      by('reason', Object.keys(skipped), (reason) => skipped[reason]),
    ],
    ['disk_free_bytes', 'Free space on the disk of the snapshot.', one(freeBytes)],
    ['update_downloaded_bytes', 'Size of the media files that the last update downloaded.', one(media?.bytes)],
  ];
}

/** How many media URLs an update skipped, by reason. */
function countSkipped(media: NonNullable<UpdateReport['media']>): Record<string, number> {
  const { overBudget, tooLarge, elsewhere, unreachable } = media;
  const total = (hosts: ReadonlyArray<{ count: number }>) => hosts.reduce((sum, { count }) => sum + count, 0);
  return { budget: overBudget, size: tooLarge, host: total(elsewhere), unreachable: total(unreachable) };
}

function siteMetrics({ records, site, verify }: UpdateReport): Metric[] {
  return [
    ['site_pages', 'Pages of the site, if the last update built it.', one(site?.pages)],
    ['site_rendered_pages', 'Pages that the last update rendered.', one(site?.rendered)],
    ['site_page_problems', 'Problems with single pages.', one(site?.pageProblems.count)],
    ['site_files', 'Files of the site.', one(records?.siteFiles)],
    ['site_bytes', 'Size of the site.', one(records?.siteBytes)],
    ['verify_findings', 'Findings of the last verification.', one(verify?.findings.count)],
  ];
}

const toUnixTime = (time: string | null): number | undefined => (time === null ? undefined : Date.parse(time) / 1000);

function formatLabels(labels: Record<string, string>): string {
  const escapeValue = (value: string) => value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');
  return `{${Object.entries(labels)
    .map(([name, value]) => `${name}="${escapeValue(value)}"`)
    .join(',')}}`;
}
