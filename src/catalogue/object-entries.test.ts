import { expect, it } from 'vitest';
import { createSnapshotOf } from '../../tests/memory-snapshot.ts';
import { readCatalogue } from './catalogue.ts';

const entriesOf = (bodies: Record<string, unknown>) => {
  const store = createSnapshotOf(Object.entries(bodies).map(([name, body]) => [{ kind: 'object', name }, body]));
  return [...readCatalogue(store).objects];
};
const shown = (bodies: Record<string, unknown>) =>
  entriesOf(bodies)
    .map(({ id }) => id)
    .sort();

it('shows what is below a record whose body is not a record', () => {
  const ids = shown({ 'a-b': ['no record'], 'a-b-1': { id: 'a-b-1' }, 'a-b-1-1': { id: 'a-b-1-1' } });
  expect(ids).toEqual(['a-b-1', 'a-b-1-1']);
});

it('ignores a body that contains another record', () => {
  const bodies = {
    'a-b-1': { id: 'a-b-1', public: '0' },
    'a-b-1-1': { id: 'a-b-1-1' },
    'a-b-9': { id: 'a-b-1', public: '1' },
  };
  expect(shown(bodies)).toEqual([]);
});

it('puts places on the map whose position can be used, and lists the others', () => {
  const geography = [
    { term: 'Quay', geo_lat: '34°23\'7"N', geo_lng: '118,5 W' },
    { term: 'Not set', geo_lat: '0', geo_lng: 0 },
  ];
  const [entry] = entriesOf({ 'a-b-1-1': { id: 'a-b-1-1', geography } });
  expect(entry?.positions).toEqual([{ place: 'quay', lat: 34.3852778, lng: -118.5 }]);
  expect(entry?.unusablePositions).toEqual([{ place: 'Not set', position: '0, 0' }]);
});
