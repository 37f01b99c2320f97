import { expect, it } from 'vitest';
import { readFields } from '../site/fields.ts';
import { createLocales, type Locale } from '../site/language/locale.ts';
import { parseRecord } from './records.ts';
import { isLicenseUrl, rightsTermsUrl } from './rights-terms.ts';

const CC = 'https://creativecommons.org/licenses';

it.each([
  [{ rights: 'cc' }, undefined],
  [{ rights: 'cc', rights_statement: 'Creative Commons' }, undefined],
  [{ rights: 'cc', rights_statement: 'See https://creativecommons.org/licenses/ for the licenses.' }, undefined],
  [{ rights: 'cc', rights_statement: 'CC BY' }, undefined],
  [{ rights: 'cc', rights_statement: 'CC BY-NC-SA 4.0' }, `${CC}/by-nc-sa/4.0/`],
  [{ rights: 'cc', rights_statement: 'Licensed under <b>CC-BY 3.0</b>.' }, `${CC}/by/3.0/`],
  [
    { rights: 'cc', rights_statement: 'Creative Commons Attribution-NonCommercial-ShareAlike 4.0 International License' },
    `${CC}/by-nc-sa/4.0/`,
  ],
  [{ rights: 'cc', rights_statement: 'Creative Commons Attribution 4.0' }, `${CC}/by/4.0/`],
  [{ rights: 'cc', rights_statement: '<a href="https://creativecommons.org/licenses/by-nd/4.0/">terms</a>' }, `${CC}/by-nd/4.0/`],
  [{ rights: 'cc', rights_statement: `It has the license ${CC}/by/4.0.` }, `${CC}/by/4.0/`],
  [{ rights: `${CC}/by/4.0/` }, `${CC}/by/4.0/`],
  [{ rights: 'cc', userrestrict: 'CC0' }, 'https://creativecommons.org/publicdomain/zero/1.0/'],
  [{ rights: 'pdm' }, 'https://creativecommons.org/publicdomain/mark/1.0/'],
  [{ rights: 'nocc' }, 'https://rightsstatements.org/vocab/InC/1.0/'],
  [
    { rights: 'nocc', rights_statement: 'https://rightsstatements.org/vocab/InC-EDU/1.0/' },
    'https://rightsstatements.org/vocab/InC-EDU/1.0/',
  ],
  [{ rights: 'constructor' }, undefined],
  [{ rights: [{}], rights_statement: 7 }, undefined],
  [{}, undefined],
])('finds the terms of %j: %s', (raw, url) => expect(rightsTermsUrl(raw)).toBe(url));

it('distinguishes licenses from statements', () => {
  expect([`${CC}/by/4.0/`, 'https://rightsstatements.org/vocab/InC/1.0/'].map(isLicenseUrl)).toEqual([true, false]);
});

it('says “cc” without a license only as what it is, and with one, what it allows', () => {
  const [locale] = createLocales(['en']) as [Locale];
  const rights = (raw: Record<string, unknown>) => {
    const record = parseRecord({ id: 'demo-org-1-2', rights: 'cc', ...raw });
    return record && readFields(record, {}, locale).find(({ field }) => field.name === 'rights')?.parts;
  };
  expect(rights({})).toEqual([
    { text: 'Creative Commons', isFree: false },
    { text: 'The record does not name the Creative Commons license. Contact the archive before reusing it.' },
  ]);
  expect(rights({ rights_statement: 'CC BY 4.0' })).toEqual([
    { text: 'Creative Commons', isFree: true, url: `${CC}/by/4.0/` },
    { text: 'Free to reuse under its Creative Commons license.' },
  ]);
});
