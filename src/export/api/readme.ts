/** The README of a static API: what it is, and how to mirror the archive from there. */
import { VERSION } from '../../model/version.ts';
import { describeScope, type ExportScope, isWhole } from '../scope.ts';
import { wrap } from '../wrap-text.ts';

/** Returns the README of a static API. */
export function staticApiReadme(url: string, scope: ExportScope): string {
  return `Static copy of an archive's API

${wrap(
  `These files are ${isWhole(scope) ? 'the' : 'a part of the'} published responses of the archive's two APIs, for any web server: each address is a directory whose index.html contains JSON. ${describeScope(scope)}`,
)}

Host them at ${url}. Nothing else is needed.
manifest-sha256.txt has the checksums of all files.

To mirror the archive from there, run in the directory of Microfiche ${VERSION}:

  node scripts/bin.mjs harvest --authors-url ${url} --catalog-url ${url} --snapshot snapshot
`;
}
