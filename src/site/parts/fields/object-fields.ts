/** The fields of a record as its page shows them: rows of description lists, by section. */
import type { ObjectEntry } from '../../../catalogue/entries.ts';
import { nameKey } from '../../../catalogue/lists/term-summaries.ts';
import { hasPersonPage, isPersonFacet } from '../../../catalogue/people/person-entries.ts';
import { facetValuePath, objectPath, personPath, relativeUrl } from '../../../catalogue/urls.ts';
import { langAttributes } from '../../../formats/direction.ts';
import { safeExternalUrl } from '../../../model/external-url.ts';
import type { Facet } from '../../../model/facets.ts';
import type { ArchivalRecord } from '../../../model/records.ts';
import { MAX_LABEL_LENGTH } from '../../../model/text/limits.ts';
import { escapeHtml } from '../../../model/text/markup.ts';
import { keyByWord } from '../../../platform/key-by-word.ts';
import type { Design } from '../../design/design.ts';
import type { FieldPart } from '../../fields/field-parts.ts';
import { readFields, SECTIONS, type Section } from '../../fields/fields.ts';
import type { Site } from '../../site.ts';
import { textToHtml } from '../../text/paragraphs.ts';
import { type ResolveLink, safeLink, toSafeHtml } from '../../text/sanitize.ts';
import { textLang } from '../../text/text-lang.ts';

/** Each section's rows as safe HTML, since components for about fifty rows a page would be slow. Empty without values. */
export type FieldRows = Record<Section, string>;

/** What the links in fields depend on. */
export interface FieldContext {
  /** The page that shows the fields. */
  path: string;
  /** IDs of records that have a page. */
  known: ReadonlySet<string>;
  resolve: ResolveLink;
  site: Site;
}

/** Returns the fields of a record by section. */
export function createFieldRows(record: ArchivalRecord, entry: ObjectEntry, context: FieldContext): FieldRows {
  const rows = Object.fromEntries(SECTIONS.map((section) => [section, ''])) as FieldRows;
  const fields = readFields(record, entry.facets, context.site.locale);
  const { design } = context.site;
  for (const { field, label, parts } of inDesignedOrder(fields, design)) {
    const designed = design?.fields.find(({ name }) => name === field.name);
    const section = designed?.section ?? (isRepeatedLocation(field.name, fields) ? 'about' : field.section);
    if (section === 'none') continue;
    const facet = parts.length === 1 ? FACETS_OF_LISTS.get(field.name) : undefined;
    const shared = facet ? context.site.locale.t.facets[facet].singular : label;
    const labelOf = (part: FieldPart) => (designed?.label === undefined ? (part.label ?? shared) : label);
    for (const [ownLabel, own] of Map.groupBy(parts, labelOf)) {
      const values = own.map((part) => {
        const badge = part.isFree === undefined ? '' : ` class="${part.isFree ? 'badge free' : 'badge'}"`;
        const remark = part.remark === undefined ? '' : ` <span class="fine">${escapeHtml(part.remark)}</span>`;
        const linked = field.name === 'location' ? withPlace(part, context.site) : part;
        const html = renderPart(linked, entry, context);
        return `<dd${badge}>${remark === '' || html.startsWith('<a') ? html : `<bdi>${html}</bdi>`}${remark}</dd>`;
      });
      rows[section] += `<div data-field="${escapeHtml(field.name)}"><dt>${escapeHtml(ownLabel)}</dt>${values.join('')}</div>`;
    }
  }
  return rows;
}

type ReadField = ReturnType<typeof readFields>[number];

/** Returns the fields that a design names, in its order, and then the others. */
function inDesignedOrder(fields: readonly ReadField[], design: Design | undefined): readonly ReadField[] {
  if (!design || design.fields.length === 0) return fields;
  const positions = new Map(design.fields.map(({ name }, position) => [name, position]));
  const positionOf = ({ field }: ReadField) => positions.get(field.name) ?? positions.size;
  return fields.toSorted((a, b) => positionOf(a) - positionOf(b));
}

/** The facets of fields whose labels are plurals. */
const FACETS_OF_LISTS: ReadonlyMap<string, Facet> = keyByWord({ person: 'persons', topic: 'topics' });

/** Returns whether a field is the location, and the places say the same. */
function isRepeatedLocation(name: string, fields: ReturnType<typeof readFields>): boolean {
  if (name !== 'location') return false;
  const namesIn = (wanted: string) =>
    fields.flatMap(({ field, parts }) => (field.name === wanted ? parts.map(({ text }) => text.trim().toLowerCase()) : []));
  const places = new Set(namesIn('geography'));
  return namesIn('location').every((location) => places.has(location));
}

/** Returns a location linked to the place of its name, if any; its list lacks the record, whose own places are others. */
function withPlace(part: FieldPart, { relations }: Pick<Site, 'relations'>): FieldPart {
  if (part.html !== undefined || part.text.length > MAX_LABEL_LENGTH) return part;
  const slug = relations.placeNamed(nameKey(part.text));
  return slug === undefined ? part : { ...part, facet: { facet: 'place', slug } };
}

/** Returns one value of a field as safe HTML: sanitized prose, a link, or escaped text. */
function renderPart(
  { text: value, html, facet, object, url, isTextLink }: FieldPart,
  entry: ObjectEntry,
  { path, known, resolve, site }: FieldContext,
): string {
  if (html !== undefined) {
    const lang = textLang(html, site, entry);
    return `<div class="prose"${lang === undefined ? '' : ` ${langAttributes(lang)}`}>${toSafeHtml(html, resolve)}</div>`;
  }
  if (facet) return safeLink(value, relativeUrl(path, pathOfValue(facet, entry)));
  if (object !== undefined && known.has(object)) return safeLink(value, relativeUrl(path, objectPath(object)));
  const inside = isTextLink && url !== undefined ? resolve(url) : undefined;
  if (inside?.external === false) return safeLink(value, inside.href);
  const outside = url === undefined ? undefined : safeExternalUrl(url);
  return outside === undefined ? textToHtml(value) : safeLink(value, outside, ' rel="external noreferrer"');
}

/** Returns the path of the page of a person, or of the records with another value. */
function pathOfValue({ facet, slug }: { facet: Facet; slug: string }, { facets }: Pick<ObjectEntry, 'facets'>): string {
  const value = isPersonFacet(facet) ? facets[facet]?.find((each) => each.slug === slug) : undefined;
  return value && hasPersonPage(value) ? personPath(slug) : facetValuePath(facet, slug);
}
