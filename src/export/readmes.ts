/** The README files of packages: what they are, and what opens and checks them. */
import { SOURCE_FILE } from '../publish/program-source.ts';

const SOURCE_COLUMN = 32;

/** Returns the README of a bag. */
export function bagReadme(title: string, withSource: boolean): string {
  const source = `data/${SOURCE_FILE}`.padEnd(SOURCE_COLUMN);
  return `${title}: snapshot

This is a BagIt bag (RFC 8493) with everything that Microfiche harvested from the archive's public API. It may contain records that the
archive does not publish. Contact the archive before you share it.

data/snapshot.sqlite            every API response, with URL, time, headers and checksum (SQLite)
data/tables/                    the published records as CSV, Parquet and SQLite
data/media/                     images, recordings and transcripts, named after their records
data/finding-aids/              the finding aids of the published collections (EAD3)
data/ro-crate-metadata.json     what each file is (RO-Crate 1.2)
${withSource ? `${source}the program that made this bag; its docs/snapshot-format.md describes the database\n` : ''}manifest-sha256.txt, …          the checksums of all files

Is it complete and unchanged? With any tool for bags, or:

  sha256sum -c manifest-sha256.txt
  sha256sum -c tagmanifest-sha256.txt

If tagmanifest-sha256.txt.sig is here, the bag was signed. With the signer's public key in the file signers:

  ssh-keygen -Y verify -f signers -I NAME -n file -s tagmanifest-sha256.txt.sig < tagmanifest-sha256.txt

To read the records, open data/snapshot.sqlite with SQLite. To make a site of them again:

  npx microfiche import THIS_DIRECTORY --snapshot snapshot
  npx microfiche build --snapshot snapshot
`;
}

/** Returns the README of a WACZ of a snapshot (`wacz`) or of a site (`wacz-site`). */
export function waczReadme(title: string, format: string): string {
  const content =
    format === 'wacz'
      ? `This WACZ has every exchange with the archive's API, and the media files, as Microfiche received them. It may contain records that the
archive does not publish. Contact the archive before you share it. To make a snapshot and a site of it again:

  npx microfiche import FILE.wacz --snapshot snapshot
  npx microfiche build --snapshot snapshot`
      : `This WACZ has the site that Microfiche made of the archive. Its files are resource records, because they were
not requested over HTTP.`;
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
  ssh-keygen -Y verify -f signers -I NAME -n file -s datapackage.json.sig < datapackage.json
`;
}

/** Returns the README of a static API. */
export function staticApiReadme(url: string): string {
  return `Static copy of an archive's API

These files are the responses of the archive's two APIs, for any web server: each address is a directory whose index.html contains JSON.
Host them at ${url}. Nothing else is needed.
manifest-sha256.txt has the checksums of all files.

To mirror the archive from there:

  npx microfiche harvest --authors-url ${url} --catalog-url ${url} --snapshot snapshot
`;
}

/** Returns the README of IIIF documents. `siteUrl` ends with a slash. */
export function iiifReadme(title: string, siteUrl: string): string {
  return `${title}: IIIF manifests

These files describe the images and recordings of the archive for IIIF viewers (Presentation API 3). The images and recordings themselves
are in the site made by Microfiche at ${siteUrl}

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
