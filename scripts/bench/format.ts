/** The cells of the tables that benchmarks print. */

/** Time and memory that a command took. */
export interface Measurement {
  seconds: number;
  /** Peak memory of all processes together, in megabytes; undefined on systems without /proc. */
  megabytes: number | undefined;
}

/** Returns a row of a Markdown table. */
export const tableRow = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** Returns the median of values, with the lowest and the highest one if there are several. */
export function formatSpread(values: readonly number[], format: (value: number) => string): string {
  const [middle, ...ends] = [median(values), Math.min(...values), Math.max(...values)].map((value) => format(value));
  return values.length > 1 ? `${middle} (${ends.join(' to ')})` : `${middle}`;
}

/** Returns the seconds of several runs. */
export function formatSeconds(runs: readonly Measurement[]): string {
  return formatSpread(secondsOf(runs), (seconds) => seconds.toFixed(1));
}

/** Returns the peak memory of several runs. */
export function formatMemory(runs: readonly Measurement[]): string {
  const memory = runs.flatMap(({ megabytes }) => megabytes ?? []);
  return memory.length > 0 ? `${Math.round(median(memory))} MB` : 'unknown';
}

/** Returns the ratios of runs that alternated. */
export function formatRatio(ours: readonly number[], theirs: readonly number[]): string {
  const ratios = ours.map((value, run) => value / (theirs[run] ?? Number.NaN));
  return `**${median(ratios).toFixed(2)}** (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`;
}

/** Returns a number with separators of thousands. */
export const formatNumber = (value: number): string => value.toLocaleString('en');

/** Prints a line with the time, so that a long benchmark shows what it does. */
export function printStep(line: string): void {
  console.error(`${new Date().toISOString().slice(11, 19)} ${line}`);
}

/** Returns the median; of an even number of values, the upper one. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}

/** Returns the seconds of several runs. */
export const secondsOf = (runs: readonly Measurement[]): number[] => runs.map(({ seconds }) => seconds);
