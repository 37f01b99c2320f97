/** Reads from which URLs an archive has moved, and to which. */
import { tryParse } from '../model/json.ts';
import { type BaseUrls, parseBaseUrl } from '../model/resources.ts';
import { createUrlMover } from '../model/rewrite-links.ts';
import { isObject } from '../model/values.ts';
import { readBaseUrls, readMeta } from './read.ts';
import type { Store } from './store.ts';

/** In the table `meta`: all moves of the archive, the first one first, as a JSON array. */
export const MOVES_META_KEY = 'moves';
/** Those before are ignored. */
const MAX_MOVES = 50;

/** A move: the URLs with which those of the archive began, and begin now. Without a trailing slash. */
export type Move = Record<'from' | 'to', string>;

/** Reads the moves of the archive, the first one first. */
export function readMoves(store: Store): Move[] {
  const moves = tryParse(readMeta(store, MOVES_META_KEY) ?? '[]');
  return Array.isArray(moves) ? moves.filter(isMove).slice(-MAX_MOVES) : [];
}

function isMove(value: unknown): value is Move {
  const isBase = (url: unknown) => typeof url === 'string' && parseBaseUrl(url) === url;
  return isObject(value) && isBase(value['from']) && isBase(value['to']);
}

/** Returns a function that replaces all former URLs of the archive in a text by those of today. */
export function createMover(store: Store): (text: string) => string {
  const movers = readMoves(store).map(({ from, to }) => createUrlMover(from, to));
  return (text) => movers.reduce((moved, move) => move(moved), text);
}

/** Returns a function that returns the URLs that a URL had before moves, with both schemes, the latest first. */
export function createFormerUrls(store: Store): (url: string) => string[] {
  const movers = readMoves(store).map(({ from, to }) => createUrlMover(to, from));
  return (url) => {
    const former: string[] = [];
    let current = url;
    for (const moveBack of movers.toReversed()) {
      const before = moveBack(current);
      const withOtherScheme = before.replace(/^http(s?)/, (_, s) => (s ? 'http' : 'https'));
      if (before !== current) former.push(before, withOtherScheme);
      current = before;
    }
    return former;
  };
}

/** Returns the base URLs that the archive had before moves, the latest first. */
export function readFormerBaseUrls(store: Store): BaseUrls[] {
  let { authors, catalog } = readBaseUrls(store);
  return readMoves(store)
    .toReversed()
    .map(({ from, to }) => {
      const moveBack = createUrlMover(to, from);
      [authors, catalog] = [moveBack(authors), moveBack(catalog)];
      return { authors, catalog };
    });
}
