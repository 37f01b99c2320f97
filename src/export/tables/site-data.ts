/** Writes the data that each site offers: a table of its records, a map of those that have a position, and a description. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ObjectEntry } from '../../catalogue/entries.ts';
import type { Records } from '../../catalogue/records.ts';
import { DATA_FILES, objectPath } from '../../catalogue/urls.ts';
import { FACETS } from '../../model/facets.ts';
import type { Site } from '../../site/site.ts';
import { createTextFile } from '../text-file.ts';
import { describeTable, FORMULAS, RIGHTS } from './data-package.ts';
import { type ColumnsOf, defineTable, joinValues } from './table.ts';
import { createCsvFile } from './write-rows.ts';

const FACET_COLUMNS = FACETS.filter((facet) => facet !== 'time').map((facet): [string, ColumnsOf<ObjectEntry>[string]] => [
  facet,
  [
    `Values of the filter ${facet}, as text or code, separated by “; ”.`,
    ({ facets }) => joinValues((facets[facet] ?? []).map(({ fullLabel, label }) => fullLabel ?? label)),
  ],
]);

const RECORDS = defineTable<ObjectEntry, ObjectEntry>({
  name: 'records',
  title: 'Records',
  description: 'One row per record, of any level. The export “tables” has all fields, files and transcripts.',
  primaryKey: ['id'],
  foreignKeys: [],
  lines: (entry) => [entry],
  columns: {
    id: ['ID of the record.', ({ id }) => id],
    model: ['Level: repository, organization, collection, entity (an item), segment or file.', ({ model }) => model],
    parent_id: ['Record above this one.', ({ parent }) => parent],
    title: ['Title.', ({ title }) => title],
    description: ['Beginning of the description, as plain text.', ({ excerpt }) => excerpt],
    date: ['Date in the archive’s own words.', ({ date }) => date],
    ...Object.fromEntries(FACET_COLUMNS),
    duration_seconds: ['Duration of a recording, in seconds.', ({ durationSeconds }) => durationSeconds, 'number'],
    latitude: ['Latitude of its first place, in degrees (WGS 84).', ({ positions }) => positions[0]?.lat, 'number'],
    longitude: ['Longitude of its first place, in degrees (WGS 84).', ({ positions }) => positions[0]?.lng, 'number'],
    modified: ['When the archive last changed the record: ISO 8601.', ({ lastmod }) => lastmod],
    live_url: ['URL of its page in the live archive, if that has another host.', ({ liveUrl }) => liveUrl],
    page: ['Path of its page in this site.', ({ id }) => objectPath(id)],
  },
});

/** Writes the files into a directory, at their paths in the site. */
export function writeSiteData(directory: string, objects: Pick<Records, 'sorted'>, { title, facts, siteUrl }: Site): void {
  const [csv, map, description] = Object.keys(DATA_FILES).map((path) => join(directory, path)) as [string, string, string];
  mkdirSync(join(csv, '..'), { recursive: true });
  const table = createCsvFile(csv, RECORDS);
  using features = createTextFile(map);
  features.add('{"type":"FeatureCollection","features":[');
  let separator = '\n';
  for (const entry of objects.sorted()) {
    for (const row of RECORDS.readRows(entry, () => undefined)) table.write(row);
    for (const feature of describePlaces(entry)) {
      features.add(`${separator}${JSON.stringify(feature)}`);
      separator = ',\n';
    }
  }
  features.add('\n]}\n');
  features.finish();
  table.finish();
  const dataPackage = {
    profile: 'data-package',
    name: 'archive-data',
    title,
    description: `Everything that this copy shows, in short. ${RIGHTS} ${FORMULAS}`,
    ...(siteUrl === undefined ? {} : { homepage: siteUrl }),
    ...(facts.harvestedAt === undefined ? {} : { created: facts.harvestedAt }),
    sources: [{ title: facts.title, path: facts.catalogUrl }],
    resources: [
      { ...describeTable(RECORDS), path: basename(csv) },
      {
        profile: 'data-resource',
        name: 'places',
        path: basename(map),
        format: 'geojson',
        mediatype: DATA_FILES['data/places.geojson'],
      },
    ],
  };
  writeFileSync(description, `${JSON.stringify(dataPackage, undefined, 1)}\n`);
}

/** Returns a feature of GeoJSON (RFC 7946) for each place of a record that has a position. */
function describePlaces({ id, title, positions, facets }: ObjectEntry): object[] {
  return positions.map(({ place, lat, lng }) => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [lng, lat] },
    properties: { id, title, place: facets.place?.find(({ slug }) => slug === place)?.label ?? place, page: objectPath(id) },
  }));
}
