import { expect, it } from 'vitest';
import { readRecordDates } from '../record-dates.ts';
import { parseRecord } from '../records.ts';
import { commonDayOrder, type DayOrder, resolveDays } from './day-order.ts';

const none = { creation: undefined, digitize_date: undefined, created: undefined, modified: undefined };

it.each<[what: string, creation: string, digitized: string | undefined, modified: string | undefined, resolved: string]>([
  ['a day that only one order can read', '10/30/1942', undefined, undefined, '1942-10-30'],
  ['a day that only the other order can read', '30/10/1942', undefined, undefined, '1942-10-30'],
  ['a day by the order of the digitization', '3/4/1942', '10/30/2003', undefined, '1942-03-04'],
  ['a day by the other order of the digitization', '3/4/1942', '30/10/2003', undefined, '1942-04-03'],
  ['a day that must be before the digitization', '3/4/2003', '2003-03-20 00:00:00.0', undefined, '2003-03-04'],
  ['a year of two digits, digitized later', '19-Feb-21', '2015-01-01', undefined, '1921-02-19'],
  ['a year of two digits, changed later', '19 Feb. ’21', undefined, '2015-01-01', '1921-02-19'],
  ['numbers with a year of two digits', 'c. 2/19/42', '2015-01-01', undefined, 'c. 1942-02-19'],
  ['the same number twice', '4/4/1942', undefined, undefined, '1942-04-04'],
  ['nothing if two days remain', '3/4/1942', '5/6/2003', undefined, '3/4/1942'],
  ['nothing if two centuries remain', '19-Feb-21', undefined, undefined, '19-Feb-21'],
  ['the year of a day that stays open', '03-04-42', '2001-05-06', undefined, '03-04-1942'],
  ['no century without other dates', '2/19/42', undefined, undefined, '2/19/42'],
  ['the name of a month before the day', "Feb. 19, '42", undefined, '2015-01-01', '1942-02-19'],
  ['each day of a span', '3/4/1942 - 30/10/1942', undefined, undefined, '1942-04-03 - 1942-10-30'],
  ['nothing of other words', 'May 1942', '3/9/2014', undefined, 'May 1942'],
])('resolves %s', (_, creation, digitize_date, modified, resolved) => {
  expect(resolveDays({ ...none, creation, digitize_date, modified }).creation).toBe(resolved);
});

it.each<[digitized: string, creation: string | undefined, modified: string | undefined, resolved: string]>([
  ['19-Feb-21', undefined, undefined, '2021-02-19'],
  ['2/19/96', undefined, undefined, '1996-02-19'],
  ['2/19/92', undefined, undefined, '2/19/92'],
  ['10/30/2003', 'October 1990', undefined, '2003-10-30'],
  ['3/9/2014', 'May 2014', undefined, '2014-09-03'],
  ['3/9/2014 10:21', undefined, '2014-04-01', '2014-03-09'],
  ['2014-03-09 00:00:00.0', undefined, undefined, '2014-03-09 00:00:00.0'],
  ['batch 7', undefined, undefined, 'batch 7'],
])(
  'reads a digitization on %s after 1995, after the creation and before the last change',
  (digitize_date, creation, modified, resolved) => {
    expect(resolveDays({ ...none, creation, digitize_date, modified }).digitize_date).toBe(resolved);
  },
);

it('uses the order of the archive only where the record shows none', () => {
  const of = (creation: string, digitize_date?: string, order?: DayOrder) =>
    resolveDays({ ...none, creation, digitize_date }, order);
  expect(of('3/4/1942', undefined, 'day-first')).toMatchObject({ creation: '1942-04-03', stated: 'open' });
  expect(of('3/4/1942', '10/30/2003', 'day-first')).toMatchObject({ creation: '1942-03-04', stated: 'month-first' });
  expect(of('3/4/1942')).toMatchObject({ creation: '3/4/1942', stated: 'open' });
  expect(of('1942', '2003').stated).toBeUndefined();
});

it.each<[month: number, day: number, order: DayOrder | undefined]>([
  [1, 0, 'month-first'],
  [0, 3, 'day-first'],
  [40, 2, 'month-first'],
  [4, 2, undefined],
  [0, 0, undefined],
])('takes the order of an archive from %d and %d records', (month, day, order) => {
  expect(commonDayOrder({ 'month-first': month, 'day-first': day })).toBe(order);
});

it('reads only the year of a day that could be two', () => {
  const dates = (creation: string, order?: DayOrder) => {
    const record = parseRecord({ id: 'demo-org-1-1', creation }, { dayOrder: order });
    return record && readRecordDates(record);
  };
  expect(dates('2/11/1947')).toMatchObject({ isAmbiguous: true, reading: { edtf: '1947' }, words: '2/11/1947' });
  expect(dates('3/4/1942 - 5/6/1943')).toMatchObject({ isAmbiguous: true, reading: { edtf: '1942/1943' } });
  expect(dates('3/14/1942 - 5/6/1943')).toMatchObject({ isAmbiguous: false, reading: { edtf: '1942-03-14/1943-05-06' } });
  expect(dates('19-Feb-21')).toMatchObject({ isAmbiguous: true, isUnread: true, reading: undefined });
  expect(dates('14-May-62')).toMatchObject({ isAmbiguous: true, isUnread: true, reading: undefined });
  expect(dates('2/11/1947', 'month-first')).toMatchObject({ isAmbiguous: false, reading: { edtf: '1947-02-11' } });
});

it.each<[term: string, startdate: string, enddate: string | undefined, edtf: string]>([
  ['1960-1969', '1960-01-01 00:00:00.0', undefined, '1960/1969'],
  ['1960s', '1960-01-01', '1969-12-31', '196X'],
  ['1942', '1942-05-01', undefined, '1942-05-01'],
  ['The flood', '1942-05-01', '1942-06-30', '1942-05-01/1942-06-30'],
])('reads the period “%s” from %s', (term, startdate, enddate, edtf) => {
  const record = parseRecord({ id: 'demo-org-1-1', chronology: [{ term, startdate, enddate }] });
  expect(record && readRecordDates(record).reading?.edtf).toBe(edtf);
});

it('reads inclusive dates and periods by the order of the archive, and of a day that could be two only the year', () => {
  const dates = (fields: object, order?: DayOrder) => {
    const record = parseRecord({ id: 'demo-org-1', ...fields }, { dayOrder: order });
    return record && { edtf: readRecordDates(record).reading?.edtf, stated: record.statedDayOrder };
  };
  const [inclusive, period] = [{ unitdateinclusive: '3/4/1942 - 5/6/1943' }, { chronology: [{ startdate: '3/4/1942' }] }];
  expect(dates(inclusive)).toEqual({ edtf: '1942/1943', stated: 'open' });
  expect(dates(inclusive, 'day-first')?.edtf).toBe('1942-04-03/1943-06-05');
  expect(dates(period)).toEqual({ edtf: '1942', stated: 'open' });
  expect(dates(period, 'day-first')?.edtf).toBe('1942-04-03');
  expect(dates({ chronology: [{ startdate: '3/4/1942', enddate: '30/4/1942' }] })?.edtf).toBe('1942-04-03/1942-04-30');
});
