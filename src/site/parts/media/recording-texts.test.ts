import { expect, it } from 'vitest';
import type { ListedEntry } from '../../../catalogue/entries.ts';
import { readTranscript } from '../../../model/transcripts/read-transcript.ts';
import { createLocales } from '../../language/locale.ts';
import type { Site } from '../../site.ts';
import { createRecordingTextViews } from './recording-texts.ts';

/** Returns the texts of a segment as its page shows them. */
function createViews(sources: ReadonlyArray<readonly [id: string, mimetype: string, text: string]>) {
  const [locale] = createLocales(['en']);
  const site = { locale, archiveLanguages: { main: 'en', named: [] }, kiosk: undefined } as unknown as Site;
  const readings = sources.map(([id, mimetype]) => {
    const file = { path: id, mimetype, size: 1, sha256: id, verifiedAlgorithms: [] };
    return { id: `demo-a-1-1-${id}`, title: id, isGlossary: id === 'glossary', file };
  });
  return createRecordingTextViews(
    { id: 'demo-a-1-1', facets: {} } as unknown as ListedEntry,
    readings as unknown as Parameters<typeof createRecordingTextViews>[1],
    new Map(sources.map(([id, mimetype, text]) => [id, readTranscript(text, mimetype)])),
    () => undefined,
    site,
  );
}

it('names the texts of one file by their languages', () => {
  const point = '<point><time>5</time><title>The fog bells in the harbor</title><title_alt>港の霧の鐘</title_alt></point>';
  const record = `<transcript>We left the harbor early.</transcript><transcript_alt>早く港を出ました。</transcript_alt><index>${point}</index>`;
  const ohms = `<ROOT xmlns="https://www.weareavp.com/nunncenter/ohms"><record>${record}</record></ROOT>`;
  const views = createViews([['transcript', 'application/x-ohms+xml', ohms]]);
  expect(views.map(({ label, lang }) => [label, lang])).toEqual([
    ['Transcript', undefined],
    ['Translation', 'ja'],
    ['Index: English', undefined],
    ['Index: Japanese', 'ja'],
  ]);
});

it('knows a translation and a summary by the titles of their files', () => {
  const vtt = 'WEBVTT\n\n00:01.000 --> 00:02.000\nWe left early.\n';
  const views = createViews([
    ['Captions', 'text/vtt', vtt],
    ['English translation', 'text/vtt', vtt],
    ['Summary', 'text/plain', 'How the ferry was saved.'],
  ]);
  expect(views.map(({ kind, label }) => [kind, label])).toEqual([
    ['captions', 'Captions'],
    ['translation', 'Translation'],
    ['summary', 'Summary'],
  ]);
});

it.each(['Interview with translator Ana Ruiz', 'Not translated', 'Transcript and summary', 'Abstract of title, lot 7'])(
  'takes %s for no translation and no summary',
  (title) => expect(createViews([[title, 'text/plain', 'We left early.']])[0]?.kind).toBe('transcript'),
);

it('shows the captions, transcript and glossary of a long recording to their ends', () => {
  const time = (seconds: number) => new Date(seconds * 1000).toISOString().slice(11, 23);
  const cues = Array.from(
    { length: 1500 },
    (_, n) => `${time(n * 5)} --> ${time(n * 5 + 5)}\nThe whistle went at five, and the gulls knew it.\n`,
  );
  const sources = [
    ['captions', 'text/vtt', `WEBVTT\n\n${cues.join('\n')}`],
    ['transcript', 'text/plain', 'The boats came in by sound, and the lamp stood in the window. '.repeat(1500)],
    ['glossary', 'text/plain', 'skerry: a rock in the sea\nnoust: a place for a boat'],
  ] as const;
  const views = createViews(sources);
  expect(views.map(({ kind, isTruncated }) => [kind, isTruncated])).toEqual([
    ['captions', false],
    ['transcript', false],
    ['glossary', false],
  ]);
  expect(views[0]?.cues.at(-1)?.end).toBe(7500);
  expect(views[2]?.paragraphs).toHaveLength(2);
});
