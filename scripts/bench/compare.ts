/** Compares programs that make pages or sites: runs each in turn, and prints what it took, what it made, and what that lacks. */
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
  /** Arguments with which it prints its version. */
  version?: readonly string[];
  args: readonly string[];
  options?: CommandOptions;
  /** What it writes, which is not there before a run. The first is the directory of the pages. */
  out: readonly [site: string, ...others: string[]];
  /** Is called before the first run. What the contenders before it make is there. */
  prepare?: () => void;
  /** Returns a sentence about what it made. */
  check?: () => string;
  /** What it does not make of a site of Microfiche. */
  lacks?: string;
}

/** Contenders of which each is compared with the first. */
export type Group = readonly [Contender, ...Contender[]];

/** Measures all contenders in turn. `old` is a directory for what was made before. Prints a table. */
export async function compare(title: string, groups: readonly Group[], old: string, runs: number): Promise<void> {
  const contenders = groups.flat();
  const measure = (contender: Contender, program: string) => async (run: number) => {
    if (run === 0) contender.prepare?.();
    for (const path of contender.out) setAside(path, { old });
    return measureCommand(program, contender.args, contender.options);
  };
  const installed = contenders.flatMap((one) => (one.program ? [[one.title, measure(one, one.program)] as const] : []));
  printStep(title);
  const measured: Record<string, Measurement[]> = await measureAll(runs, Object.fromEntries(installed));
  const rowOf = async ({ title, program, version, out: [site], lacks = '' }: Contender, [first]: Group) => {
    const all = measured[title];
    if (!program || !all) return tableRow(title, 'not measured: it is not installed', '', '', '', '', lacks);
    const printed = version && /\d+(?:\.\d+)+/.exec((await execa(program, version)).stdout)?.[0];
    const pages = listFiles(site).filter(([path]) => path.endsWith('.html')).length;
    const made = [pages, sizeOf(site).bytes].map(formatNumber);
    const ratio = title === first.title ? '' : formatRatio(secondsOf(measured[first.title] ?? []), secondsOf(all));
    return tableRow(printed ? `${title} (${printed})` : title, formatSeconds(all), formatMemory(all), ...made, ratio, lacks);
  };
  const rows = await Promise.all(groups.flatMap((group) => group.map((contender) => rowOf(contender, group))));
  console.log(`
| ${title} (medians of ${runs}) | seconds | peak memory | pages | bytes | Microfiche ÷ it | what it lacks |
| --- | ---: | ---: | ---: | ---: | --- | --- |
${rows.join('\n')}
`);
  for (const { title, program, check } of contenders) if (program && check) console.log(`${title}: ${check()}\n`);
}
