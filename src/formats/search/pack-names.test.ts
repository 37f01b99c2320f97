import { expect, it } from 'vitest';
import { BASE_PACK, packForFile } from './pack-names.ts';

const division = { fragment: 4, documents: 16, index: 2 };

it.each([
  ['pagefind-entry.json', BASE_PACK],
  ['pagefind.p0_e7a4e64565.pf_meta', BASE_PACK],
  ['wasm.unknown.pagefind', BASE_PACK],
  ['fragment/p0_0123abcd0000.pf_fragment', 'fragment-0'],
  ['fragment/p0_0123abcd000f.pf_fragment', 'fragment-0'],
  ['fragment/p0_0123abcd0030.pf_fragment', 'fragment-3'],
  ['fragment/delta_00000000ffffffef.pf_fragment', 'fragment-2'],
  ['index/p0_00070bc.pf_index', 'index-1'],
  ['unknown/p0_00070bc.x', BASE_PACK],
])('assigns %s to %s', (path, pack) => expect(packForFile(path, division)).toBe(pack));
