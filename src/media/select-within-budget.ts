/** Which files a budget reaches: those of known size first, small ones before large ones, so that it goes furthest. */

interface SizedFile {
  size: number | undefined;
}

export interface BudgetSelection<T> {
  /** In the order in which they are downloaded. Those of unknown size stand last, and get what is left. */
  files: T[];
  /** Larger than what is left of the budget. */
  overBudget: T[];
  /** Bytes of the files of known size. */
  bytes: number;
}

/** Without a budget every file, in its order. */
export function selectWithinBudget<T extends SizedFile>(files: readonly T[], budget: number | undefined): BudgetSelection<T> {
  const bytesOf = (some: readonly T[]) => some.reduce((sum, { size = 0 }) => sum + size, 0);
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
