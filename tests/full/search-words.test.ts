/** What readers type, and what the search page finds and shows, in a browser. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { useSiteInBrowser, waitForSearch } from '../support/chromium.ts';
import { readFiles } from '../support/commands.ts';
import { readIndexedWords, readTexts } from '../support/search-index.ts';

const site = useSiteInBrowser(['en', 'es', 'ja']);
let page: Page;
beforeAll(async () => {
  page = await site.browser().newPage();
});
afterAll(() => page.close());

interface Shown {
  count: string;
  notices: string[];
  suggestion: string | undefined;
  paths: string[];
  marks: string[];
  /** Lines like “In Facility: …”. */
  reasons: string[];
  texts: string[];
  unexplained: string[];
}

/** Returns what the page shows for a query. */
async function search(typed: string, prefix = ''): Promise<Shown> {
  await page.goto(`${site.url()}/${prefix}search.html?q=${encodeURIComponent(typed)}`);
  await waitForSearch(page);
  return page.evaluate(() => {
    const texts = (selector: string) => [...document.querySelectorAll(selector)].map((element) => element.textContent ?? '');
    const items = [...document.querySelectorAll('#results li')];
    return {
      count: document.querySelector('#count')?.textContent ?? '',
      notices: texts('#notices p:not(.suggestion)'),
      suggestion: document.querySelector('.suggestion a')?.textContent ?? undefined,
      paths: items.map((item) => item.querySelector('a')?.getAttribute('href')?.replace(/#.*/, '') ?? ''),
      marks: texts('#results mark'),
      reasons: texts('.reason'),
      texts: texts('#results li'),
      unexplained: items.filter((item) => !item.querySelector('mark, .reason')).map((item) => item.textContent ?? ''),
    };
  });
}

describe('words that are nowhere', () => {
  it.each(['norway', 'spain', 'entity', 'svg', 's', '1799', '鯨', 'フェリー', 'フェリー乗り場', 'さくら'])(
    'finds nothing for %s',
    async (typed) => {
      expect(await search(typed)).toMatchObject({ count: `No results for “${typed}”`, paths: [] });
    },
  );

  it.each([
    ['港のフェリー', ['「フェリー」を除いた検索結果です（どのレコードにも含まれていません）。']],
    ['港を渡る', ['「渡」を除いた検索結果です（どのレコードにも含まれていません）。']],
    ['港と鯨', ['「鯨」を除いた検索結果です（どのレコードにも含まれていません）。']],
    [
      '港のフェリー フェリーターミナル',
      ['「フェリー」、「フェリーターミナル」を除いた検索結果です（どのレコードにも含まれていません）。'],
    ],
    ['港を照明', ['「照明」を除いた検索結果です（どのレコードにも含まれていません）。']],
  ])('finds the other words of %s, and names what is missing as a whole', async (typed, expected) => {
    const { paths, marks, notices } = await search(typed, 'ja/');
    expect(paths).toContain('objects/lica-quay-1-11.html');
    expect(marks.join('')).not.toMatch(/[ァ-ー]/);
    expect(notices).toEqual(expected);
  });

  it('suggests the nearest word that exists, and searches for it', async () => {
    expect(await search('vanr')).toMatchObject({ paths: [], suggestion: 'Vane' });
    await page.click('.suggestion a');
    await waitForSearch(page);
    expect(await page.inputValue('#q')).toBe('Vane');
    expect(await page.locator('#results li').count()).toBeGreaterThan(0);
  });

  it.each([
    ['telegrams', 'No record has “telegrams”: showing “telegram”. '],
    ['netloft', 'No record has “netloft”: showing “net loft”. '],
    ['Lantren Festval', 'No record has “Lantren” and “Festval”: showing “lantern” and “festival”. '],
  ])('shows results for a correction of %s, which one key or link undoes', async (typed, sentence) => {
    for (const undo of [() => page.press('#q', 'Escape'), () => page.click('.suggestion a')]) {
      const { paths, marks } = await search(typed);
      expect([paths.length > 0, marks.length > 0]).toEqual([true, true]);
      expect(await page.textContent('.suggestion')).toContain(sentence);
      await undo();
      await waitForSearch(page);
      expect(await page.inputValue('#q')).toBe(typed);
      expect(await page.textContent('#count')).toBe(`No results for “${typed}”`);
    }
  });

  it('shows which of several words is nowhere', async () => {
    const { notices, paths } = await search('constance zeppelin');
    expect(notices).toEqual(['Results without “zeppelin”, which no record contains.']);
    expect(paths.length).toBeGreaterThan(0);
  });

  it('shows which words never occur together', async () => {
    const { notices, paths } = await search('gulls petition ferry');
    expect(notices).toEqual(['Results with some of these words: no record contains all of them.']);
    expect(paths.length).toBeGreaterThan(0);
  });

  it('leaves out no part of an ID', async () => {
    expect(await search('lica-quay-1-999')).toMatchObject({ paths: [], suggestion: undefined });
    expect((await search('whistle-24')).paths).toEqual([]); // other records have both words
    expect((await search('lica-quay-1-999 ferry')).notices).toEqual([
      'Results without “lica-quay-1-999”, which no record contains.',
    ]);
  });

  it('ignores unknown words of a question', async () => {
    const { notices, suggestion, paths } = await search('whose ferry');
    expect([notices, suggestion, paths.length > 0]).toEqual([[], undefined, true]);
  });

  it('never suggests a word that is only for search', async () => {
    expect((await search('quillmarow')).suggestion).toBeUndefined();
  });
});

describe('words that exist', () => {
  it.each([
    ['Leif Vane', 'objects/lica-ferry-1-1.html'],
    ['Vane, Leif', 'objects/lica-ferry-1-1.html'],
    ['lica-quay-1-1', 'objects/lica-quay-1-1.html'],
    ['LICA quay 1 1', 'objects/lica-quay-1-1.html'],
    ['LI/1005', 'objects/lica-quay-1-5.html'],
    ['voices of the sound', 'objects/lica-ferry-1.html'],
    ['otide', 'people/siobhan-otide--5eg4smqkkw.html'],
    ['O’Tide', 'people/siobhan-otide--5eg4smqkkw.html'],
    ['maire odalaigh', 'people/maire-odalaigh--nungqqkg2k.html'],
  ])('finds for %s first %s', async (typed, path) => expect((await search(typed)).paths[0]).toBe(path));

  it.each([
    ['one character at the end of a word', '灯', 'objects/lica-quay-1-11.html'],
    ['one character within a word', '港', 'objects/lica-quay-1-11.html'],
    ['an old form of a character', '山の燈', 'objects/lica-quay-1-11.html'],
    ['a simplified form', '五时に汽笛が鸣りました', 'objects/lica-ferry-1-1-2.html'],
    ['full-width letters', 'ｌｉｃａ－ｑｕａｙ－１－７', 'objects/lica-quay-1-7.html'],
    ['words around stop words', 'a picnic at tern hill', 'objects/lica-quay-1-8.html'],
    ['a finding-aid field', 'sea chests', 'objects/lica-ferry-1.html'],
    ['the person who digitized', 'Xenia Lanternson', 'objects/lica-quay-1-4.html'],
  ])('finds %s', async (_, typed, path) => expect((await search(typed)).paths).toContain(path));

  it('finds a year within a range and a decade, and shows the date', async () => {
    for (const typed of ['1943', '1940s']) {
      const { reasons, marks, unexplained } = await search(typed);
      expect([...reasons, ...marks].length).toBeGreaterThan(0);
      expect(unexplained).toEqual([]);
    }
    expect((await search('1943')).reasons.join()).toContain('In Date: 1942-1945');
  });

  it('finds the labels of codes, in the languages of the site', async () => {
    expect((await search('correspondence')).reasons).toContain('In Genre: Correspondence');
    const spanish = await search('correspondencia', 'es/');
    expect(spanish.reasons).toContain('En Género: Correspondencia');
    expect(spanish.unexplained).toEqual([]);
  });

  it('finds the same on a page in Japanese', async () => {
    for (const typed of ['山の灯', '照らす', 'Île aux Phoques', 'lica-quay-1-1'])
      expect((await search(typed, 'ja/')).paths, typed).toEqual((await search(typed)).paths);
  });
});

it('loads the table of Chinese and Japanese spellings, and what finds near words, only for queries that need it', async () => {
  const own = await site.browser().newPage();
  const scripts: string[] = [];
  own.on('request', (request) => scripts.push(...(request.url().match(/(?:east-asian|spelling)\.js$/) ?? [])));
  for (const [typed, expected] of [
    ['ferry', []],
    ['山の灯', ['east-asian.js']],
    ['Lantren', ['east-asian.js', 'spelling.js']],
  ] as const) {
    await own.goto(`${site.url()}/search.html?q=${encodeURIComponent(typed)}`);
    await waitForSearch(own);
    expect(scripts).toEqual(expected);
  }
  await own.close();
});

describe('why a result was found', () => {
  it.each([
    'ile aux phoques',
    'quayside cannery',
    'weatherby flood',
    'q',
    '五時に汽笛',
    'nunez',
    'whos who',
    'box130',
    'ferry years',
  ])('is shown by each result for %s', async (typed) => {
    const { unexplained } = await search(typed);
    expect(unexplained).toEqual([]);
  });

  it('marks what the index folds, and no stop words', async () => {
    expect((await search('ile aux phoques')).marks).toContain('Île');
    expect((await search('maire odalaigh')).marks).toContain('O’Dálaigh');
    expect((await search('山の燈')).marks.join('')).toContain('山の灯');
    expect((await search('the lamp')).marks.map((mark) => mark.toLowerCase())).not.toContain('the');
  });

  it('shows words that are far from each other in a transcript', async () => {
    const { reasons, marks } = await search('gulls bell');
    expect(reasons.length).toBeGreaterThan(0);
    expect(reasons.filter((reason) => reason.includes('not shown'))).toEqual([]);
    expect(new Set(marks.map((mark) => mark.toLowerCase()))).toEqual(new Set(['gulls', 'bell']));
  });

  it('names the field', async () => {
    expect((await search('quayside cannery')).reasons.join()).toContain('In Facility: Quayside Cannery');
  });

  it('is never the name of the archive alone: as a contributor, or in the credit line', async () => {
    const { count, reasons } = await search('lantern');
    expect(reasons.filter((reason) => /^In (?:Contributor|Credit)/.test(reason))).toEqual([]);
    expect(Number.parseInt(count, 10)).toBeLessThan(100);
    expect(await search('courtesy')).toMatchObject({ count: expect.stringMatching(/^No results/) });
  });

  it('lists an interview once with the segments in which words are spoken, each at its first of them', async () => {
    const { texts, count } = await search('whistle');
    expect(count).toBe('10 results, grouped by interview');
    const [interview] = texts.filter((text) => text.includes('Leif Vane Interview'));
    expect(interview).toContain(
      'Heard in 2 recordings: ▸ 0:00 Segment 1: First day on the ferries · ▸ 0:01 Segment 2: The winter the sound froze',
    );
    expect(texts.filter((text) => text.startsWith('Leif Vane Interview'))).toHaveLength(1);
    const links = page.locator('.reason', { hasText: 'Heard in' }).first().locator('a');
    expect(await links.first().getAttribute('href')).toMatch(/^objects\/lica-ferry-1-1-1\.html#find=whistle%20went/);
    // Each begins with its time; a transcript without times has none.
    const gulls = await search('gulls');
    expect(gulls.texts.join('\n')).toContain('▸ 0:01 Segment 1: First day on the ferries');
    expect(gulls.texts.find((text) => text.startsWith('Hugo Quill Interview'))).not.toContain('▸');
    // A reader who wants segments gets each as a result of its own.
    await page.goto(`${site.url()}/search.html?q=whistle&model=segment`);
    await waitForSearch(page);
    expect(await page.locator('#results li').count()).toBe(4);
    const moment = page.locator('#results .excerpt a').first();
    expect(await moment.innerText()).toMatch(/^▸ 0:0\d$/);
    expect(await moment.getAttribute('href')).toMatch(/^objects\/lica-ferry-\d-\d-\d\.html#find=whistle/);
  });

  it('has an interview before its segments and files', async () => {
    expect((await search('Leif Vane')).paths[0]).toBe('objects/lica-ferry-1-1.html');
  });

  it('has a segment whose ID or title is the query before its interview', async () => {
    for (const query of ['lica-ferry-1-1-1', 'Leif Vane Interview, Segment 1: First day on the ferries'])
      expect((await search(query)).paths[0], query).toBe('objects/lica-ferry-1-1-1.html');
  });

  it('shows a phrase as spoken', async () => {
    const { texts, marks } = await search('"listen for the bell"');
    expect(texts[0]).toMatch(/“.*listen for the bell.*”/s);
    expect(marks).toContain('listen for the bell');
    expect((await search('"eel smoked"')).paths).toEqual([]);
  });

  it('says that a word is in text that is not shown, without that text', async () => {
    const { reasons, texts } = await search('quillmarrow');
    expect(reasons).toEqual(['Found by search words of the archive, which are not shown']);
    expect(texts.join()).not.toContain('quillmarrow');
  });
});

it('marks the texts of results with their language, unless it is that of the page', async () => {
  const langs = () =>
    page
      .locator('#results li')
      .evaluateAll((items) =>
        items.map((item) => [...item.querySelectorAll('h2 a, p:not(.fine)')].map((each) => each.getAttribute('lang'))),
      );
  await search('lica-quay-1');
  expect((await langs())[0]).toEqual([null, null]);
  await search('lica-quay-1', 'es/');
  expect((await langs())[0]).toEqual(['en', 'en']);
});

/** Words that only the sample’s `search_hidden` has; the index escapes a q. */
const HIDDEN_WORDS = /loft shelf|q1?uillmarrow|sternlight/;
it('has text that is only for search on no page, in no result and in no suggestion, and marked in the index', () => {
  const files = readFiles(inject('mirror').dist);
  const packs = readTexts(files).filter(([path]) => !/^assets\/index\/\w+\/w\d+\.js$/.test(path));
  const textsIn = (directory: string) => packs.flatMap(([path, text]) => (path.startsWith(directory) ? [text] : []));
  expect(textsIn('assets/words/').join('\n').split('\n')).toContain('ferry');
  expect(textsIn('assets/index/').join('\n')).toContain('Nets drying on the quay');
  const hidden = [...readIndexedWords(files).keys()].filter((code) => HIDDEN_WORDS.test(code));
  expect(hidden.toSorted()).toEqual(['q1uillmarrow', 'sternlight'].map((code) => `${code}q6q0`));
  for (const [path, text] of [...Array.from(files, ([path, bytes]) => [path, bytes.toString()] as const), ...packs])
    expect(HIDDEN_WORDS.test(text), path).toBe(false);
});
