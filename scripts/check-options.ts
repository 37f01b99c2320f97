/** Checks options after the settings are applied and before the command runs: required options are given, and directories are not files. */
import { statSync } from 'node:fs';
import type { Command } from 'commander';
import { UserError } from '../src/model/errors.ts';

/** Makes the required options of a command optional for commander, since settings may give them. Returns a function that checks them later. */
export function deferRequired(command: Command): () => void {
  const required = command.options.filter(({ mandatory }) => mandatory);
  for (const option of required) option.mandatory = false;
  return () => {
    const missing = required.find((option) => command.getOptionValue(option.attributeName()) === undefined);
    if (missing)
      command.error(
        `error: ${missing.long} is required, on the command line or as "${missing.attributeName()}" in microfiche.config.json`,
        {
          exitCode: 2,
        },
      );
  };
}

/**
 * Checks the values of options that name directories.
 *
 * @throws {UserError} if one names a file
 */
export function assertDirectories(command: Command): void {
  for (const option of command.options) {
    const path: unknown = command.getOptionValue(option.attributeName());
    if (!option.flags.includes('<dir>') || typeof path !== 'string') continue;
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === false)
      throw new UserError(`${path} is a file. Choose a directory with ${option.long}.`);
  }
}
