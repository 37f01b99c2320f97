/** Prompts for values on a terminal, one after the other. */
import { createInterface } from 'node:readline/promises';
import { InvalidArgumentError } from 'commander';
import { UserError } from '../src/model/errors.ts';

/** A prompt for one of the values `V`. */
export interface Prompt<V> {
  name: keyof V;
  /** Without colon. */
  text: string;
  /** Parses what was typed. Throws an InvalidArgumentError if it is not valid; then the prompt is repeated. */
  parse: (typed: string) => V[keyof V];
  /** Returns the value of an empty line, as it would be typed. */
  usual?: (values: V) => string | undefined;
  /** Whether an empty line means no value. */
  isOptional?: boolean;
}

/**
 * Prompts for each value that is not given, and returns all of them.
 * @throws {UserError} if the input ends or Ctrl-C is pressed
 */
export async function promptForValues<V extends object>(prompts: ReadonlyArray<Prompt<V>>, given: V): Promise<V> {
  const values = { ...given };
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new AbortController();
  terminal.once('close', () => ended.abort());
  terminal.once('SIGINT', () => ended.abort());
  const readLine = (text: string) => terminal.question(text, { signal: ended.signal });
  try {
    for (const prompt of prompts)
      if (values[prompt.name] === undefined) values[prompt.name] = await promptUntilValid(prompt, values, readLine);
    return values;
  } catch (error) {
    if (!ended.signal.aborted) throw error;
    process.stderr.write('\n');
    throw new UserError('The prompts were interrupted, and nothing was written.');
  } finally {
    terminal.close();
  }
}

async function promptUntilValid<V>(
  prompt: Prompt<V>,
  values: V,
  readLine: (text: string) => Promise<string>,
): Promise<V[keyof V]> {
  const usual = prompt.usual?.(values);
  for (;;) {
    const line = await readLine(`${prompt.text}${usual === undefined ? '' : ` [${usual}]`}: `);
    const typed = line.trim() || (usual ?? '');
    if (typed === '' && prompt.isOptional) return undefined as V[keyof V];
    try {
      return prompt.parse(typed);
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      process.stderr.write(`${error.message}\n`);
    }
  }
}
