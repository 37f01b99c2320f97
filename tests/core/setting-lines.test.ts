/** The lines of settings that messages name. */
import { expect, it } from 'vitest';
import { createLineFinder } from '../../scripts/options/setting-lines.ts';
import { findRepeatedName } from '../../src/settings/json-object.ts';

it.each([
  [
    'the setting, not the comment above it',
    "export default {\n  design: {\n    title: 'Harbor',\n    // colors: { accent: '#1d5c7a' },\n    colors: { accent: '#ffff00' },\n  },\n};",
    ['design', 'colors', 'accent'],
    5,
  ],
  [
    'a setting of the top, not one of the same name within another',
    "export default {\n  design: {\n    contact: 'a@b.org',\n  },\n  contact: 5,\n};",
    ['contact'],
    5,
  ],
  [
    'a setting within another, not one of the top',
    "export default {\n  contact: 'a',\n  design: {\n    contact: 5 } };",
    ['design', 'contact'],
    4,
  ],
  [
    'a value, not its type',
    'interface S {\n  design: object }\nexport default defineConfig({\n  design: {\n    contact: 5,\n} } satisfies S);',
    ['design', 'contact'],
    5,
  ],
  [
    'an element of a list',
    "export default {\n  notices: [\n    { kind: 'a, b' }, // x, y\n    {\n      kind: 'c' },\n  ] };",
    ['notices', '1', 'kind'],
    5,
  ],
  [
    'a quoted name, not a text',
    "export default {\n  title: 'design: {',\n  'design': {\n    title: 5 } };",
    ['design', 'title'],
    4,
  ],
  ['a name that has its value elsewhere', 'const design = {\n  contact: 5,\n};\nexport default { design };', ['design'], 4],
  ['the innermost part that is there', 'export default {\n  design: {\n    colors: {} } };', ['design', 'colors', 'accent'], 3],
  ['nothing that is computed', 'export default Object.fromEntries(list);', ['design'], undefined],
] as const)('finds %s', (_, text, path, line) => {
  expect(createLineFinder('microfiche.config.ts', text)(path)).toBe(line);
});

it('finds names that are in one object twice, not those in several', () => {
  expect(findRepeatedName('{\n  "a": { "b": 1 },\n  "b": [{ "a": 1 }, { "a": 2 }] }')).toBeUndefined();
  expect(findRepeatedName('{\n  "a": { "c": 1,\n "c": 2 } }')).toEqual({ name: 'c', line: 3 });
});
