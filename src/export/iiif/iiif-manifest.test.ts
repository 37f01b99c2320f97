import { expect, it } from 'vitest';
import { iiifRights } from './iiif-manifest.ts';

it.each([
  [{ rights: 'pdm' }, 'http://creativecommons.org/publicdomain/mark/1.0/'],
  [{ rights: 'pcc' }, 'http://rightsstatements.org/vocab/InC/1.0/'],
  [{ rights: 'cc' }, undefined],
  [{ rights: 'cc', rights_statement: 'CC BY-NC-SA 4.0' }, 'http://creativecommons.org/licenses/by-nc-sa/4.0/'],
  [
    { rights_statement: 'See https://creativecommons.org/licenses/by/4.0/deed.ja.' },
    'http://creativecommons.org/licenses/by/4.0/',
  ],
  [{ rights_statement: 'https://creativecommons.org/licenses/by/3.0/us/' }, 'http://creativecommons.org/licenses/by/3.0/us/'],
  [{ rights_statement: 'https://creativecommons.org/licenses/by-nd/2.5' }, 'http://creativecommons.org/licenses/by-nd/2.5/'],
  [{ rights_statement: 'https://creativecommons.org/licenses/by/4.0/legalcode' }, 'http://creativecommons.org/licenses/by/4.0/'],
  [{ rights_statement: 'CC0' }, 'http://creativecommons.org/publicdomain/zero/1.0/'],
  [
    { rights_statement: 'https://rightsstatements.org/page/NoC-US/1.0/?language=en' },
    'http://rightsstatements.org/vocab/NoC-US/1.0/',
  ],
  [{ rights_statement: 'https://rightsstatements.org/vocab/Mine/1.0/' }, undefined],
  [{ rights_statement: 'https://creativecommons.org/licenses/anything-else/4.0/' }, undefined],
  [{}, undefined],
])('%j has the URI %s', (raw, uri) => expect(iiifRights({ raw })).toBe(uri));
