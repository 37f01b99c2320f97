/** Calls to a thread: each request has one reply, and is rejected if the thread ends before. */
import type { Worker } from 'node:worker_threads';
import { UnsafePathError } from './safe-directory.ts';

/** The reply to a request. */
export interface Reply<Result> {
  /** Of the request. */
  id: number;
  result?: Result | undefined;
  failure?: PostedError;
}

/** What is given to a thread, instead of a copy. */
type Transferred = NonNullable<Parameters<Worker['postMessage']>[1]>;

/**
 * Opens the way to a thread: returns a function that sends a request with an ID of its own, and transfers memory with it. Its
 * promise is rejected if the request fails or the thread ends. `onOther` gets messages that are not replies: those without an ID.
 */
export function openThreadCalls<Request extends object, Result, Other extends object = never>(
  worker: Worker,
  onOther?: (message: Other) => void,
): (request: Request, memory?: Transferred) => Promise<Result | undefined> {
  const waiting = new Map<number, { resolve: (result: Result | undefined) => void; reject: (error: Error) => void }>();
  let ids = 0;
  let ended: Error | undefined;
  const end = (error: Error) => {
    ended ??= error;
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
  };
  worker.on('message', (message: Reply<Result> | Other) => {
    if (!('id' in message)) return onOther?.(message);
    const { id, result, failure } = message as Reply<Result>;
    const caller = waiting.get(id);
    waiting.delete(id);
    if (failure) caller?.reject(toError(failure));
    else caller?.resolve(result);
  });
  worker.on('error', (error) => end(error as Error));
  worker.on('exit', () => end(new Error('A thread has ended before its work was done.')));
  return (request, memory = []) =>
    new Promise((resolve, reject) => {
      if (ended) return reject(ended);
      const id = ids++;
      waiting.set(id, { resolve, reject });
      worker.postMessage({ ...request, id }, memory);
    });
}

/** An error as a message between threads. */
export type PostedError = ReturnType<typeof toPostedError>;

/** Returns an error as a message. `details` are its own properties that are text or numbers, such as `code` and `path`. */
export function toPostedError(error: unknown) {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  const isPlain = ([, value]: [string, unknown]) => typeof value === 'string' || typeof value === 'number';
  const details = Object.fromEntries(Object.entries(Object(error) as object).filter(isPlain)) as Record<string, string | number>;
  return { name, message, stack, details };
}

/** Returns the error of a message. */
export function toError({ name, message, stack, details }: PostedError): Error {
  const path = String(details['path']);
  const error =
    name === 'UnsafePathError'
      ? new UnsafePathError(path, message.slice(`${path}: `.length))
      : Object.assign(new Error(message), details);
  if (stack !== undefined) error.stack = stack;
  return error;
}
