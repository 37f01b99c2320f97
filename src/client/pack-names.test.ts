import { expect, it } from 'vitest';
import { BASE_PACK, packForFile } from './pack-names.ts';

const division = { fragment: 4, index: 2, filter: 1 };

it.each([
  ['pagefind-entry.json', BASE_PACK],
  ['pagefind.en_e7a4e64565.pf_meta', BASE_PACK],
  ['wasm.en.pagefind', BASE_PACK],
  ['fragment/en_0000abc.pf_fragment', 'fragment-0'],
  ['fragment/en_0003abc.pf_fragment', 'fragment-3'],
  ['index/en_00070bc.pf_index', 'index-1'],
  ['filter/en_ffff0bc.pf_filter', 'filter-0'],
  ['unknown/en_00070bc.x', BASE_PACK],
])('assigns %s to %s', (path, pack) => expect(packForFile(path, division)).toBe(pack));
