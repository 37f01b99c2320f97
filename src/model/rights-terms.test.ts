import { expect, it } from 'vitest';
import { facetValues } from '../catalogue/lists/facets.ts';
import { readFields } from '../site/fields/fields.ts';
import { rightsGroupOf } from '../site/fields/rights-groups.ts';
import { createLocales, type Locale } from '../site/language/locale.ts';
import { type ArchivalRecord, parseRecord } from './records.ts';
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
])('finds the terms of %j: %s', (raw, url) => expect(rightsTermsUrl({ raw })).toBe(url));

it('distinguishes licenses from statements', () => {
  expect([`${CC}/by/4.0/`, 'https://rightsstatements.org/vocab/InC/1.0/'].map(isLicenseUrl)).toEqual([true, false]);
});

it('says “cc” without a license only as what it is, and with one, what it allows', () => {
  const [locale] = createLocales(['en']) as [Locale];
  const rights = (raw: Record<string, unknown>) => {
    const record = parseRecord({ id: 'demo-org-1-2', rights: 'cc', ...raw });
    return record && readFields(record, {}, locale).find(({ field }) => field.name === 'rights')?.parts;
  };
  expect(rights({})).toEqual([{ text: 'Creative Commons · ask which license', isFree: false }]);
  expect(rights({ rights_statement: 'CC BY 4.0' })).toEqual([
    { text: 'CC BY 4.0', isFree: true, url: `${CC}/by/4.0/` },
    { text: 'Free to reuse under its Creative Commons license.' },
  ]);
});

it.each([
  [{ rights: 'cc' }, 'cc', 'request'],
  [{ rights: 'cc', rights_statement: 'Creative Commons' }, 'cc', 'request'],
  [{ rights: 'cc', rights_statement: 'CC BY' }, 'cc', 'request'],
  [{ rights: 'cc', rights_statement: 'https://creativecommons.org/licenses/by/' }, 'cc', 'request'],
  [{ rights: 'cc', rights_statement: 'https://rightsstatements.org/vocab/InC/1.0/' }, 'cc', 'request'],
  [{ rights: 'cc', rights_statement: 'CC BY-NC-SA 4.0' }, 'CC BY-NC-SA 4.0', 'free'],
  [{ rights: 'cc', rights_statement: `${CC}/by/3.0/us/deed.en` }, 'CC BY 3.0 US', 'free'],
  [{ rights: 'cc', rights_statement: `${CC}/by/4.0/deed.es` }, 'CC BY 4.0', 'free'],
  [{ rights: 'cc', rights_statement: 'CC0' }, 'CC0 1.0', 'free'],
  [{ rights: 'cc', rights_statement: 'https://creativecommons.org/publicdomain/mark/1.0/' }, 'pdm', 'free'],
  [{ rights: `${CC}/by/4.0/` }, 'CC BY 4.0', 'free'],
  [{ rights: 'https://rightsstatements.org/vocab/NoC-US/1.0/' }, 'https://rightsstatements.org/vocab/NoC-US/1.0/', 'free'],
  [{ rights: 'https://rightsstatements.org/vocab/NoC-CR/1.0/' }, 'https://rightsstatements.org/vocab/NoC-CR/1.0/', 'request'],
  [{ rights: 'pdm' }, 'pdm', 'free'],
  [{ rights: 'nocc', rights_statement: 'CC BY 4.0' }, 'nocc', 'restricted'],
  [{ rights: 'orphan' }, 'orphan', 'request'],
  [{ rights: 'constructor' }, 'constructor', 'request'],
] as const)('the rights of %j are %s, in the group %s: in the facet and on the record', (raw, stated, group) => {
  const [locale] = createLocales(['en']) as [Locale];
  const record = parseRecord({ id: 'demo-org-1-2', ...raw }) as ArchivalRecord;
  expect(facetValues('rights', record).map(({ label }) => label)).toEqual([stated]);
  expect(rightsGroupOf(stated)).toBe(group);
  const [badge] = readFields(record, {}, locale).find(({ field }) => field.name === 'rights')?.parts ?? [];
  expect(badge?.isFree).toBe(group === 'free');
});
