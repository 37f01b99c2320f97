import { expect, it } from 'vitest';
import { encloseInMarks, isolate, isolateNames, isolatesToEntities, isolatesToHtml } from './isolate.ts';

it('isolates what is written from right to left, and nothing else', () => {
  expect(isolate('رسالة (1942)')).toBe('\u2068رسالة (1942)\u2069');
  expect(isolate('A letter (1942)')).toBe('A letter (1942)');
  expect(isolateNames('محمد أحمد. “\u2068رسالة.\u2069” 1942.')).toBe('\u2068محمد أحمد\u2069. “\u2068رسالة.\u2069” 1942.');
});

it('writes isolates as HTML, but none of the archive', () => {
  const sentence = isolateNames(`محمود درويش. “${isolate('الصيّادون <في> \u2068الميناء!')}”`);
  expect(isolatesToHtml(sentence)).toBe('<bdi>محمود درويش</bdi>. “<bdi>الصيّادون &lt;في&gt; الميناء!</bdi>”');
  expect(isolatesToEntities(`${isolate('رسالة')} · ${isolate('A\u2069')}`)).toBe('&#8296;رسالة&#8297; · A');
});

it('marks both ends of a text that is written from right to left', () => {
  expect([encloseInMarks('184 كيلوبايت'), encloseInMarks('184 KB')]).toEqual(['\u200f184 كيلوبايت\u200f', '184 KB']);
});
