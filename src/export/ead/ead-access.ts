/** Names, subjects and places of a record in EAD3: each name by its kind. */
import { isUnnamed } from '../../model/names/name-kinds.ts';
import { splitNames } from '../../model/names/name-lists.ts';
import { parseName } from '../../model/names/names.ts';
import { saysItsDates } from '../../model/record-dates.ts';
import type { ArchivalRecord } from '../../model/records.ts';
import { MAX_LABEL_LENGTH, MAX_TERM_LEVELS } from '../../model/text/limits.ts';
import { toPlainText, truncateWords } from '../../model/text/text.ts';
import { toXmlText, type XmlAttributes, xmlElement } from '../../model/text/xml.ts';
import { text as readText } from '../../model/values.ts';
import { codeLabel, type Locale } from '../../site/language/locale.ts';

const ELEMENTS_BY_KIND = { person: 'persname', organization: 'corpname', family: 'famname' } as const;
const MAX_LENGTH = 1_000;

type Named = { namepart: string; role?: string | undefined; nr_id: string | undefined; oh_id: number | undefined };

/** Returns the elements of a list of names, each once: `persname`, `corpname` or `famname`. */
export function nameElements(people: readonly Named[]): string[] {
  const elements = people.flatMap(({ namepart, role, nr_id: nameRecord, oh_id: narrator }) => {
    const names = splitNames(toPlainText(namepart)).filter((name) => name !== '' && !isUnnamed(name));
    const relator = lineOf(role) || undefined;
    // An ID belongs to one name.
    const identifier = names.length > 1 ? undefined : (nameRecord ?? narrator?.toString());
    return names.map((name) => {
      const { kind, literal } = parseName(name, role === undefined ? {} : { role });
      return xmlElement(ELEMENTS_BY_KIND[kind], { relator, identifier: lineOf(identifier) || undefined }, part(literal));
    });
  });
  return [...new Set(elements)];
}

/** Returns the name of an institution as `corpname`. */
export const corporateName = (name: string): string => xmlElement('corpname', {}, part(name));

/** Returns the access points of a record as `controlaccess`; empty if it has none. */
export function accessPoints(record: ArchivalRecord, { t }: Locale): string {
  const { topics, facility, geography, persons, chronology, genre, format, raw } = record;
  const points = [
    ...topics.map(({ id, term }) => access('subject', { identifier: id }, term)),
    ...geography.map((place) => placeElement(place)),
    ...facility.map(({ id, term }) => access('geogname', { localtype: 'facility', identifier: id }, term)),
    access('geogname', { localtype: 'location' }, readText(raw['location'])),
    ...nameElements(persons),
    ...(genre === undefined ? [] : [access('genreform', { identifier: genre }, codeLabel(t.codes.genre, genre))]),
    ...(format === undefined
      ? []
      : [access('genreform', { localtype: 'format', identifier: format }, codeLabel(t.codes.format, format))]),
    ...chronology.map((period) => {
      const { term, startdate, enddate } = period;
      const dates = saysItsDates(period) ? '' : [startdate, enddate].map(dayOf).filter(Boolean).join('/');
      return access('subject', { localtype: 'chronology' }, [term, dates && `(${dates})`].filter(Boolean).join(' '));
    }),
  ].filter((point) => point !== '');
  return points.length === 0 ? '' : xmlElement('controlaccess', {}, [...new Set(points)].join(''));
}

/** Returns an access point with a part for each level of its hierarchy (“Work -- Fishing”). */
function access(name: string, attributes: XmlAttributes, term: string | undefined, more = ''): string {
  const levels = lineOf(term)
    .split(/\s+--\s+/)
    .filter((level) => level !== '');
  if (levels.length === 0) return '';
  const shown = [...levels.slice(0, MAX_TERM_LEVELS - 1), levels.slice(MAX_TERM_LEVELS - 1).join(' -- ')];
  const parts = shown.filter((level) => level !== '').map(part);
  const identifier = attributes['identifier'] === undefined ? undefined : lineOf(attributes['identifier']);
  return xmlElement(name, { ...attributes, identifier: identifier || undefined }, `${parts.join('')}${more}`);
}

function placeElement({ id, term, geo_lat: lat, geo_lng: lng }: ArchivalRecord['geography'][number]): string {
  const isLocated = lat !== undefined && lng !== undefined;
  const position = isLocated ? xmlElement('geographiccoordinates', { coordinatesystem: 'WGS84' }, `${lat}, ${lng}`) : '';
  return access('geogname', { identifier: id }, term, position);
}

const part = (text: string) => xmlElement('part', {}, toXmlText(truncateWords(text, MAX_LENGTH)));

/** Returns plain text on one line. */
const lineOf = (text: string | undefined): string => truncateWords(toPlainText(text), MAX_LENGTH);

function dayOf(date: string | undefined): string {
  return truncateWords(toPlainText(date).replace(/[ T]00:00:00(?:\.0)?$/, ''), MAX_LABEL_LENGTH);
}
