import { expect, it } from 'vitest';
import { parseRecord } from '../../model/records.ts';
import { readDateColumns } from './dates.ts';

it.each([
  ['June 2, 2010', '2010-06-02', '2010-06-02', 'certain'],
  ['1942', '1942-01-01', '1942-12-31', 'certain'],
  ['February 1944', '1944-02-01', '1944-02-29', 'certain'],
  ['circa 1942', '1942-01-01', '1942-12-31', 'approximate'],
  ['1942?', '1942-01-01', '1942-12-31', 'uncertain'],
  ['circa 1942?', '1942-01-01', '1942-12-31', 'approximate and uncertain'],
  ['1942 and 1945', '1942-01-01', '1945-12-31', 'certain'],
  ['before 1942', undefined, '1941-12-31', 'certain'],
  ['after 1942', '1943-01-01', undefined, 'certain'],
  ['1942-', '1942-01-01', undefined, 'certain'],
  ['n.d.', undefined, undefined, 'undated'],
  ['some time ago', undefined, undefined, 'not read'],
  ['', undefined, undefined, undefined],
])('“%s” is from %s to %s, %s', (creation, start, end, certainty) => {
  const record = parseRecord({ id: 'demo-org-1-1', creation });
  expect(record && readDateColumns(record)).toMatchObject({ start, end, certainty });
});
