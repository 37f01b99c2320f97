/** The script of the page on which readers write what they know. */
import type { Contribution, ContributionFile } from '../../formats/contribution.ts';
import { formatContributions, MAX_CONTRIBUTIONS, readTarget, type Target } from '../../formats/contribution-link.ts';
import { formatTime } from '../../formats/moments.ts';
import { createElement } from '../browser/create-element.ts';
import { loadScript } from '../browser/load-script.ts';
import { nameByDay, offerFile } from '../browser/offer-file.ts';
import { pageHref, type SitePlace } from '../browser/site-files.ts';
import { NO_DRAFT, openContributions } from './kept-contributions.ts';
import { type MarkWords, setUpPictureMarks } from './picture-marks.ts';

/** The data that the page passes to its script. In words, `#` becomes a value. */
interface PageData extends SitePlace {
  archive: ContributionFile['archive'];
  /** The address of the archive, if contributions can be sent to it. */
  email?: string;
  words: MarkWords & { at: string; kinds: Record<Contribution['kind'], string>; remove: string; added: string; full: string };
}

const byId = <E extends HTMLElement = HTMLElement>(id: string) => document.getElementById(id) as E;
const { archive, email = '', words, ...place } = JSON.parse(byId('said').textContent ?? '{}') as PageData;
const form = byId<HTMLFormElement>('know');
const [text, picture, added] = [byId<HTMLTextAreaElement>('words'), byId('picture'), byId('added')];
const [name, contact] = [byId<HTMLInputElement>('name'), byId<HTMLInputElement>('contact')];
const [mayPublish, mayShowName] = [byId<HTMLInputElement>('may-publish'), byId<HTMLInputElement>('may-show-name')];
const kinds = form.elements.namedItem('kind') as RadioNodeList;
const kept = openContributions(place.root);
let target: Target | undefined;
const marks = setUpPictureMarks(words, showForm);

/** Longer addresses are cut by some programs for e-mail, and longer codes are too dense for a phone. */
const MAX_MAIL_LENGTH = 1_900;
const MAX_CODE_BYTES = 600;

const chosenKind = () => kinds.value as Contribution['kind'];

/** Returns the title of what a contribution is about, with the moment. */
function titleOf({ record, subject, moment }: Pick<Contribution, 'record' | 'subject' | 'moment'>): string {
  const title = record.title || subject.id;
  return moment === undefined ? title : `${title} · ${words.at.replace('#', () => formatTime(moment))}`;
}

/** Shows what the form is about, with the text that was begun for it. */
function openForm(): void {
  target = readTarget(location.hash);
  form.hidden = !target;
  byId('none').hidden = target !== undefined;
  marks.clear();
  if (!target) return;
  const { record, subject, moment, image } = target;
  const href = pageHref(subject.page, place) + (moment === undefined ? '' : `#t=${moment}`);
  Object.assign(byId('subject'), { textContent: titleOf(target), href });
  byId('facts').textContent = [record.date, record.credit, record.description].filter((fact) => fact !== '').join(' · ');
  picture.querySelector('img')?.remove();
  if (image !== undefined) byId('marks').before(createElement('img', { alt: '', src: `${place.root}${image}` }));
  const { draft } = kept.read();
  const isBegun = draft.about === location.hash;
  text.value = isBegun ? draft.text : '';
  kinds.value = isBegun ? draft.kind : image === undefined || moment !== undefined ? 'correction' : 'names';
  showForm();
}

/** Shows the image if the reader knows names. Then the names are enough. */
function showForm(): void {
  picture.hidden = chosenKind() !== 'names' || target?.image === undefined;
  text.required = readMarks().length === 0;
}

const readMarks = () => (picture.hidden ? [] : marks.read());

/** Returns what the form says: one contribution for each name, and one for the text. */
function readForm({ image: file = '', ...about }: Target): Contribution[] {
  const create = (said: string, mark?: Contribution['mark']): Contribution => {
    const id = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
    return { id, at: new Date().toISOString(), ...about, kind: chosenKind(), text: said, mark };
  };
  const named = readMarks().map((one) => create(one.name, { file, ...one.mark }));
  return text.value.trim() === '' ? named : [...named, create(text.value.trim())];
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const given = target ? readForm(target) : [];
  // A browser takes white space for a name.
  if (given.length === 0 || given.some((each) => each.text === '')) return;
  const contributions = [...kept.read().contributions, ...given];
  const isFull = contributions.length > MAX_CONTRIBUTIONS;
  added.textContent = isFull ? words.full : words.added;
  if (isFull) return;
  kept.write({ contributions, draft: NO_DRAFT });
  text.value = '';
  marks.clear();
  showOwn();
});
form.addEventListener('input', () => {
  added.textContent = '';
  showForm();
  kept.write({ draft: { about: location.hash, kind: chosenKind(), text: text.value } });
});

