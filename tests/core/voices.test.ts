/** Voices on the pages of topics, places and facilities: clips of different narrators, none that is withheld or has a notice. */
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { createSharedDirectory, runMicroficheJson } from '../support/commands.ts';
import { createCache } from '../support/shared-sites.ts';

const TOPIC = 'browse/topic/12.html';
const narratorsIn = (html: string) => Array.from(html.matchAll(/<p class="voice-name">.*?>([^<>]+)<\/a>/gs), ([, name]) => name);

describe('voices', () => {
  const { dist, snapshot } = inject('mirror');
  const page = (path: string) => readFileSync(join(dist, path), 'utf8');

  it('are clips of different narrators, with words, citation and the moment in the page of the segment', () => {
    const html = page(TOPIC);
    expect(narratorsIn(html)).toEqual(['Leif Vane', 'Sven Netherby', 'Dov Kelpie', 'Orla Inkster']);
    expect(html).toMatch(/<blockquote[^>]*>\s*Thirteen\. I told them fifteen\..*? came down to here\.<\/blockquote>/s);
    expect(html).toContain('nets all winter. In March, the fishing began.</blockquote>');
    expect(html).toContain('href="../../objects/lica-ferry-1-5-1.html#t=0,2"');
    expect(html).toMatch(
      /Kelpie, Dov\..*https:\/\/mirror\.example\/archive\/objects\/lica-ferry-1-5-1\.html#t=0,2 \(0:00–0:02\)/,
    );
    const [clip, src = ''] = /<li data-src="..\/..\/(media\/lica-ferry-1\/lica-ferry-1-5-1\.[^"]+)" [^>]*>/.exec(html) ?? [];
    expect(clip).toContain('data-start="0" data-end="2" data-status="3 of 4: Dov Kelpie"');
    expect(existsSync(join(dist, src))).toBe(true);
    expect(html).toContain('>Hear 4 voices</button>');
  });

  it('are on the pages of places and facilities, and not of other values, nor of a value with one narrator', () => {
    expect(narratorsIn(page('browse/facility/3.html'))).toHaveLength(4);
    expect(page('browse/genre/interview.html')).not.toContain('class="voices"');
    expect(page('browse/topic/14.html')).not.toContain('class="voices"');
  });

  const folder = createSharedDirectory();
  it('are never of a segment that has a notice, or that is withheld, and change with both', async () => {
    createCache(join(folder.path, '.microfiche/cache'));
    // A snapshot remembers what is withheld of it, and other tests build the shared one.
    cpSync(snapshot, join(folder.path, 'snapshot'), { recursive: true });
    const build = async (config: object) => {
      writeFileSync(join(folder.path, 'microfiche.config.json'), JSON.stringify(config));
      await runMicroficheJson(['build', '--snapshot', 'snapshot', '--out', 'dist'], { cwd: folder.path });
      return narratorsIn(readFileSync(join(folder.path, 'dist', TOPIC), 'utf8'));
    };
    const warning = { kind: 'warning', ids: ['lica-ferry-1-5'], title: 'A drowning is told' };
    expect(await build({ notices: [warning] })).toEqual(['Leif Vane', 'Sven Netherby', 'Orla Inkster']);
    expect(await build({ withhold: [{ id: 'lica-ferry-1-6-1', reason: 'By the narrator’s wish', date: '2026-10-01' }] })).toEqual(
      ['Leif Vane', 'Sven Netherby', 'Dov Kelpie'],
    );
    folder.remove();
  });
});
