/**
 * Downloads all files of a record: as a ZIP file made in the browser; as a list of links if they are large, and on file://, where browsers do not
 * let scripts read files.
 */
import { downloadZip } from 'client-zip';

/** Sets up the button or the list, if the page offers several files. */
export function setUpDownloadAll(): void {
  const place = document.querySelector<HTMLElement>('[data-download-all]');
  const links = collectLinks();
  if (!place || links.length < 2) return;
  if (location.protocol === 'file:' || place.dataset['large'] !== undefined)
    place.append(createList(place.dataset['list'] ?? '', links));
  else setUpButton(place, links);
}

/** Returns the download links of the record, each file once. */
function collectLinks(): HTMLAnchorElement[] {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.object-top a.download')];
  return [...new Map(links.map((link) => [link.href, link])).values()];
}

function createList(title: string, links: readonly HTMLAnchorElement[]): HTMLElement {
  const details = document.createElement('details');
  const summary = document.createElement('summary');
  summary.textContent = title.replace('#', String(links.length));
  const list = document.createElement('ul');
  for (const link of links) {
    const item = document.createElement('li');
    const copy = link.cloneNode() as HTMLAnchorElement;
    copy.textContent = fileName(link);
    item.append(copy);
    list.append(item);
  }
  details.append(summary, list);
  return details;
}

function setUpButton(place: HTMLElement, links: readonly HTMLAnchorElement[]): void {
  const { label = '', progress = '', failed = '', name = '' } = place.dataset;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'quiet';
  button.textContent = label.replace('#', String(links.length));
  const status = document.createElement('span');
  status.setAttribute('role', 'status');
  button.addEventListener('click', () => {
    button.disabled = true;
    const show = (count: number) => {
      status.textContent = progress.replace('#', String(count)).replace('#', String(links.length));
    };
    void saveZip(links, `${name}.zip`, show)
      .then(
        () => {
          status.textContent = '';
        },
        () => {
          status.textContent = failed;
        },
      )
      .finally(() => {
        button.disabled = false;
      });
  });
  place.append(button, status);
}

/**
 * Saves a ZIP file of all files.
 * @throws {TypeError} if a file cannot be downloaded
 */
async function saveZip(links: readonly HTMLAnchorElement[], name: string, onFile: (count: number) => void): Promise<void> {
  async function* files() {
    for (const [i, link] of links.entries()) {
      onFile(i + 1);
      const response = await fetch(link.href);
      if (!response.ok) throw new TypeError(`${link.href}: ${response.status}`);
      yield { name: fileName(link), input: response };
    }
  }
  const url = URL.createObjectURL(await downloadZip(files()).blob());
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

function fileName(link: HTMLAnchorElement): string {
  return decodeURIComponent(new URL(link.href).pathname.split('/').pop() ?? '');
}
