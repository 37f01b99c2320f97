/** Documents whose text was recognized: ALTO, hOCR, and PDF files with a text layer. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readFiles } from '../../support/commands.ts';
import { createAlto, createLeaves, DOCUMENT, publishDocument } from '../../support/documents.ts';
import { createPdf } from '../../support/pdf.ts';
import { readTexts } from '../../support/search-index.ts';

const textOf = (html: string) => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

describe('a document with ALTO', () => {
  it('has its text beside the images, page by page, with the places of the words', async () => {
    const images = await createLeaves(['One', 'Two']);
    const { page, out } = await publishDocument(images, [
      { title: 'All', bytes: createAlto(['The fog bells', 'rang'], ['Later']) },
    ]);
    expect(page).toContain(
      '<p data-leaf="1"><span data-boxes="4 0 0 80 50;4 100 0 80 50;5 200 0 80 50">The fog bells </span><span data-boxes="4 0 100 80 50">rang</span></p>',
    );
    expect(page).toMatch(/<h3> *<a href="#page-2">Page 2<\/a> *<\/h3><p data-leaf="2"><span data-boxes="5 0 0 80 50">Later/);
    expect(page).toContain('object-top with-transcript');
    expect(page).toMatch(/<h2[^>]*>Scanned text<\/h2>/);
    expect(globSync('media/**/*.xml.txt', { cwd: out })).toHaveLength(1);
  });

  it('has one text of files of a page each, which belong to the images with their names', async () => {
    const images = await createLeaves(['0001.tif', '0002.tif', '0003.tif']);
    const texts = ['0003', '0001'].map((name) => ({ title: `${name}.xml`, bytes: createAlto([`Words of ${name}`]) }));
    const { page, ids } = await publishDocument(images, texts);
    expect([...page.matchAll(/data-leaf="(\d)"><span[^>]*>([^<]*)/g)].map(([, leaf, text]) => [leaf, text])).toEqual([
      ['1', 'Words of 0001'],
      ['3', 'Words of 0003'],
    ]);
    expect(page).not.toContain('role="tab"');
    for (const id of ids.slice(3)) expect(page).toContain(`/${id}.html"`);
  });

  it('has the text of each page beside its image, also after one without text', async () => {
    const texts = [['First'], [], ['Third']].map((lines) => ({ title: 'Text', bytes: createAlto(lines) }));
    const { page } = await publishDocument(await createLeaves(['a', 'b', 'c']), texts);
    expect([...page.matchAll(/data-leaf="(\d)"><span[^>]*>([^<]*)/g)].map(([, leaf, text]) => [leaf, text])).toEqual([
      ['1', 'First'],
      ['3', 'Third'],
    ]);
    expect(textOf(page)).toContain('No text was recognized in this scan.');
  });

  it('is found by search', async () => {
    const { out } = await publishDocument(await createLeaves(['One']), [{ title: 'All', bytes: createAlto(['Zarzuela bells']) }]);
    expect(readTexts(readFiles(out)).some(([, text]) => text.includes('Zarzuela bells'))).toBe(true);
  });

  it('has its lines as annotations of its canvas', async () => {
    const { out } = await publishDocument(
      await createLeaves(['One']),
      [{ title: 'All', bytes: createAlto(['The fog', 'bells']) }],
      { options: ['--site', 'https://mirror.example/'] },
    );
    const manifest = JSON.parse(readFileSync(join(out, `iiif/${DOCUMENT}/manifest.json`), 'utf8'));
    const [canvas] = manifest.items;
    const [lines] = canvas.annotations;
    expect(lines.items.map((item: Record<string, unknown>) => [item['motivation'], item['body'], item['target']])).toEqual([
      ['supplementing', { type: 'TextualBody', value: 'The fog', format: 'text/plain' }, `${canvas.id}#xywh=0,0,72,10`],
      ['supplementing', { type: 'TextualBody', value: 'bells', format: 'text/plain' }, `${canvas.id}#xywh=0,20,32,10`],
    ]);
  });

  it('has no names that are withheld, though each word is an element', async () => {
    const settings = { withhold: [{ person: 'Ada Jetsam', reason: 'By request.', date: '2026-10-01' }] };
    const text = { title: 'All', bytes: createAlto(['Dear Ada Jetsam', 'come']) };
    const { page, out } = await publishDocument(await createLeaves(['One']), [text], { settings });
    expect(page).not.toContain('Jetsam');
    expect(globSync('media/**/*.xml.txt', { cwd: out })).toEqual([]);
  });
});

