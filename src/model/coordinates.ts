/** Reads latitude and longitude as catalogers write them: decimals with point or comma, degrees, minutes, seconds, N or 北緯. */
import { statedText } from './values.ts';

/** A position in degrees, on the globe. */
export type Position = Record<'lat' | 'lng', number>;

/** One coordinate. The axis is undefined if no letter or word names it. */
type Coordinate = NonNullable<ReturnType<typeof readCoordinate>>;

/** Characters. Longer texts are not coordinates. */
const MAX_LENGTH = 60;
/** Names of directions, in lower case. `O` is west in Spanish (oeste). */
const DIRECTIONS: ReadonlyArray<[words: string, axis: 'lat' | 'lng', sign: 1 | -1]> = [
  ['n|north|norte|北緯', 'lat', 1],
  ['s|south|sur|南緯', 'lat', -1],
  ['e|east|este|東経', 'lng', 1],
  ['w|o|west|oeste|西経', 'lng', -1],
];
const DIRECTION_WORDS = DIRECTIONS.map(([words]) => words).join('|');
const DIRECTION = new RegExp(`^(?:(${DIRECTION_WORDS})(?![a-z]))|(?:(?<![a-z])(${DIRECTION_WORDS}))$`);
const DECIMALS = String.raw`(\d{1,3}(?:[.,]\d*)?|[.,]\d+)`;
/** Degrees, minutes and seconds; only the last of them has decimals. Any sign that is used for them is read, or a space. */
const ANGLE = new RegExp(
  String.raw`^${DECIMALS} ?(?:[°ºd度:]| |deg(?:rees?)?)? ?(?:(\d{1,2}(?:[.,]\d*)?) ?(?:['′’‘´m分:]| |min)? ?(?:(\d{1,2}(?:[.,]\d*)?) ?(?:"|″|”|“|''|′′|’’|s|sec|秒)?)?)?$`,
);

function readCoordinate(value: string) {
  if (/^-?[\d.]+e-\d+$/.test(value)) return { degrees: 0, axis: undefined }; // a number that is almost 0
  if (value.length > MAX_LENGTH) return undefined;
  const written = value.normalize('NFKC').toLowerCase().replace(/[−–—]/g, '-').replace(/\s+/g, ' ').trim();
  const found = DIRECTION.exec(written);
  const word = found?.[1] ?? found?.[2];
  const direction = DIRECTIONS.find(([words]) => word !== undefined && words.split('|').includes(word));
  const [, sign = '', angle = ''] = /^([+-]?) ?(.*)$/.exec(found ? written.replace(DIRECTION, '').trim() : written) ?? [];
  const parts = ANGLE.exec(angle)?.slice(1);
  if (!parts || (direction?.[2] === 1 && sign === '-')) return undefined;
  const stated = parts.filter((part) => part !== undefined);
  const [degrees = 0, minutes = 0, seconds = 0] = stated.map((part) => Number(part.replace(',', '.')));
  if (minutes >= 60 || seconds >= 60 || stated.slice(0, -1).some((part) => /[.,]/.test(part))) return undefined;
  const size = degrees + minutes / 60 + seconds / 3600;
  const signed = sign === '-' || direction?.[2] === -1 ? -size : size;
  return { degrees: Math.round(signed * 1e7) / 1e7 + 0, axis: direction?.[1] };
}

/** Returns both halves of a position in one text, such as `34.3853, -118.5` or `34°23'7"N 118°30'0"W`. */
function splitPair(value: string): [string, string] | undefined {
  if (value.length > 2 * MAX_LENGTH) return undefined;
  const pair =
    /^([^,;/]+?)\s*[;/]\s*([^,;/]+)$/.exec(value) ??
    /^([^,]*[.°度\d][^,]*?),\s+([^,]+)$/.exec(value) ??
    /^([^,]*\.[^,]*),([^,]*\.[^,]*)$/.exec(value) ??
    /^(.*?[NSns])[\s,]+(.*[EWOewo])$/.exec(value);
  return pair ? [pair[1] as string, pair[2] as string] : undefined;
}

/**
 * Reads the position of a place from its two fields. A pair is exchanged if its directions show it, or if only that puts it on
 * the globe. The point 0, 0 lies in the sea: it is what unset values become. `unusable` are the words of a position that cannot
 * be used: half of one, not a number, beyond the globe, or 0, 0.
 */
export function readPosition(latitude: unknown, longitude: unknown) {
  const [first, second] = [statedText(latitude), statedText(longitude)];
  if (first === undefined && second === undefined) return { position: undefined, unusable: undefined };
  const [lat, lng] = second === undefined ? (splitPair(first as string) ?? [first, '']) : [first ?? '', second];
  const position = positionOf(readCoordinate(lat as string), readCoordinate(lng));
  return position ? { position, unusable: undefined } : { position, unusable: `${first ?? '–'}, ${second ?? '–'}` };
}

function positionOf(lat: Coordinate | undefined, lng: Coordinate | undefined): Position | undefined {
  if (!lat || !lng || (lat.axis !== undefined && lat.axis === lng.axis)) return undefined;
  const areExchanged =
    lat.axis === 'lng' || lng.axis === 'lat' || (lat.axis === undefined && lng.axis === undefined && Math.abs(lat.degrees) > 90);
  const [y, x] = areExchanged ? [lng.degrees, lat.degrees] : [lat.degrees, lng.degrees];
  const isOnGlobe = Math.abs(y) <= 90 && Math.abs(x) <= 180;
  return isOnGlobe && (y !== 0 || x !== 0) ? { lat: y, lng: x } : undefined;
}
