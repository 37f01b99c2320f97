/** Says what is wrong in a setting of the configuration, such as `design`. */
import { z } from 'zod';
import { toPrintable } from '../platform/text-lines.ts';
import { findNearestName } from './text/nearest-name.ts';

/** A message lists the names that an object may have, up to this number. */
const MAX_NAMED = 20;

/** A mistake in the settings of the configuration. */
export interface SettingProblem {
  /** Names of settings, and positions in lists, from the outermost one. */
  path: readonly string[];
  /** One sentence. */
  problem: string;
}

/** Returns a function that returns the mistakes in a setting, the first per value. Does not read the files and records named. */
export function checkerOf(setting: string, schema: z.ZodType): (value: unknown) => SettingProblem[] {
  return (value) => {
    const problems = new Map<string, SettingProblem>();
    for (const problem of (schema.safeParse(value).error?.issues ?? []).flatMap((issue) => describe(issue, setting, schema))) {
      const place = problem.path.join('.');
      if (!problems.has(place)) problems.set(place, problem);
    }
    return [...problems.values()];
  };
}

function describe(issue: z.core.$ZodIssue, setting: string, schema: z.ZodType): SettingProblem[] {
  const deeper =
    issue.code === 'invalid_union' ? issue.errors.find((branch) => branch.every(({ path }) => path.length > 0)) : undefined;
  const [first] = deeper ?? [];
  // The value has the form of this branch, and only something in it is wrong.
  if (first) return describe({ ...first, path: [...issue.path, ...first.path] }, setting, schema);
  const path = [setting, ...issue.path.map(String)];
  if (issue.code !== 'unrecognized_keys') return [{ path, problem: `"${path.join('.')}" ${issue.message}.` }];
  const known = namesAt(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), issue.path.map(String));
  return issue.keys.map((key) => {
    const nearest = findNearestName(key, known);
    const names =
      known.length > 0 && known.length <= MAX_NAMED ? ` There are only ${known.map((name) => `"${name}"`).join(', ')}.` : '';
    const hint = nearest === undefined ? names : ` Did you mean "${nearest}"?`;
    return { path: [...path, key], problem: `"${path.join('.')}" has no setting "${toPrintable(key, 60)}".${hint}` };
  });
}

/** Returns the names that the object at a path may have. */
function namesAt(schema: z.core.JSONSchema._JSONSchema, path: readonly string[]): string[] {
  if (typeof schema === 'boolean') return [];
  const { anyOf = [], properties = {}, items, additionalProperties: others = false } = schema;
  const [step, ...rest] = path;
  const branches = anyOf.flatMap((branch) => namesAt(branch, path));
  if (step === undefined) return [...branches, ...Object.keys(properties)];
  const inList = /^\d+$/.test(step) && items !== undefined && !Array.isArray(items) ? [items] : [];
  const within = Object.hasOwn(properties, step) ? [properties[step] ?? false] : [...inList, others];
  return [...branches, ...within.flatMap((each) => namesAt(each, rest))];
}
