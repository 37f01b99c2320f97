/** Calls to a thread: each request has one reply, and is rejected if the thread ends before. */
import type { Worker } from 'node:worker_threads';
import { type PostedError, toError } from './posted-error.ts';

/** The reply to a request. */
export interface Reply<Result> {
  /** Of the request. */
  id: number;
  result?: Result | undefined;
  failure?: PostedError;
}

/** The way to a thread. */
export interface ThreadCalls<Request, Result> {
  /** Sends a request with its own ID, transferring memory. The reply is rejected if the request fails or the thread ends. */
  send(request: Request, memory?: ArrayBuffer[]): { id: number; reply: Promise<Result | undefined> };
  /** Whether the thread has ended. */
  isClosed(): boolean;
}

/** Opens the way to a thread. `onOther` gets its messages that are not replies: those without an ID. */
export function openThreadCalls<Request extends object, Result, Other extends object = never>(
  worker: Worker,
  onOther?: (message: Other) => void,
): ThreadCalls<Request, Result> {
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
  return {
    send(request, memory = []) {
      const id = ids++;
      const reply = new Promise<Result | undefined>((resolve, reject) => {
        if (ended) return reject(ended);
        waiting.set(id, { resolve, reject });
        worker.postMessage({ ...request, id }, memory);
      });
      return { id, reply };
    },
    isClosed: () => ended !== undefined,
  };
}
