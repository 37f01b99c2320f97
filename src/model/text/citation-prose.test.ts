import { expect, it } from 'vitest';
import { quoted, sentences } from './citation-prose.ts';

it.each([
  ['Nets drying', '“Nets drying.”'],
  ['What now?', '“What now?”'],
  ['元気ですか？', '“元気ですか？”'],
  ['終わり。', '“終わり。”'],
  ['行け！', '“行け！”'],
  ['「終わり。」', '“「終わり。」”'],
  ['おわり．', '“おわり．”'],
  ['[Two boys.]', '“[Two boys.]”'],
  ['[Two boys]', '“[Two boys].”'],
  ['Two boys (one absent)', '“Two boys (one absent).”'],
  ['The "Isabel" at the quay', '“The ‘Isabel’ at the quay.”'],
  ['"Class of 1942" picnic', '“‘Class of 1942’ picnic.”'],
  ['("Isabel")', '“(‘Isabel’).”'],
  ['Poster, 24" x 36"', '“Poster, 24" x 36".”'],
  ['Poster "Vote", 24" x 36"', '“Poster ‘Vote’, 24" x 36".”'],
  ['Read “What Now?”', '“Read ‘What Now?’”'],
])('%s is quoted as %s', (title, expected) => {
  expect(quoted(title, '.')).toBe(expected);
  expect(sentences([expected])).toBe(expected);
});

it('puts a comma inside the quotation marks', () => expect(quoted('Nets "drying"', ',')).toBe('“Nets ‘drying,’”'));

it.each(['終わり。', '元気ですか？', '[Two boys.]', 'Ikeda, Jr.', 'Who?'])('%s needs no full stop', (text) =>
  expect(sentences([text, 'Map'])).toBe(`${text} Map.`),
);
it.each(['[Ota, Kenji?]', 'Nets', 'News [Letter to John Smith Jr.]', '「終わり」'])('%s needs a full stop', (text) =>
  expect(sentences([text])).toBe(`${text}.`),
);
