/**
 * Downloads all files of a record: as a ZIP file made in the browser; as a list of links if they are large, and on file://, where
 * browsers do not let scripts read files.
 */
import { downloadZip } from 'client-zip';
import { createElement } from '../browser/create-element.ts';
import { offerBlob } from '../browser/offer-file.ts';
import { shownProse } from '../parts/citations.ts';
import { pageAddress } from '../parts/share.ts';

/** Sets up the button or the list, if the page offers several files. */
export function setUpDownloadAll(): void {
  const place = document.querySelector<HTMLElement>('[data-download-all]');
  const all = [...document.querySelectorAll<HTMLAnchorElement>('.object-top a.download')];
  // Each file once.
  const links = [...new Map(all.map((link) => [link.href, link])).values()];
  if (!place || links.length < 2) return;
  const { list = '', name = '' } = place.dataset;
  const files = links.map((link) => ({ href: link.href, name: fileName(link, name), label: fileLabel(link) }));
  if (location.protocol === 'file:' || place.dataset['large'] !== undefined) place.append(createList(list, files));
  else setUpButton(place, files);
}

interface RecordFile {
  href: string;
  /** The name under which it is saved. */
  name: string;
  /** What the list calls it, with its type and size. */
  label: string;
}

function createList(title: string, files: readonly RecordFile[]): HTMLElement {
  const items = files.map(({ href, name, label }) =>
    createElement('li', {}, createElement('a', { href, download: name }, label)),
  );
  const summary = createElement('summary', {}, title.replace('#', String(files.length)));
  return createElement('details', {}, summary, createElement('ul', {}, ...items));
}

function setUpButton(place: HTMLElement, links: readonly RecordFile[]): void {
  const { label = '', progress = '', failed = '', name = '' } = place.dataset;
  const button = createElement('button', { type: 'button', className: 'quiet' }, label.replace('#', String(links.length)));
  const status = createElement('span', { role: 'status' });
  button.addEventListener('click', () => {
    button.disabled = true;
    const show = (count: number) => {
      status.textContent = progress.replace('#', String(count)).replace('#', String(links.length));
    };
    void saveZip(links, `${name}.zip`, show)
      .then(() => '')
      .catch(() => failed)
      .then((outcome) => {
        status.textContent = outcome;
        button.disabled = false;
      });
  });
  place.append(button, status);
}

/**
 * Saves a ZIP file of all files, and of a text that says what they are.
 * @throws {TypeError} if a file cannot be downloaded
 */
async function saveZip(links: readonly RecordFile[], name: string, onFile: (count: number) => void): Promise<void> {
  async function* files() {
    yield { name: 'record.txt', input: describeRecord() };
    for (const [i, file] of links.entries()) {
      onFile(i + 1);
      const response = await fetch(file.href);
      if (!response.ok) throw new TypeError(`${file.href}: ${response.status}`);
      // Of a response, client-zip would look for a name, with methods that engines of 2020 do not have.
      yield { name: file.name, input: await response.blob() };
    }
  }
  offerBlob(name, await downloadZip(files()).blob());
}

/** Returns the text of a link; of a page of a document, its number instead of “Download image”. */
function fileLabel(link: HTMLAnchorElement): string {
  const text = link.textContent.trim();
  const leaf = link.closest('.leaves > li');
  const number = document.querySelector(`.strip [href="#${leaf?.id}"]`)?.getAttribute('aria-label');
  return number ? `${number} ${/[(（].*$/.exec(text)?.[0] ?? ''}` : text;
}

/** Returns the name of a file: that of a page of a document has its number, so that pages are in their order. */
function fileName(link: HTMLAnchorElement, record: string): string {
  const own = decodeURIComponent(new URL(link.href).pathname.split('/').pop() ?? '');
  const leaf = link.closest('.leaves > li');
  const [, number] = /^page-(\d+)$/.exec(leaf?.id ?? '') ?? [];
  if (number === undefined) return own;
  const digits = String(leaf?.parentElement?.children.length ?? 0).length;
  return `${record}-page-${number.padStart(digits, '0')}${/\.[^.]*$/.exec(own)?.[0] ?? ''}`;
}

/** Returns the title, the facts beside the image, the citation and the address of the record, as text. */
function describeRecord(): string {
  const textOf = (element: Element) => (element as HTMLElement).innerText.replace(/\s+/g, ' ').trim();
  const rows = [...document.querySelectorAll('.object-facts .summary-rows > div')].map((row) => {
    const values = [...row.querySelectorAll('dd')].map(textOf);
    return `${textOf(row.querySelector('dt') ?? row)}: ${values.join('; ')}`;
  });
  const heading = document.querySelector('h1');
  return `${[heading ? textOf(heading) : '', rows.join('\n'), shownProse(), pageAddress()].filter(Boolean).join('\n\n')}\n`;
}
