/** The setting `components`: the archive's own components by the names of those that they replace. */
import { z } from 'zod';
import { findNearestName } from '../model/nearest-name.ts';
import type { SettingProblem } from '../model/setting-problem.ts';
import { toPrintable } from '../platform/text-lines.ts';
import { COMPONENT_NAMES } from './own-components.ts';

const FILE = 'must be the path of an .astro file';
const file = z.string(FILE).regex(/\.astro$/, FILE);

/** The setting `components`. */
export const componentsSchema = z.strictObject(
  Object.fromEntries(COMPONENT_NAMES.map((name) => [name, file.optional()])),
  'must name components, as in {"Footer": "./src/Footer.astro"}',
);

/** Returns the mistakes in the setting. The files that it names are not read. */
export function componentsProblems(value: unknown): SettingProblem[] {
  const { error } = componentsSchema.safeParse(value);
  return (error?.issues ?? []).flatMap((issue): SettingProblem[] => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({ path: ['components', key], problem: unknownComponent(key) }));
    const path = ['components', ...issue.path.map(String)];
    return [{ path, problem: `"${path.join('.')}" ${issue.message}.` }];
  });
}

function unknownComponent(name: string): string {
  const nearest = findNearestName(name, COMPONENT_NAMES);
  const hint =
    nearest !== undefined
      ? `Did you mean "${nearest}"?`
      : `The components that can be replaced are ${COMPONENT_NAMES.join(', ')}.`;
  return `"components" has no component "${toPrintable(name, 60)}". ${hint}`;
}
