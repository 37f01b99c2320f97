/** Errors of a thread as messages. A posted error would lose its class and its properties, such as the code of a system error. */
import { UnsafePathError } from './safe-directory.ts';

/** An error as a message between threads. */
export interface PostedError {
  name: string;
  message: string;
  stack: string | undefined;
  /** Its own properties that are text or numbers, such as `code` and `path`. */
  details: Record<string, string | number>;
}

/** Returns an error as a message. */
export function toPostedError(error: unknown): PostedError {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  const isPlain = ([, value]: [string, unknown]) => typeof value === 'string' || typeof value === 'number';
  const details = Object.fromEntries(Object.entries(Object(error) as object).filter(isPlain)) as PostedError['details'];
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
