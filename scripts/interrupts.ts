/** Listens for Ctrl-C and for the signal with which service managers stop a process. */
import { EXIT_CODES } from '../src/model/exit-codes.ts';

const SAME_KEY_PRESS_MS = 200;

/** Calls `onFirst` at the first SIGINT or SIGTERM. The second one ends the process. Ends when it is disposed of. */
export function listenForInterrupts(onFirst: () => void): Disposable {
  let interruptedAt: number | undefined;
  const interrupt = () => {
    // One key press can cause two signals: from the terminal, and from the process that started this one.
    if (interruptedAt !== undefined && performance.now() - interruptedAt > SAME_KEY_PRESS_MS)
      process.exit(EXIT_CODES.interrupted);
    if (interruptedAt !== undefined) return;
    interruptedAt = performance.now();
    onFirst();
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  return { [Symbol.dispose]: () => void process.off('SIGINT', interrupt).off('SIGTERM', interrupt) };
}
