/** Options that several commands share, and the reading of their values. */
import { isIPv6 } from 'node:net';
import { InvalidArgumentError, Option } from 'commander';
import { isObjectId } from '../src/model/ids.ts';
import { readBaseUrl } from '../src/model/resources.ts';

export const snapshotOption = () => new Option('--snapshot <dir>', 'the snapshot’s folder').default('content/snapshot');
export const dirOption = () => new Option('--dir <dir>', 'the built site’s folder').default('dist');
export const jsonOption = () => new Option('--json', 'print one JSON object for machines');

const ownToCommandLine = new WeakSet<Option>();

/** Marks an option that no setting stands for, since the setting of its name means something else. */
export function commandLineOnly(option: Option): Option {
  ownToCommandLine.add(option);
  return option;
}

export const isCommandLineOnly = (option: Option): boolean => ownToCommandLine.has(option);

export function baseUrl(typed: string): string {
  const base = readBaseUrl(typed);
  if (base === undefined) throw new InvalidArgumentError('It must be an address that begins with http:// or https://.');
  return base;
}

/** Collects object ids of a repeatable option. */
export function objectIds(typed: string, before: string[] | undefined): string[] {
  const ids = typed.split(',').map((id) => id.trim());
  const wrong = ids.find((id) => !isObjectId(id));
  if (wrong !== undefined) throw new InvalidArgumentError(`“${wrong}” is not an object id such as demo-org-1-2.`);
  return [...(before ?? []), ...ids];
}

export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER) {
  return (typed: string): number => {
    const value = Number(typed);
    if (!/^\d+$/.test(typed) || value < least || value > most)
      throw new InvalidArgumentError(
        `It must be a whole number from ${least}${most === Number.MAX_SAFE_INTEGER ? ' up' : ` to ${most}`}.`,
      );
    return value;
  };
}

/** A number of seconds, such as `30` or `0.5`. */
export function seconds(typed: string): number {
  const value = Number(typed.replace(/s$/, ''));
  if (!(value > 0 && value <= 86_400)) throw new InvalidArgumentError('It must be a number of seconds, such as 30.');
  return value;
}

/** A number of minutes, such as `3` or `0.5`. */
export function minutes(typed: string): number {
  const value = Number(typed);
  if (!(value > 0 && value <= 1440)) throw new InvalidArgumentError('It must be a number of minutes, such as 3.');
  return value;
}

/** `2026-01-31`, or any other ISO 8601 moment, as one in UTC. */
export function moment(typed: string): string {
  const date = /^\d{4}-\d\d(?:-\d\d)?(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/.test(typed) ? new Date(typed) : undefined;
  if (!date || Number.isNaN(date.getTime())) throw new InvalidArgumentError('It must be a date such as 2026-01-31.');
  return date.toISOString();
}

/** `10%` or `0.1`: a share, 0 to 1. */
export function percentage(typed: string): number {
  const value = typed.trim().endsWith('%') ? Number(typed.trim().slice(0, -1)) / 100 : Number(typed);
  if (!(value >= 0 && value <= 1) || typed.trim() === '')
    throw new InvalidArgumentError('It must be a share such as 10% or 0.1.');
  return value;
}

/** Collects hosts (`name`, `name:port`, an address) of a repeatable option, as URLs have them. */
export function hostNames(typed: string, before: string[] | undefined): string[] {
  const hosts = typed.split(',').map((name) => {
    const bare = name
      .trim()
      .replace(/^https?:\/\//, '')
      .replace(/\/+$/, '');
    const address = `http://${bare.includes(':') && isIPv6(bare) ? `[${bare}]` : bare}`;
    if (bare === '' || !URL.canParse(address) || new URL(address).pathname !== '/')
      throw new InvalidArgumentError(`“${name}” is not a host such as media.example.org or 10.0.0.5:8080.`);
    return new URL(address).host;
  });
  return [...(before ?? []), ...hosts];
}

/** `4` or `4/s`, requests a second. */
export function perSecond(typed: string): number {
  const value = Number(typed.replace(/\/s$/, ''));
  if (!(value > 0)) throw new InvalidArgumentError('It must be a number of requests a second, such as 5/s.');
  return value;
}

/** `20GB`, `500MB`, `1000`: bytes. */
export function byteCount(typed: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*([KMGT]?)B?$/i.exec(typed.trim());
  if (!match) throw new InvalidArgumentError('It must be a size such as 500MB or 20GB.');
  const power = ['', 'K', 'M', 'G', 'T'].indexOf((match[2] ?? '').toUpperCase());
  return Math.floor(Number(match[1]) * 1000 ** power);
}

/** One of some known words. */
export function choice<T extends string>(known: readonly T[]) {
  return (typed: string): T => {
    const found = known.find((one) => one === typed.trim());
    if (found === undefined) throw new InvalidArgumentError(`It must be one of ${known.join(', ')}.`);
    return found;
  };
}

/** `thumb,image`: a list of known words. */
export function choices<T extends string>(known: readonly T[]) {
  return (typed: string): T[] =>
    typed.split(',').map((word) => {
      const found = known.find((one) => one === word.trim());
      if (found === undefined) throw new InvalidArgumentError(`“${word.trim()}” is not one of ${known.join(', ')}.`);
      return found;
    });
}
