import { describe, expect, it } from 'vitest';
import { sniffType } from '../media/sniff.ts';
import { readPdfWords } from './pdf-words.ts';
import { isScanType, readTranscript } from './read-transcript.ts';
import type { ScannedPage } from './transcript-text.ts';

/** Returns the type that is detected of a file, its text, and its words with their boxes by page. */
async function read(file: string) {
  const type = (await sniffType(Buffer.from(file)))?.mimetype ?? '';
  const [found] = isScanType(type) ? readTranscript(file, type) : [];
  return { type, text: found?.text, words: wordsOf(found?.pages ?? []) };
}

const wordsOf = (pages: readonly ScannedPage[]) =>
  pages.map((page) => page.flat(2).map(({ text, boxes }) => [text, ...boxes.map((box) => box.join(' '))]));

const alto = (pages: string, description = '<MeasurementUnit>pixel</MeasurementUnit>', version = 'v3') =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<alto xmlns="http://www.loc.gov/standards/alto/ns-${version}#"><Description>${description}</Description><Layout>${pages}</Layout></alto>`;
const string = (content: string, place = '', more = '') => {
  const [x, y, w, h] = place.split(' ');
  return `<String CONTENT="${content}"${place && ` HPOS="${x}" VPOS="${y}" WIDTH="${w}" HEIGHT="${h}"`} ${more}/>`;
};
const page = (lines: readonly string[], size = 'WIDTH="2000" HEIGHT="1000"') =>
  `<Page ${size}><PrintSpace HPOS="0" VPOS="0" WIDTH="1000" HEIGHT="1000"><TextBlock>${lines.map((line) => `<TextLine>${line}</TextLine>`).join('\n')}</TextBlock></PrintSpace></Page>`;

describe('ALTO', () => {
  it('has the words of each page, with places as shares of the page', async () => {
    const first = page([
      `${string('The', '200 100 100 50')}<SP/>${string('ferry &amp; crew', '400 100 300 50')}`,
      string('left.', '0 0 20 10'),
    ]);
    const block = '<TextBlock><TextLine><String CONTENT="Later"/></TextLine></TextBlock>';
    const second = `<Page WIDTH="10" HEIGHT="10"><PrintSpace><ComposedBlock>${block}${block}</ComposedBlock></PrintSpace></Page>`;
    expect(await read(alto(first + second))).toEqual({
      type: 'application/x-alto+xml',
      text: 'The ferry & crew left.\n\nLater\n\nLater',
      words: [
        [
          ['The', '100 100 50 50'],
          ['ferry & crew', '200 100 150 50'],
          ['left.', '0 0 10 10'],
        ],
        [['Later'], ['Later']],
      ],
    });
  });

  it.each([
    ['mm10', 'WIDTH="2100" HEIGHT="2970"', '210 297 420 297', '100 100 200 100'],
    ['inch1200', 'WIDTH="10200" HEIGHT="13200"', '5100 6600 1020 132', '500 500 100 10'],
    ['pixel', '', '100 500 100 100', '100 500 100 100'],
  ])('in %s is relative to the page, or to its print space', async (unit, size, place, box) =>
    expect(
      (await read(alto(page([string('Sound', place)], size), `<MeasurementUnit>${unit}</MeasurementUnit>`, 'v4'))).words,
    ).toEqual([[['Sound', box]]]),
  );

  it('has divided words whole, in both of their places', async () => {
    const whole = 'SUBS_CONTENT="lantern"';
    const { text, words } = await read(
      alto(
        page([
          `${string('lan', '0 0 200 100', `SUBS_TYPE="HypPart1" ${whole}`)}<HYP CONTENT="-"/>`,
          `${string('tern', '0 200 200 100', `SUBS_TYPE="HypPart2" ${whole}`)}<SP/>${string('mak')}<HYP CONTENT="&#xAD;"/>`,
          `${string('ers')} ${string('well-')}`,
          `${string('Known')} ${string('har-')}`,
          string('bor'),
        ]),
      ),
    );
    expect(text).toBe('lantern makers well- Known harbor');
    expect(words[0]?.[0]).toEqual(['lantern', '0 0 100 100', '0 200 100 100']);
  });

  it('has boxes within the page only, and none that are no boxes', async () => {
    const places = ['-100 -100 300 300', '1900 900 9999 9999', '10 10 -5 5', '1e999 0 5 5', 'a b c d', '5000 10 10 10'];
    const { words } = await read(alto(page([places.map((place) => string('x', place)).join('')])));
    expect(words[0]).toEqual([['x', '0 0 100 200'], ['x', '950 900 50 100'], ['x'], ['x'], ['x'], ['x']]);
  });
});

describe('hOCR', () => {
  const hocr = (body: string) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd"><html xmlns="http://www.w3.org/1999/xhtml"><head><title>no text</title><meta name="ocr-system" content="tesseract"></head><body>${body}</body></html>`;
  const word = (text: string, box: string) => `<span class="ocrx_word" title="bbox ${box}; x_wconf 96">${text}</span>`;

  it('has paragraphs of words, with their places', async () => {
    const lines = `<span class="ocr_line" title="bbox 0 0 200 20">${word('The <strong>sound</strong>', '0 0 50 20')} ${word('har-', '100 0 150 20')}</span><span class="ocr_line">${word('bor&rsquo;s', '0 40 50 60')}</span>`;
    const loose = '<p class="ocr_par"><span class="ocr_line" title="bbox 20 100 120 150">loose words</span></p>';
    const body = `<div class="ocr_page" title='image "/tmp/0001.png"; bbox 0 0 200 200; ppageno 0'><div class="ocr_carea"><p class="ocr_par">${lines}</p></div>${loose}</div>`;
    expect(await read(hocr(body))).toEqual({
      type: 'application/x-hocr+xml',
      text: 'The sound harbor’s\n\nloose words',
      words: [
        [
          ['The sound', '0 0 250 100'],
          ['harbor’s', '500 0 250 100', '0 200 250 100'],
          ['loose', '100 500 500 250'],
          ['words', '100 500 500 250'],
        ],
      ],
    });
  });

  it('has no spaces between signs of Chinese and Japanese', async () => {
    const line = `<span class="ocr_line">${word('霧', '0 0 9 9')} ${word('の中', '9 0 18 9')} ${word('Bell', '18 0 27 9')}</span>`;
    expect((await read(hocr(`<div class="ocr_page" title="bbox 0 0 90 90">${line}</div>`))).text).toBe('霧の中 Bell');
  });

  it.each(['<html><body><p>A page about class ocr_page</p></body></html>', '<?xml version="1.0"?><html><p>XHTML</p></html>'])(
    'is not any other page: %s',
    async (html) => expect((await read(html)).type).toBe('text/html'),
  );
});

