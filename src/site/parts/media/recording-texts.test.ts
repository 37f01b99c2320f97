import { expect, it } from 'vitest';
import type { ListedEntry } from '../../../catalogue/entries.ts';
import { readTranscript } from '../../../model/transcripts/read-transcript.ts';
import { createLocales } from '../../language/locale.ts';
import type { Site } from '../../site.ts';
import { createRecordingTextViews } from './recording-texts.ts';

it('shows the captions, transcript and glossary of a long recording to their ends', () => {
  const [locale] = createLocales(['en']);
  const site = { locale, archiveLanguages: { main: 'en', named: [] }, kiosk: undefined } as unknown as Site;
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
  const readings = sources.map(([id, mimetype]) => {
    const file = { path: id, mimetype, size: 1, sha256: id, verifiedAlgorithms: [] };
    return { id: `demo-a-1-1-${id}`, title: id, isGlossary: id === 'glossary', file };
  });
  const views = createRecordingTextViews(
    { id: 'demo-a-1-1', facets: {} } as unknown as ListedEntry,
    readings as unknown as Parameters<typeof createRecordingTextViews>[1],
    new Map(sources.map(([id, mimetype, text]) => [id, readTranscript(text, mimetype)])),
    () => undefined,
    site,
  );
  expect(views.map(({ kind, isTruncated }) => [kind, isTruncated])).toEqual([
    ['captions', false],
    ['transcript', false],
    ['glossary', false],
  ]);
  expect(views[0]?.cues.at(-1)?.end).toBe(7500);
  expect(views[2]?.paragraphs).toHaveLength(2);
});
