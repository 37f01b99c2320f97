/** Compares programs that make pages or sites: runs each in turn, and prints what it took, what it made, and what that lacks. */
import { join } from 'node:path';
import { execa } from 'execa';
import { listFiles } from '../../src/snapshot/directory-files.ts';
import {
  formatMemory,
  formatNumber,
  formatRatio,
  formatSeconds,
  type Measurement,
  printStep,
  secondsOf,
  tableRow,
} from './format.ts';
import { type CommandOptions, measureAll, measureCommand } from './measure.ts';
import { setAside, sizeOf } from './program.ts';

/** A program that makes pages or a site. */
export interface Contender {
  title: string;
  /** The file that starts it; undefined if it is not installed. */
  program: string | undefined;
  /** Arguments with which it prints its version, if it is a program of others. */
  version?: readonly string[];
  args: readonly string[];
  options?: CommandOptions;
  /** What it writes, which is not there before a run. The first is the directory of the pages. */
  out: readonly [site: string, ...others: string[]];
  /** Is called before the first run. What the contenders before it make is there. */
  prepare?: () => void;
  /** Returns a sentence about what it made. */
  check?: () => string;
  /** What its pages do not have of those of Microfiche. */
  lacks: string;
}

/** Contenders of which each is compared with the first, which is Microfiche. */
export type Group = readonly [Contender, ...Contender[]];

/** Measures all contenders in turn, in a directory for their files. Prints a table. */
export async function compare(title: string, groups: readonly Group[], directory: string, runs: number): Promise<void> {
  const contenders = groups.flat();
  const measure = (contender: Contender, program: string) => async (run: number) => {
    if (run === 0) contender.prepare?.();
    for (const path of contender.out) setAside(path, { old: join(directory, 'old') });
    return measureCommand(program, contender.args, contender.options);
  };
  const installed = contenders.flatMap((contender) =>
    contender.program ? [[contender.title, measure(contender, contender.program)] as const] : [],
  );
  printStep(title);
  const measured: Record<string, Measurement[]> = await measureAll(runs, Object.fromEntries(installed));
  const rows = groups.flatMap((group) => group.map((contender) => rowOf(contender, group[0], measured)));
  console.log(`
| ${title} (medians of ${runs}) | seconds | peak memory | pages | bytes | Microfiche ÷ it | what it lacks |
| --- | ---: | ---: | ---: | ---: | --- | --- |
${(await Promise.all(rows)).join('\n')}
`);
  for (const { title, program, check } of contenders) if (program && check) console.log(`${title}: ${check()}\n`);
}

async function rowOf(
  { title, program, version, out: [site], lacks }: Contender,
  first: Contender,
  measured: Record<string, Measurement[]>,
) {
  const runs = measured[title];
  if (!program || !runs) return tableRow(title, 'not measured: it is not installed', '', '', '', '', lacks);
  const printed = version && (await execa(program, version)).stdout;
  const name = printed ? `${title} (${/\d+(?:\.\d+)+/.exec(printed)?.[0]})` : title;
  const pages = listFiles(site).filter(([path]) => path.endsWith('.html')).length;
  const ratio = title === first.title ? '' : formatRatio(secondsOf(measured[first.title] ?? []), secondsOf(runs));
  const made = [formatNumber(pages), formatNumber(sizeOf(site).bytes)];
  return tableRow(name, formatSeconds(runs), formatMemory(runs), ...made, ratio, lacks);
}
