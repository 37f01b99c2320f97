/** What is looked at before a command runs, once the settings are applied: that nothing needed is missing, and that folders are no files. */
import { statSync } from 'node:fs';
import type { Command } from 'commander';
import { UserError } from '../src/model/errors.ts';

/** Has a command's required options checked by the function that it returns, and not while flags are read: a setting may give them. */
export function deferRequired(command: Command): () => void {
  const required = command.options.filter(({ mandatory }) => mandatory);
  for (const option of required) option.mandatory = false;
  return () => {
    const missing = required.find((option) => command.getOptionValue(option.attributeName()) === undefined);
    if (missing)
      command.error(
        `error: ${missing.long} is needed, on the command line or as “${missing.attributeName()}” in microfiche.config.json`,
        {
          exitCode: 2,
        },
      );
  };
}

/** @throws UserError when an option that names a folder names a file */
export function checkFolders(command: Command): void {
  for (const option of command.options) {
    const path: unknown = command.getOptionValue(option.attributeName());
    if (!option.flags.includes('<dir>') || typeof path !== 'string') continue;
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === false)
      throw new UserError(`${path} is a file, and ${option.long} names a folder: name another one.`);
  }
}
