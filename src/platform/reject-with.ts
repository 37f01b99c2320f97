/** Waits for steps that would never end once the output to which they write has failed. */

/** Returns a function that waits for a step, or rejects when the output fails. `Promise.race` would keep all steps in memory. */
export function rejectWith(output: Promise<void>): (step: Promise<void>) => Promise<void> {
  let failure: { error: unknown } | undefined;
  let rejectStep: ((error: unknown) => void) | undefined;
  output.catch((error: unknown) => {
    failure = { error };
    rejectStep?.(error);
  });
  return (step) =>
    new Promise((resolve, reject) => {
      rejectStep = reject;
      step.then(resolve, reject);
      if (failure) reject(failure.error);
    });
}
