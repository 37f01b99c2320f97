/** The README of a bag: what it is, and what opens and checks it. */
import { VERSION } from '../../model/version.ts';
import { SOURCE_FILE } from '../../publish/program-source.ts';
import { signatureCommand } from '../../publish/signed-kinds.ts';
import { describeBodies, type ExportScope, isWhole, PRIVATE_RECORDS } from '../scope.ts';
import { wrap } from '../wrap-text.ts';

const SOURCE_COLUMN = 32;

/** Returns the README of a bag. */
export function bagReadme(title: string, scope: ExportScope, withSource: boolean): string {
  const source = `data/${SOURCE_FILE}`.padEnd(SOURCE_COLUMN);
  return `${title}: snapshot

${wrap(
  `This is a BagIt bag (RFC 8493) with ${isWhole(scope) ? 'everything that' : 'a part of what'} Microfiche harvested from the archive's public API. ${describeBodies(scope)} ${PRIVATE_RECORDS}`,
)}

data/snapshot.sqlite            API responses, with URL, time, headers and checksum (SQLite)
data/tables/                    the published records as CSV, Parquet and SQLite
data/media/                     images, recordings and transcripts, named after their records
data/finding-aids/              the finding aids of the published collections (EAD3)
data/ro-crate-metadata.json     what each file is (RO-Crate 1.2)
${withSource ? `${source}the program that made this bag; its docs/snapshot-format.md describes the database\n` : ''}manifest-sha256.txt, …          the checksums of all files

Is it complete and unchanged? With any tool for bags, or:

  sha256sum -c manifest-sha256.txt
  sha256sum -c tagmanifest-sha256.txt

If tagmanifest-sha256.txt.sig is here, the bag was signed. With the signer's public key in the file signers:

  ${signatureCommand('bag')}

To read the records, open data/snapshot.sqlite with SQLite.

To make a site of them again${withSource ? `, unpack data/${SOURCE_FILE}, and run "npm ci" in its directory. Then run there` : `, run in the directory of Microfiche ${VERSION}`}:

  node scripts/bin.mjs import PATH_OF_THIS_BAG --snapshot snapshot
  node scripts/bin.mjs build --snapshot snapshot
`;
}
