/** Selects the files that fit into the download budget: those of known size first, small before large, to fit the most. */

/**
 * Selects files within a budget in bytes. If it is undefined, all files are selected, in their order. Returns them in the order
 * of their download: files of unknown size are last, and get the rest of the budget. `bytes` is the size of those of known size.
 */
export function selectWithinBudget<T extends { size: number | undefined }>(files: readonly T[], budget: number | undefined) {
  const bytesOf = (some: readonly T[]) => some.reduce((total, { size = 0 }) => total + size, 0);
  if (budget === undefined) return { files: [...files], overBudget: [] as T[], bytes: bytesOf(files) };
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
