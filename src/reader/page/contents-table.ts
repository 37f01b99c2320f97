/** The contents of a finding aid: a filter, and a list of the records that the reader selects, to request from the archive. */
import { copyText } from '../browser/copy-text.ts';
import { parseList } from '../browser/preferences.ts';
import { readWindow, writeWindow } from '../browser/window-storage.ts';
import { setUpListFilter } from '../parts/list-filter.ts';
import { pageAddress } from '../parts/share.ts';

/** Makes the filter and the request list of the page work. */
export function setUpContentsTable(): void {
  const tools = document.querySelector<HTMLElement>('.contents-tools');
  const table = document.querySelector<HTMLTableElement>('.contents-table');
  const field = tools?.querySelector<HTMLInputElement>('input[type="search"]');
  const status = tools?.querySelector<HTMLElement>('[role="status"]');
  if (!tools || !table || !field || !status) return;
  const rows = [...table.querySelectorAll<HTMLTableRowElement>('tbody tr')];
  setUpListFilter(field, rows, status, { textOf: textOfRow });
  setUpRequestList(tools, rows);
}

/** Returns the record that a row is below; undefined for one that is not below another. */
function rowAbove(row: HTMLElement): HTMLElement | undefined {
  return row.className === 'below' ? (row.parentElement?.firstElementChild as HTMLElement) : undefined;
}

/** Returns the text of a row with those below it, or with that of the row above it. */
function textOfRow(row: HTMLElement): string {
  const above = rowAbove(row);
  return above ? `${row.textContent} ${above.textContent}` : (row.parentElement?.textContent ?? '');
}

function setUpRequestList(tools: HTMLElement, rows: readonly HTMLTableRowElement[]): void {
  const [copy, clear] = ['copy', 'clear'].map((name) => tools.querySelector<HTMLButtonElement>(`[data-request="${name}"]`));
  const shown = document.querySelector<HTMLElement>('.request-list');
  const count = tools.querySelector<HTMLElement>('[data-selected]');
  if (!copy || !clear || !count || !shown) return;
  const [print, mail] = ['print', 'mail'].map((name) => document.querySelector<HTMLButtonElement>(`[data-request="${name}"]`));
  const key = `microfiche-request ${tools.dataset['id']}`;
  /** The selected records, in order: the lines of each in the list, by ID. The pages of one finding aid share them. */
  const selection = new Map(parseList(readWindow(key)).filter(isEntry));
  const boxOf = (row: HTMLElement) => row.querySelector<HTMLInputElement>('.tick input');
  const show = () => {
    for (const row of rows) {
      const box = boxOf(row);
      if (box) box.checked = selection.has(idOf(row));
    }
    count.textContent = selection.size > 0 ? (count.dataset['selected'] ?? '').replace('#', String(selection.size)) : '';
    for (const button of [copy, clear, print, mail]) if (button) button.disabled = selection.size === 0;
    shown.hidden = true;
  };
  const change = () => {
    writeWindow(key, JSON.stringify([...selection]));
    show();
  };
  for (const row of rows)
    boxOf(row)?.addEventListener('change', ({ target }) => {
      if ((target as HTMLInputElement).checked) selection.set(idOf(row), linesOf(row));
      else selection.delete(idOf(row));
      change();
    });
  const heading = `${tools.dataset['title']} (${tools.dataset['id']})`;
  const list = () => [heading, ...readVisit(), ...selection.values()].join('\n\n');
  copy.addEventListener('click', () => void showRequestList(copy, shown, list()));
  print?.addEventListener('click', () => printRequestList(shown, list()));
  mail?.addEventListener('click', () => {
    location.href = `mailto:${mail.dataset['to']}?subject=${encodeURIComponent(heading)}&body=${encodeURIComponent(list().replaceAll('\n', '\r\n'))}`;
  });
  clear.addEventListener('click', () => {
    selection.clear();
    change();
    // A disabled button loses the focus.
    tools.querySelector('input')?.focus();
  });
  show();
}

/** Returns what the reader says of a visit, in one paragraph: nothing if all of it is empty. */
function readVisit(): string[] {
  const lines = [...document.querySelectorAll<HTMLInputElement>('[data-visit]')].flatMap(({ value, labels }) =>
    value.trim() === '' ? [] : [`${labels?.[0]?.textContent.trim()}: ${value.trim()}`],
  );
  return lines.length === 0 ? [] : [lines.join('\n')];
}

/** Prints the list alone. */
function printRequestList(shown: HTMLElement, list: string): void {
  const text = shown.querySelector('pre');
  if (!text) return;
  text.textContent = list;
  document.documentElement.dataset['printed'] = 'request-list';
  addEventListener('afterprint', () => delete document.documentElement.dataset['printed'], { once: true });
  print();
}

/** Copies the list, or shows it and selects its text if the browser refuses. */
async function showRequestList(button: HTMLButtonElement, shown: HTMLElement, list: string): Promise<void> {
  const text = shown.querySelector('pre');
  if ((await copyText(button, `${list}\n`)) || !text) return;
  text.textContent = list;
  shown.hidden = false;
  text.focus();
  getSelection()?.selectAllChildren(text);
}

const textIn = (row: HTMLElement, selector: string) =>
  (row.querySelector(selector)?.textContent ?? '').replace(/\s+/g, ' ').trim();
const idOf = (row: HTMLElement) => textIn(row, '.id');

/** Returns what the list says of a record: ID, titles and date on one line, and its address on another. */
function linesOf(row: HTMLElement): string {
  const above = rowAbove(row);
  const titles = [...(above ? [above] : []), row].map((each) => textIn(each, '.title a'));
  const facts = [...titles, textIn(row, '.date')].filter((fact) => fact !== '').join(', ');
  const href = row.querySelector('.id a')?.getAttribute('href') ?? '';
  return `${idOf(row)}: ${facts}\n${new URL(href, pageAddress()).href}`;
}

function isEntry(value: unknown): value is [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string');
}
