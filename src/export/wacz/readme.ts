/** The READMEs of WACZ files: what they are, and what opens and checks them. */
import { VERSION } from '../../model/version.ts';
import { signatureCommand } from '../../publish/signed-kinds.ts';
import { describeBodies, type ExportScope, isWhole, PRIVATE_RECORDS, wrap } from '../scope.ts';

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
