/** Selects the files that fit into the download budget: those of known size first, small before large, to fit the most. */

/** Files that fit into a budget, and those that do not. */
export interface BudgetSelection<T> {
  /** In the order of their download. Files of unknown size are last, and get the rest of the budget. */
  files: T[];
  /** Files that exceed what is left of the budget. */
  overBudget: T[];
  /** Total size in bytes of the selected files of known size. */
  bytes: number;
}

/** Selects files within a budget in bytes. If it is undefined, all files are selected, in their order. */
export function selectWithinBudget<T extends { size: number | undefined }>(
  files: readonly T[],
  budget: number | undefined,
): BudgetSelection<T> {
  const bytesOf = (some: readonly T[]) => some.reduce((total, { size = 0 }) => total + size, 0);
  if (budget === undefined) return { files: [...files], overBudget: [], bytes: bytesOf(files) };
  const bySize = files.filter(({ size }) => size !== undefined).sort((a, b) => (a.size ?? 0) - (b.size ?? 0));
  let bytes = 0;
  const fits = (file: T) => {
    if (bytes + (file.size ?? 0) > budget) return false;
    bytes += file.size ?? 0;
    return true;
  };
  const [known, overBudget] = [[] as T[], [] as T[]];
  for (const file of bySize) (fits(file) ? known : overBudget).push(file);
  const unknown = files.filter(({ size }) => size === undefined);
  return bytes < budget
    ? { files: [...known, ...unknown], overBudget, bytes }
    : { files: known, overBudget: [...overBudget, ...unknown], bytes };
}
