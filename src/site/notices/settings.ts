/** The setting `notices`: content warnings and cultural-protocol labels on records. */
import { z } from 'zod';
import { filePath, localText, MAX_TEXT, MAX_TITLE, oneOf, recordId, webUrl } from '../design/setting-values.ts';

/** The kinds of notices. */
export const NOTICE_KINDS = ['warning', 'label'] as const;

const IDS_MESSAGE = 'must be a list of IDs, as in ["demo-org-1-2"]';
const ids = z.array(recordId, IDS_MESSAGE).min(1, IDS_MESSAGE);

/** The setting. */
export const noticesSchema = z.array(
  z
    .strictObject(
      {
        kind: z.enum(NOTICE_KINDS, oneOf(NOTICE_KINDS)),
        ids: ids.optional(),
        collections: ids.optional(),
        title: localText(MAX_TITLE),
        text: localText(MAX_TEXT).optional(),
        image: filePath('.svg, .png, .jpg or .webp').optional(),
        link: webUrl.optional(),
      },
      'must be a notice, as in {"kind": "warning", "ids": ["demo-org-1-2"], "title": "…"}',
    )
    .refine(
      (notice) => notice.ids !== undefined || notice.collections !== undefined,
      'needs the IDs of records in "ids" or "collections"',
    ),
  'must be a list, as in [{"kind": "warning", "ids": ["demo-org-1-2"], "title": "…"}]',
);
