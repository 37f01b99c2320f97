/** Places that a reader marks in an image: with a mouse, a finger, or the keyboard. Each has a field for a name. */
import type { Contribution } from '../../formats/contribution.ts';
import { createElement } from '../browser/create-element.ts';

/** A place in an image, in fractions of its width and height from the upper left corner. */
type Mark = Omit<NonNullable<Contribution['mark']>, 'file'>;

/** The words of the marks; `#` becomes a number. */
export type MarkWords = Record<'place' | 'placeName' | 'removePlace', string>;

/** Fractions of the image: the size of a place that is only pointed at, the smallest one, and the step of a key. */
const USUAL_SIZE = 0.12;
const MIN_SIZE = 0.02;
const STEP = 0.01;
const ARROWS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

const round = (fraction: number) => Math.round(fraction * 10_000) / 10_000;
const between = (value: number, min: number, max: number) => Math.min(Math.max(value, min), max);

/** Returns a place of which nothing is outside the image. */
function within({ x, y, width, height }: Mark): Mark {
  const [w, h] = [between(width, MIN_SIZE, 1), between(height, MIN_SIZE, 1)];
  return { x: round(between(x, 0, 1 - w)), y: round(between(y, 0, 1 - h)), width: round(w), height: round(h) };
}

const aroundPoint = (x: number, y: number) =>
  within({ x: x - USUAL_SIZE / 2, y: y - USUAL_SIZE / 2, width: USUAL_SIZE, height: USUAL_SIZE });
const fill = (pattern: string, ...values: number[]) => values.reduce((text, value) => text.replace('#', String(value)), pattern);

/** A place with its box over the image, and its row in the list: the field for the name, and a button that removes it. */
interface Placed {
  mark: Mark;
  box: HTMLButtonElement;
  row: HTMLLIElement;
  input: HTMLInputElement;
}

/** Sets up the layer over an image, the list of names, and the button that marks the middle of the image. */
export function setUpPictureMarks(words: MarkWords, onChange: () => void) {
  const byId = (id: string) => document.getElementById(id) as HTMLElement;
  const [layer, list, button] = [byId('marks'), byId('names'), byId('mark')];
  let all: Placed[] = [];

  function show(): void {
    for (const [i, { mark, box, input, row }] of all.entries()) {
      const { x, y, width, height } = mark;
      const place = fill(words.place, i + 1, Math.round((x + width / 2) * 100), Math.round((y + height / 2) * 100));
      box.textContent = String(i + 1);
      box.setAttribute('aria-label', place);
      input.setAttribute('aria-label', fill(words.placeName, i + 1));
      row.lastElementChild?.setAttribute('aria-label', fill(words.removePlace, i + 1));
      putAt(box, mark);
      if (box === document.activeElement) byId('position').textContent = place;
    }
  }
  function remove(placed: Placed): void {
    all = all.filter((other) => other !== placed);
    placed.box.remove();
    placed.row.remove();
    show();
    button.focus();
    onChange();
  }
  function add(mark: Mark): Placed {
    const box = createElement('button', { type: 'button', className: 'mark-box', onclick: () => input.focus() });
    const input = createElement('input', { type: 'text', required: true, maxLength: 200, autocomplete: 'off' });
    const erase = createElement('button', { type: 'button', className: 'quiet', onclick: () => remove(placed) }, '×');
    const placed: Placed = { mark: within(mark), box, input, row: createElement('li', {}, input, erase) };
    box.addEventListener('keydown', (event) => {
      const { x, y, width, height } = placed.mark;
      const [right, down] = ARROWS[event.key] ?? [];
      if (event.key === 'Delete' || event.key === 'Backspace') remove(placed);
      else if (right === undefined || down === undefined) return;
      else if (event.shiftKey) placed.mark = within({ x, y, width: width + right, height: height + down });
      else placed.mark = within({ x: x + right, y: y + down, width, height });
      event.preventDefault();
      show();
    });
    all.push(placed);
    layer.append(box);
    list.append(placed.row);
    show();
    onChange();
    return placed;
  }

  followPointer(layer, (mark) => add(mark).input.focus());
  button.addEventListener('click', () => {
    add(aroundPoint(0.5, 0.5)).box.focus();
    show();
  });
  return {
    /** Returns all places in their order, with their names. */
    read: () => all.map(({ mark, input }) => ({ mark, name: input.value.trim() })),
    clear() {
      all = [];
      layer.replaceChildren();
      list.replaceChildren();
      onChange();
    },
  };
}

function putAt(element: HTMLElement, { x, y, width, height }: Mark): void {
  for (const [side, fraction] of Object.entries({ left: x, top: y, width, height }))
    element.style.setProperty(side, `${fraction * 100}%`);
}

/** Calls `onMark` with the place at which a reader taps or clicks, or with the box that they draw with a mouse or pen. */
function followPointer(layer: HTMLElement, onMark: (mark: Mark) => void): void {
  const drawn = createElement('div', { className: 'mark-box' });
  let start: readonly [x: number, y: number] | undefined;
  const pointOf = ({ clientX, clientY }: PointerEvent) => {
    const { left, top, width, height } = layer.getBoundingClientRect();
    return [between((clientX - left) / width, 0, 1), between((clientY - top) / height, 0, 1)] as const;
  };
  const boxTo = ([x1, y1]: readonly [number, number], event: PointerEvent): Mark => {
    const [x2, y2] = pointOf(event);
    const box = { x: Math.min(x1, x2), y: Math.min(y1, y2), width: Math.abs(x2 - x1), height: Math.abs(y2 - y1) };
    return box.width > MIN_SIZE && box.height > MIN_SIZE ? box : aroundPoint(x2, y2);
  };
  layer.addEventListener('pointerdown', (event) => {
    if (event.target !== layer || event.button !== 0) return;
    layer.setPointerCapture(event.pointerId);
    start = pointOf(event);
  });
  layer.addEventListener('pointermove', (event) => {
    if (!start || event.pointerType === 'touch') return;
    putAt(drawn, boxTo(start, event));
    layer.append(drawn);
  });
  // A finger that scrolls the page marks nothing: its event is `pointercancel`.
  for (const type of ['pointerup', 'pointercancel'] as const)
    layer.addEventListener(type, (event) => {
      const mark = start && boxTo(start, event);
      start = undefined;
      drawn.remove();
      if (mark && type === 'pointerup') onMark(mark);
    });
}
