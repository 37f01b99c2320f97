/** The script of the page on which readers write what they know. */
import {
  type Contribution,
  type ContributionFile,
  type ContributionKind,
  formatContributions,
  MAX_CONTRIBUTIONS,
  readTarget,
  type Target,
} from '../../formats/contribution.ts';
import { formatTime } from '../../formats/moments.ts';
import { loadScript } from '../browser/load-script.ts';
import { offerFile } from '../browser/offer-file.ts';
import { pageHref, type SitePlace } from '../browser/site-files.ts';
import { NO_DRAFT, openContributions } from './kept-contributions.ts';
import { createElement, type MarkWords, type NamedMark, setUpPictureMarks } from './picture-marks.ts';

/** The data that the page passes to its script. In words, `#` becomes a value. */
interface PageData extends SitePlace {
  archive: ContributionFile['archive'];
  /** The address of the archive, if contributions can be sent to it. */
  email?: string;
  words: MarkWords & { at: string; kinds: Record<ContributionKind, string>; remove: string; added: string; full: string };
}

const byId = <E extends HTMLElement = HTMLElement>(id: string) => document.getElementById(id) as E;
const { archive, email, words, ...place } = JSON.parse(byId('said').textContent ?? '{}') as PageData;
const form = byId<HTMLFormElement>('know');
const [text, image] = [byId<HTMLTextAreaElement>('words'), document.querySelector<HTMLImageElement>('.marked-picture img')];
/** Fields of the reader: texts, and boxes that are consent. */
const [name, contact] = [byId<HTMLInputElement>('name'), byId<HTMLInputElement>('contact')];
const [mayPublish, mayShowName] = [byId<HTMLInputElement>('may-publish'), byId<HTMLInputElement>('may-show-name')];
const kept = openContributions(place.root);
const marks = setUpPictureMarks(words, showForm);
let target: Target | undefined;

/** Longer addresses are cut by some programs for e-mail, and their QR codes are too dense for a phone. */
const MAX_MAIL_LENGTH = 1_900;
const MAX_CODE_LENGTH = 600;

const chosenKind = () => form.querySelector<HTMLInputElement>('[name="kind"]:checked')?.value as ContributionKind;
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
  const { record, subject } = target;
  const link = byId<HTMLAnchorElement>('subject');
  link.textContent = titleOf(target);
  link.href = pageHref(subject.page, place) + (target.moment === undefined ? '' : `#t=${target.moment}`);
  byId('facts').textContent = [record.date, record.credit, record.description].filter((fact) => fact !== '').join(' · ');
  if (image && target.image !== undefined) image.src = `${place.root}${target.image}`;
  const { draft } = kept.read();
  const isBegun = draft.about === location.hash;
  text.value = isBegun ? draft.text : '';
  const kind = isBegun ? draft.kind : target.image === undefined || target.moment !== undefined ? 'correction' : 'names';
  for (const radio of form.querySelectorAll<HTMLInputElement>('[name="kind"]')) radio.checked = radio.value === kind;
  showForm();
}

/** Shows the image if the reader knows names. Then the names are enough. */
function showForm(): void {
  byId('picture').hidden = chosenKind() !== 'names' || !target?.image;
  text.required = readMarks().length === 0;
}

const readMarks = (): NamedMark[] => (byId('picture').hidden ? [] : marks.read());

