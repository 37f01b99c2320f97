/** Reads captions in SAMI (Synchronized Accessible Media Interchange), which are HTML with times, in one language or more. */
import { toPlainText } from '../text/text.ts';
import { type TranscriptText, textOfUtterances, type Utterance } from './transcript-text.ts';

/** Whether a text is SAMI. */
export const isSami = (text: string): boolean => /^\ufeff?\s*<sami\b/i.test(text);

/** Returns the captions of each language, which is a class. Those without words end the ones before. */
export function readSami(sami: string): TranscriptText[] {
  const byClass = new Map<string, Utterance[]>();
  for (const block of sami.split(/<sync\b/i).slice(1)) {
    const start = Number(/^[^<>]*?\bstart\s*=\s*["']?(\d{1,9})/i.exec(block)?.[1] ?? Number.NaN) / 1000;
    for (const paragraph of block.split(/(?=<p\b)/i).slice(1)) {
      const name = /^<p\b[^<>]*?\bclass\s*=\s*["']?([\w-]+)/i.exec(paragraph)?.[1] ?? '';
      const said = byClass.get(name) ?? [];
      const last = said.at(-1);
      if (last) last.end = start;
      said.push({ start, voice: undefined, text: toPlainText(paragraph.replace(/<\/(?:sami|sync)\s*>/gi, '')) });
      byClass.set(name, said);
    }
  }
  return [...byClass.values()].map((said) => textOfUtterances(said));
}
