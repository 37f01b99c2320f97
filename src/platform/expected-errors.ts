/** Does work that may fail in a way that is expected. */

/** Returns what `work` returns; undefined if it throws an error of the expected kind. Other errors are thrown. */
export function undefinedIf<T>(isOfKind: (error: unknown) => boolean, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (isOfKind(error)) return undefined;
    throw error;
  }
}

/** Returns what `work` returns; undefined if it fails. */
export const attempt = <T>(work: () => T): T | undefined => undefinedIf(() => true, work);

/** Whether an error of the system has one of these codes. */
export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  codes.includes((error as NodeJS.ErrnoException).code ?? '');

/** Whether an error says that a file does not exist. */
export const isMissing = (error: unknown): boolean => hasCode(error, 'ENOENT');

/** Whether an error says that something above a file is no directory. */
export const isBelowFile = (error: unknown): boolean => hasCode(error, 'ENOTDIR');