it('reads hOCR, which is offered as a file in which nothing runs', async () => {
  const words = '<span class="ocrx_word" title="bbox 10 10 60 20">Lantern</span><script>alert(1)</script>';
  const hocr = `<!DOCTYPE html><html><head><meta name="ocr-system" content="tesseract 5"></head><body><div class="ocr_page" title="bbox 0 0 100 100"><span class="ocr_line">${words}</span></div></body></html>`;
  const { page, out } = await publishDocument(await createLeaves(['One']), [{ title: 'Text', bytes: Buffer.from(hocr) }]);
  expect(page).toContain('<span data-boxes="7 100 100 500 100">Lantern</span>');
  expect(page).not.toContain('alert(1)');
  expect(globSync('media/**/*.html.txt', { cwd: out })).toHaveLength(1);
});

it('has the words of a PDF in their places', async () => {
  const { page } = await publishDocument(await createLeaves(['One']), [{ title: 'Text', bytes: createPdf('Lantern makers') }]);
  const [, boxes = ''] = /<span data-boxes="([^"]*)">Lantern makers<\/span>/.exec(page) ?? [];
  const [length, left, top, width, height] = boxes.split(/[ ;]/).map(Number);
  expect([left, length]).toEqual([86, 8]);
  for (const size of [top, width, height]) expect(size).toBeGreaterThan(50);
});

it.each([
  ['ALTO', createAlto([])],
  ['a PDF', createPdf('')],
])('says of a scan without text that it has none, and reports it: %s', async (_, bytes) => {
  const { page, report, ids } = await publishDocument(await createLeaves(['One']), [{ title: 'Text', bytes }]);
  expect(textOf(page)).toContain('No text was recognized in this scan.');
  expect(page).not.toContain('class="texts"');
  expect(page).toContain(`/${ids[1]}.html"`);
  expect(report.blankScans.files.map(({ owner }) => owner)).toEqual([ids[1]]);
});

it('names the files that are attached to a PDF, as text', async () => {
  const bytes = Buffer.from(`%PDF-1.4
1 0 obj <</Type /Catalog /Pages 2 0 R /Names <</EmbeddedFiles <</Names [(a) 4 0 R (b) 6 0 R]>>>>>> endobj
2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj
3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 200 200]>> endobj
4 0 obj <</Type /Filespec /F (votes<b>.csv) /EF <</F 5 0 R>>>> endobj
5 0 obj <</Type /EmbeddedFile /Length 3>> stream
a,b
endstream endobj
6 0 obj <</Type /Filespec /F (notes.txt) /UF <FEFF8A1830ED202E002E007400780074> /EF <</F 5 0 R>>>> endobj
trailer <</Size 7 /Root 1 0 R>>
%%EOF`);
  const { page, out, ids } = await publishDocument(await createLeaves(['One']), [{ title: 'Minutes', bytes }]);
  const sentence = 'Attached to the PDF: votes&lt;b&gt;.csv and 記ロ.txt.';
  for (const html of [page, readFileSync(join(out, `objects/${ids[1]}.html`), 'utf8')]) expect(html).toContain(sentence);
});

it('shows the text of a PDF with an attachment that is damaged', async () => {
  const text = 'BT /F1 12 Tf 20 100 Td (Votes were counted twice) Tj ET';
  const bytes = Buffer.from(`%PDF-1.4
1 0 obj <</Type /Catalog /Pages 2 0 R /Names <</EmbeddedFiles <</Names [(a) 4 0 R]>>>>>> endobj
2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj
3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Resources <</Font <</F1 5 0 R>>>> /Contents 6 0 R>> endobj
4 0 obj <</Type /Filespec /EF <</F 7 0 R>>>> endobj
5 0 obj <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>> endobj
6 0 obj <</Length ${text.length}>> stream
${text}
endstream endobj
7 0 obj <</Type /EmbeddedFile /Length 3>> stream
a,b
endstream endobj
trailer <</Size 8 /Root 1 0 R>>
%%EOF`);
  const { page } = await publishDocument(await createLeaves(['One']), [{ title: 'Minutes', bytes }]);
  expect(textOf(page)).toContain('Votes were counted twice');
});