it('reads the words of a PDF as pdftotext writes them', () => {
  const words =
    '<word xMin="10" yMin="20" xMax="30" yMax="40">Fog</word>\n<word xMin="30.5" yMin="20" xMax="60" yMax="40">bells</word>';
  const xml = `<html><head><title>no text</title></head><body><doc>\n<page width="100" height="200">\n<flow><block><line>${words}</line></block></flow></page><page width="1" height="1"></page></doc></body></html>`;
  expect(wordsOf(readPdfWords(xml))).toEqual([
    [
      ['Fog', '100 100 200 100'],
      ['bells', '305 100 295 100'],
    ],
    [],
  ]);
});

it('has no text of a scan in which none was recognized', async () =>
  expect(await read(alto(page([''])))).toMatchObject({ text: '', words: [[]] }));

it('reads hostile markup in little time', async () => {
  const start = process.cpuUsage();
  const before = '<alto><Layout><Page WIDTH="9" HEIGHT="9">';
  const inputs = ['<TextLine>', '<String CONTENT="a-"/>', '<HYP/>', '<TextBlock/>', '<Page/>', '<String CONTENT="', '&x;'];
  for (const filling of inputs) await read(before + filling.repeat(1_000_000 / filling.length));
  await read(`<!DOCTYPE alto [<!ENTITY a "b"><!ENTITY c "&a;&a;">]>${before}<String CONTENT="&c;"/>`);
  const span = '<span class="ocrx_word" title="bbox 1 2 3 4">';
  for (const filling of [span, `${span}a</span>`, `<i title="bbox ${'1 '.repeat(50)}">`, '<p class="ocr_page">'])
    await read(`<html><meta name="ocr-system"><div class="ocr_page">${filling.repeat(1_000_000 / filling.length)}`);
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(10_000);
});
