/** Settings from microfiche.config.json: option names without dashes (`authorsUrl`), for whichever command has such an option. Flags win. */
import { existsSync, readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { UserError } from '../src/model/errors.ts';
import { isObject } from '../src/model/values.ts';

export const CONFIG_FILE = 'microfiche.config.json';

export function applyConfig(action: Command): void {
  if (!existsSync(CONFIG_FILE)) return;
  const settings = readSettings();
  const known = new Set(
    (action.parent?.commands ?? []).flatMap((command) => command.options.map((option) => option.attributeName())),
  );
  for (const [name, value] of Object.entries(settings)) {
    if (!known.has(name))
      throw new UserError(
        `${CONFIG_FILE}: there is no setting “${name}”; settings are named like the options, such as “authorsUrl”.`,
      );
    const option = action.options.find((one) => one.attributeName() === name);
    const source = action.getOptionValueSource(name);
    if (!option || (source !== undefined && source !== 'default')) continue;
    action.setOptionValueWithSource(name, parse(option, name, value), 'config');
  }
}

function readSettings(): Record<string, unknown> {
  try {
    const settings: unknown = JSON.parse(readFileSync(CONFIG_FILE, 'utf8'));
    if (isObject(settings)) return settings;
  } catch (cause) {
    throw new UserError(`${CONFIG_FILE} is not valid JSON: ${(cause as Error).message}`, { cause });
  }
  throw new UserError(`${CONFIG_FILE} must hold one JSON object with settings.`);
}

type Option = Command['options'][number];

function parse(option: Option, name: string, value: unknown): unknown {
  if (!option.required && !option.optional) {
    if (typeof value === 'boolean') return value;
    throw new UserError(`${CONFIG_FILE}: “${name}” must be true or false.`);
  }
  const values = option.variadic && Array.isArray(value) ? value : [value];
  const read = values.map((one) => {
    if (typeof one !== 'string' && typeof one !== 'number')
      throw new UserError(`${CONFIG_FILE}: “${name}” must be text or a number.`);
    try {
      return option.parseArg ? option.parseArg(String(one), undefined) : String(one);
    } catch (error) {
      if (error instanceof InvalidArgumentError)
        throw new UserError(`${CONFIG_FILE}: “${name}”: ${error.message}`, { cause: error });
      throw error;
    }
  });
  return option.variadic ? read.flat() : read[0];
}