function createId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns what the form says: one contribution for each name, and one for the text. */
function readForm({ image: file = '', ...about }: Target): Contribution[] {
  const create = (said: string, mark?: Contribution['mark']): Contribution => ({
    id: createId(),
    at: new Date().toISOString(),
    ...about,
    kind: chosenKind(),
    text: said,
    mark,
  });
  const named = readMarks().map(({ mark, name: who }) => create(who, { file, ...mark }));
  return text.value.trim() === '' ? named : [...named, create(text.value.trim())];
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (!target) return;
  const added = readForm(target);
  const before = kept.read().contributions;
  const isFull = before.length + added.length > MAX_CONTRIBUTIONS;
  // A name of white space is none, which the browser takes for one.
  if (added.length === 0 || added.some((each) => each.text === '')) return;
  if (!isFull) {
    kept.write({ contributions: [...before, ...added], draft: NO_DRAFT });
    text.value = '';
    marks.clear();
    showOwn();
  }
  byId('added').textContent = isFull ? words.full : words.added;
});
form.addEventListener('input', () => {
  byId('added').textContent = '';
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
  const entries = contributions.map((contribution) => {
    const { subject, kind, mark } = contribution;
    const where = mark && ` (x ${mark.x}, y ${mark.y}, ${mark.width} × ${mark.height})`;
    return `${titleOf(contribution)} [${subject.id}]\n${words.kinds[kind]}: ${contribution.text}${where ?? ''}`;
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
  for (const [field, value] of [
    [name, reader.name],
    [contact, reader.contact],
  ] as const)
    if (field !== document.activeElement) field.value = value;
  [mayPublish.checked, mayShowName.checked] = [reader.mayPublish, reader.mayShowName];
  const written = formatText(file);
  const mail = `mailto:${email ?? ''}?subject=${encodeURIComponent(archive.title)}&body=${encodeURIComponent(written.replaceAll('\n', '\r\n'))}`;
  const [mailLink, shown] = [
    byId<HTMLAnchorElement>('mail') as HTMLAnchorElement | null,
    document.querySelector<HTMLTextAreaElement>('#as-text'),
  ];
  if (mailLink) Object.assign(mailLink, { href: mail, hidden: mail.length > MAX_MAIL_LENGTH });
  if (!shown) return;
  shown.value = written;
  void showCode(written);
}

/** In a kiosk, which saves no files: shows the text as a QR code, unless it is too long for a phone to read. */
async function showCode(written: string): Promise<void> {
  const code = byId('code');
  code.hidden = new TextEncoder().encode(written).length > MAX_CODE_LENGTH;
  if (window.microfichePhoneCode === undefined) await loadScript(`${place.root}assets/phone-code.js`);
  if (!code.hidden) window.microfichePhoneCode?.(code, written);
}

function createRow(contribution: Contribution): HTMLLIElement {
  const { id, kind, subject } = contribution;
  const title = titleOf(contribution);
  const row = createElement('li', {});
  const remove = createElement('button', { type: 'button', className: 'quiet', textContent: '×' });
  remove.setAttribute(
    'aria-label',
    words.remove.replace('#', () => `${title}: ${contribution.text.slice(0, 60)}`),
  );
  remove.addEventListener('click', () => {
    kept.write({ contributions: kept.read().contributions.filter((other) => other.id !== id) });
    showOwn();
    // What had the focus is gone.
    document.querySelector<HTMLElement>(byId('own').hidden ? 'h1' : '#own h2')?.focus();
  });
  const about = createElement('p', { className: 'fine' });
  about.append(createElement('a', { href: pageHref(subject.page, place), textContent: title }), ` · ${words.kinds[kind]}`);
  const said = createElement('div', {});
  said.append(about, createElement('p', { className: 'contribution', textContent: contribution.text }));
  row.append(said, remove);
  return row;
}

/** Returns the name of the file: that of the archive, and the date. */
function nameFile(): string {
  const title = archive.title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, 60);
  return `${['contribution', title, new Date().toISOString().slice(0, 10)].join('-').replace(/-{2,}/g, '-')}.json`;
}

for (const field of [name, contact, mayPublish, mayShowName])
  field.addEventListener('input', () => {
    kept.write({
      reader: { name: name.value, contact: contact.value, mayPublish: mayPublish.checked, mayShowName: mayShowName.checked },
    });
    showOwn();
  });
document.getElementById('save')?.addEventListener('click', () => {
  offerFile(nameFile(), 'application/json', formatContributions(readFile()));
});
byId('clear').addEventListener('click', () => {
  kept.clear();
  showOwn();
  openForm();
  byId('added').textContent = '';
});
addEventListener('hashchange', openForm);
addEventListener('storage', showOwn);
// The way back in the browser would show what another visitor of a kiosk wrote.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});
openForm();
showOwn();
