/** The README files of packages: what they are, and what opens and checks them. */
import { VERSION } from '../model/version.ts';
import { SOURCE_FILE } from '../publish/program-source.ts';
import { signatureCommand } from '../publish/signed-kinds.ts';
import { describeBodies, describeScope, type ExportScope, isWhole } from './scope.ts';
import { wrap } from './wrap-text.ts';

const PRIVATE_RECORDS = 'It may contain records that the archive does not publish. Contact the archive before you share it.';
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

/** Returns the README of a WACZ of a snapshot. */
export function waczReadme(title: string, scope: ExportScope): string {
  const content = isWhole(scope)
    ? "This WACZ has every stored response of the archive's API with its request, and the media files, as Microfiche received them."
    : `This WACZ has a part of the stored responses of the archive's API, and media files. ${describeBodies(scope)} Lists and earlier versions are left out.`;
  return formatWaczReadme(
    title,
    `${wrap(`${content} ${PRIVATE_RECORDS}`)}

To make a snapshot and a site of it again, run in the directory of Microfiche ${VERSION}:

  node scripts/bin.mjs import PATH_OF_THIS_WACZ --snapshot snapshot
  node scripts/bin.mjs build --snapshot snapshot`,
  );
}

/** Returns the README of a WACZ of a site. */
export function waczSiteReadme(title: string): string {
  const content =
    'This WACZ has the site that Microfiche made of the archive. Its files are resource records, because they were not requested over HTTP.';
  return formatWaczReadme(title, wrap(content));
}

function formatWaczReadme(title: string, content: string): string {
  return `${title}

${content}

ReplayWeb.page opens it: https://replayweb.page, or a copy of that program without the Internet.

archive/                        the content, as WARC 1.1
indexes/index.cdxj              where each URL is
pages/pages.jsonl               the pages, with title and text
datapackage.json                the checksums of all files
datapackage-digest.json         the checksum of datapackage.json, and the signatures, if it was signed

Is it complete and unchanged? "sha256sum" of each file must give what datapackage.json says, and that of datapackage.json what
datapackage-digest.json says. If it was signed, ReplayWeb.page checks the anonymous signature (signedData), which does not say who signed.

Who signed it? With the signer's public key in the file signers:

  unzip FILE.wacz datapackage.json datapackage-digest.json
  jq -r .sshSignature datapackage-digest.json > datapackage.json.sig
  ${signatureCommand('wacz')}
`;
}

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

/** Returns the README of IIIF documents. `siteUrl` ends with a slash. */
export function iiifReadme(title: string, scope: ExportScope, siteUrl: string): string {
  return `${title}: IIIF manifests

${wrap(
  `These files describe the images and recordings of the archive for IIIF viewers (Presentation API 3). ${describeScope(scope)} The images and recordings themselves are in the site made by Microfiche at ${siteUrl}`,
)}

iiif/collection.json            all collections: open this one in a viewer
iiif/ID/collection.json         one collection
iiif/ID/manifest.json           one photograph, document, interview or segment
iiif/ID/record.json             its record, as the archive's API returns it
media/tiles/ID/info.json        large images in tiles (Image API 3, level 0)

Copy the directories iiif and media into the directory of the site. The host must allow other sites to read them:

  Access-Control-Allow-Origin: *

Any viewer opens them, for example Mirador, Universal Viewer or Clover: ${siteUrl}iiif/collection.json
`;
}
