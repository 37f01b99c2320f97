/** Describes a bag as an RO-Crate 1.2: one JSON-LD file that says what each file is. */
import { VERSION } from '../../model/version.ts';
import type { StoredMedia } from '../../snapshot/row-types.ts';
import type { PackagedFile } from '../package/manifest.ts';
import { describeBodies, isWhole } from '../scope.ts';
import type { DescriptionInput } from '../tables/data-package.ts';

/** What the description needs. */
export interface CrateInput extends Pick<DescriptionInput, 'title' | 'scope' | 'catalogUrl' | 'harvestedAt'> {
  /** Files of the payload: paths begin with `data/`, which is the directory of the crate. */
  files: readonly PackagedFile[];
  media: readonly StoredMedia[];
}

const RIGHTS = '#rights';
const PROFILE = 'https://w3id.org/ro/crate/1.2';
const FORMATS: Readonly<Record<string, string>> = {
  sqlite: 'application/vnd.sqlite3',
  csv: 'text/csv',
  json: 'application/json',
  parquet: 'application/vnd.apache.parquet',
  xml: 'application/xml',
  txt: 'text/plain',
  tar: 'application/x-tar',
};

/** Returns the content of `ro-crate-metadata.json`. */
export function createRoCrate({ title, scope, catalogUrl, harvestedAt, files, media }: CrateInput): string {
  const byPath = new Map(media.map((row) => [row.path, row]));
  const parts = files.map(({ path, digest }) => {
    const id = path.replace(/^data\//, '');
    const row = byPath.get(id);
    return {
      '@id': encodeURI(id),
      '@type': 'File',
      name: row === undefined ? id : `Media file of ${row.owner}`,
      contentSize: String(digest.size),
      sha256: digest.checksums.sha256,
      ...(row === undefined ? {} : { isBasedOn: { '@id': row.url } }),
      ...optional('encodingFormat', row?.mimetype ?? FORMATS[id.split('.').at(-1) ?? '']),
    };
  });
  const software = `#microfiche-${VERSION}`;
  const graph = [
    { '@id': 'ro-crate-metadata.json', '@type': 'CreativeWork', about: { '@id': './' }, conformsTo: { '@id': PROFILE } },
    {
      '@id': './',
      '@type': 'Dataset',
      name: isWhole(scope) ? `Snapshot of ${title}` : `Part of a snapshot of ${title}`,
      description: isWhole(scope)
        ? `Every stored API response of the archive with its provenance, and its media files, as harvested from ${catalogUrl}.`
        : `API responses of the archive with their provenance, and media files, as harvested from ${catalogUrl}. ${describeBodies(scope)}`,
      ...optional('datePublished', harvestedAt?.slice(0, 10)),
      isBasedOn: { '@id': catalogUrl },
      license: { '@id': RIGHTS },
      mentions: { '@id': software },
      hasPart: parts.map((part) => ({ '@id': part['@id'] })),
    },
    { '@id': catalogUrl, '@type': 'WebAPI', name: `API of ${title}` },
    {
      '@id': RIGHTS,
      '@type': 'CreativeWork',
      name: 'Rights',
      description: 'The rights of each record are stated in the record.',
    },
    { '@id': software, '@type': 'SoftwareApplication', name: 'Microfiche', version: VERSION },
    ...parts,
  ];
  return `${JSON.stringify({ '@context': `${PROFILE}/context`, '@graph': graph }, undefined, 1)}\n`;
}

const optional = <T>(name: string, value: T | undefined): Record<string, T> => (value === undefined ? {} : { [name]: value });
