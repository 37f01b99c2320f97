/** Moments of a recording in the address of its page: `#t=83`, and `#t=83,97` for a clip, as media fragments have them. */
import { formatDuration } from '../platform/quantities.ts';
import type { ResultData } from './result-data.ts';

/** A moment, or a clip if it has an end. In seconds. */
export interface Moment {
  start: number;
  end: number | undefined;
}

/** Returns the moment in an address; undefined if it has none: seconds, or hours, minutes and seconds with colons. */
export function readMoment(hash: string): Moment | undefined {
  const [, first = '', second] = /^#t=([\d.:]{1,20})(?:,([\d.:]{1,20}))?$/.exec(hash) ?? [];
  const start = readTime(first);
  if (start === undefined) return undefined;
  const end = second === undefined ? undefined : readTime(second);
  return { start, end: end !== undefined && end > start ? end : undefined };
}

/** Returns the clip between two times, in either order. */
export function clipBetween(first: number, second: number | undefined): Moment {
  if (second === undefined || second === first) return { start: first, end: undefined };
  return { start: Math.min(first, second), end: Math.max(first, second) };
}

/** Returns a time in seconds: `83`, `1:23` or `0:01:23.5`; undefined if it is none. */
export function readTime(text: string): number | undefined {
  const parts = text.trim().split(':');
  if (parts.length > 3 || !parts.every((part) => /^\d+(?:\.\d*)?$/.test(part))) return undefined;
  return parts.reduce((total, part) => total * 60 + Number(part), 0);
}

/** Returns a time as a reader writes it, such as `1:23`. */
export const formatTime = (seconds: number): string => formatDuration(Math.floor(seconds));

/** Returns a moment or clip as readers write it. In the pattern for clips, each `#` becomes a time. */
export function formatMoment({ start, end }: Moment, pattern: string): string {
  return end === undefined ? formatTime(start) : pattern.replace('#', formatTime(start)).replace('#', formatTime(end));
}

/** Returns a citation with a clip's times after its address, replaced by `address`, the clip's own, if others can open that. */
export function citeClip(citation: string, times: string, address: string | undefined): string {
  const [cited = ''] = /https?:\/\/\S+?(?=[.,]?(?:\s|$))/.exec(citation) ?? [];
  if (cited !== '') return citation.replace(cited, () => `${address ?? cited} (${times})`);
  return `${citation} ${address === undefined ? times : `${address} (${times})`}.`;
}

/** Returns the part of an address for a moment or a clip. */
export function writeMoment({ start, end }: Moment): string {
  const short = (seconds: number) => String(Math.round(seconds * 10) / 10);
  return `#t=${short(start)}${end === undefined ? '' : `,${short(end)}`}`;
}

/** Returns the seconds at which the caption begins where a result's quotation begins; undefined without captions. */
export function findMoment({ spoken = '', moments }: Pick<ResultData, 'spoken' | 'moments'>, quote: string): number | undefined {
  const at = quote === '' || moments === undefined ? -1 : spoken.normalize('NFC').indexOf(quote);
  if (at === -1) return undefined;
  const begun = moments?.split(' ').filter((moment) => Number.parseInt(moment, 10) <= at);
  const [, seconds = ''] = begun?.pop()?.split(':') ?? [];
  return seconds === '' ? undefined : Number(seconds);
}
