/** Says what is wrong in the setting `design`. */
import type { z } from 'zod';
import type { SettingProblem } from '../../model/setting-problem.ts';
import { toPrintable } from '../../platform/text-lines.ts';
import { designSchema } from './settings.ts';

/** Returns the mistakes in the setting. The files that it names are not read. */
export function designProblems(value: unknown): SettingProblem[] {
  const { error } = designSchema.safeParse(value);
  return (error?.issues ?? []).map(describe);
}

function describe(issue: z.core.$ZodIssue): SettingProblem {
  const deeper =
    issue.code === 'invalid_union' ? issue.errors.find((branch) => branch.every(({ path }) => path.length > 0)) : undefined;
  const [first] = deeper ?? [];
  // The value has the form of this branch, and only something in it is wrong.
  if (first) return describe({ ...first, path: [...issue.path, ...first.path] });
  const path = ['design', ...issue.path.map(String)];
  if (issue.code !== 'unrecognized_keys') return { path, problem: `"${path.join('.')}" ${sentenceOf(issue.message)}` };
  const [key = ''] = issue.keys;
  return { path: [...path, key], problem: `"${path.join('.')}" has no setting "${toPrintable(key, 60)}".` };
}

/** Returns the end of a sentence that begins with the name of a setting. */
export function sentenceOf(message: string): string {
  return `${/^(?:must|needs|has) /.test(message) ? message : `is not valid: ${message}`}.`;
}