/** Returns all that the reader gives, as the file has it. */
function readFile(): ContributionFile {
  const { reader, contributions } = kept.read();
  return { archive, reader, contributions };
}

/** Returns the same for people: what an e-mail or a phone says. */
function formatText({ reader, contributions }: ContributionFile): string {
  const entries = contributions.map(({ kind, text: said, mark, ...about }) => {
    const where = mark ? ` (x ${mark.x}, y ${mark.y}, ${mark.width} × ${mark.height})` : '';
    return `${titleOf(about)} [${about.subject.id}]\n${words.kinds[kind]}: ${said}${where}`;
  });
  const consent = [mayPublish, mayShowName].map((box) => `[${box.checked ? 'x' : ' '}] ${box.labels?.[0]?.textContent.trim()}`);
  const who = [reader.name, reader.contact].filter((part) => part.trim() !== '');
  return [...entries, [...who, ...consent].join('\n')].join('\n\n');
}

/** Shows what the reader has added, and in which ways it can be passed on. */
function showOwn(): void {
  const file = readFile();
  const { reader, contributions } = file;
  byId('own').hidden = contributions.length === 0;
  byId('count').textContent = String(contributions.length);
  document.querySelector('.contributions')?.replaceChildren(...contributions.map(createRow));
  if (name !== document.activeElement) name.value = reader.name;
  if (contact !== document.activeElement) contact.value = reader.contact;
  [mayPublish.checked, mayShowName.checked] = [reader.mayPublish, reader.mayShowName];
  const written = formatText(file);
  const body = encodeURIComponent(written.replaceAll('\n', '\r\n'));
  const href = `mailto:${email}?subject=${encodeURIComponent(archive.title)}&body=${body}`;
  Object.assign(document.getElementById('mail') ?? {}, { href, hidden: href.length > MAX_MAIL_LENGTH });
  const shown = document.querySelector<HTMLTextAreaElement>('#as-text');
  if (!shown) return;
  shown.value = written;
  void showCode(written);
}

/** In a kiosk, which saves no files: shows a text as a QR code, unless it is too long for a phone to read. */
async function showCode(written: string): Promise<void> {
  const code = byId('code');
  code.hidden = new TextEncoder().encode(written).length > MAX_CODE_BYTES;
  if (window.microfichePhoneCode === undefined) await loadScript(`${place.root}assets/phone-code.js`);
  if (!code.hidden) window.microfichePhoneCode?.(code, written);
}

function createRow(contribution: Contribution): HTMLLIElement {
  const { id, kind, subject, text: said } = contribution;
  const title = titleOf(contribution);
  const onclick = () => {
    kept.write({ contributions: kept.read().contributions.filter((other) => other.id !== id) });
    showOwn();
    byId('own').querySelector('h2')?.focus(); // what had the focus is gone
  };
  const ariaLabel = words.remove.replace('#', () => `${title}: ${said.slice(0, 60)}`);
  const link = createElement('a', { href: pageHref(subject.page, place) }, title);
  const about = createElement('p', { className: 'fine' }, link, ` · ${words.kinds[kind]}`);
  return createElement(
    'li',
    {},
    createElement('div', {}, about, createElement('p', { className: 'contribution' }, said)),
    createElement('button', { type: 'button', className: 'quiet', onclick, ariaLabel }, '×'),
  );
}

for (const field of [name, contact, mayPublish, mayShowName])
  field.addEventListener('input', () => {
    const consent = { mayPublish: mayPublish.checked, mayShowName: mayShowName.checked };
    kept.write({ reader: { name: name.value, contact: contact.value, ...consent } });
    showOwn();
  });
document.getElementById('save')?.addEventListener('click', () => {
  offerFile(nameByDay('contribution', archive.title), 'application/json', formatContributions(readFile()));
});
byId('clear').addEventListener('click', () => {
  kept.clear();
  added.textContent = '';
  showOwn();
  openForm();
});
addEventListener('hashchange', openForm);
addEventListener('storage', showOwn);
// The way back in the browser would show what another visitor of a kiosk wrote.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});
openForm();
showOwn();
