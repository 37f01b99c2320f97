/** Reads the setting `components`, own components by the names of those that they replace, and checks that their files exist. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { checkerOf, type SettingProblem } from '../model/setting-problem.ts';
import { COMPONENT_NAMES } from '../site/own-components.ts';
import { missingFile } from './setting-files.ts';

/** The archive's own components: the directory of the settings, and files by the names of the components that they replace. */
export type ReadComponents = NonNullable<ReturnType<typeof readComponents>>;

const FILE = 'must be the path of an .astro file';
/** The setting. */
export const componentsSchema = z.strictObject(
  Object.fromEntries(
    COMPONENT_NAMES.map((name) => [
      name,
      z
        .string(FILE)
        .regex(/\.astro$/, FILE)
        .optional(),
    ]),
  ),
  'must name components, as in {"Footer": "./src/Footer.astro"}',
);

/** Reads the setting, with paths relative to `directory`. Calls `report` with problems, which throws. Undefined if empty. */
export function readComponents(value: unknown, directory: string, report: (problems: readonly SettingProblem[]) => void) {
  report(checkerOf('components', componentsSchema)(value));
  const settings = componentsSchema.parse(value);
  const files = COMPONENT_NAMES.flatMap((name) => {
    const path = settings[name];
    return path === undefined ? [] : [[name, resolve(directory, path)] as const];
  });
  const missing = files.filter(([, file]) => !statSync(file, { throwIfNoEntry: false })?.isFile());
  report(
    missing.map(([name]) => ({
      path: ['components', name],
      problem: `"components.${name}": ${missingFile(settings[name] ?? '')}`,
    })),
  );
  return files.length === 0 ? undefined : { directory, files };
}
