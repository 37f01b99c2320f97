/** The README of IIIF documents: what they are, and what opens them. */
import { describeScope, type ExportScope } from '../scope.ts';
import { wrap } from '../wrap-text.ts';

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
