/** Places that a reader marks in an image: with a mouse, a finger, or the keyboard. Each has a field for a name. */
import type { Mark } from '../../formats/contribution.ts';

/** The words of the marks; `#` becomes a number. */
export interface MarkWords {
  place: string;
  placeName: string;
  /** Enlarges, reduces and removes a place. */
  placeButtons: Array<{ sign: string; label: string }>;
}

/** A place with its name. */
export interface NamedMark {
  mark: Mark;
  name: string;
}

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

/** Makes the place around a point larger, or smaller if `by` is negative. */
function resized({ x, y, width, height }: Mark, by: number): Mark {
  return within({ x: x - by / 2, y: y - by / 2, width: width + by, height: height + by });
}

const fill = (pattern: string, ...values: number[]) => values.reduce((text, value) => text.replace('#', String(value)), pattern);

interface Placed {
  mark: Mark;
  box: HTMLButtonElement;
  row: HTMLLIElement;
  input: HTMLInputElement;
}

/** Creates an element with properties. */
export function createElement<Name extends 'a' | 'button' | 'div' | 'input' | 'li' | 'p'>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name) as HTMLElementTagNameMap[Name], properties);
}

/** Sets up the layer over an image, the list of names, and the button that marks the middle of the image. */
export function setUpPictureMarks(words: MarkWords, onChange: () => void) {
  const byId = (id: string) => document.getElementById(id) as HTMLElement;
  const [layer, list, status] = [byId('marks'), byId('names'), byId('position')];
  let all: Placed[] = [];

  const showAll = () => {
    for (const [i, placed] of all.entries()) showPlace(placed, i + 1, words);
  };
  const announce = ({ box }: Placed) => {
    status.textContent = box.getAttribute('aria-label');
  };
  function change(placed: Placed, mark: Mark): void {
    placed.mark = within(mark);
    showAll();
    announce(placed);
  }
  function remove(placed: Placed): void {
    all = all.filter((other) => other !== placed);
    placed.box.remove();
    placed.row.remove();
    showAll();
    byId('mark').focus();
    onChange();
  }
  function add(mark: Mark): Placed {
    const box = createElement('button', { type: 'button', className: 'mark-box' });
    const input = createElement('input', { type: 'text', required: true, maxLength: 200, autocomplete: 'off' });
    const placed: Placed = { mark: within(mark), box, row: createElement('li', {}), input };
    const actions = [
      () => change(placed, resized(placed.mark, STEP * 3)),
      () => change(placed, resized(placed.mark, -STEP * 3)),
      () => remove(placed),
    ];
    const buttons = words.placeButtons.map(({ sign }, i) =>
      createElement('button', { type: 'button', className: 'quiet', textContent: sign, onclick: actions[i] ?? null }),
    );
    placed.row.append(input, ...buttons);
    box.addEventListener('click', () => input.focus());
    box.addEventListener('keydown', (event) => {
      const moved = movedByKey(placed.mark, event);
      if (event.key === 'Delete' || event.key === 'Backspace') remove(placed);
      else if (moved) change(placed, moved);
      else return;
      event.preventDefault();
    });
    all.push(placed);
    layer.append(box);
    list.append(placed.row);
    showAll();
    onChange();
    return placed;
  }

  followPointer(layer, (mark) => add(mark).input.focus());
  byId('mark').addEventListener('click', () => {
    const placed = add(aroundPoint(0.5, 0.5));
    placed.box.focus();
    announce(placed);
  });
  return {
    /** Returns all places in their order. */
    read: (): NamedMark[] => all.map(({ mark, input }) => ({ mark, name: input.value.trim() })),
    clear() {
      all = [];
      layer.replaceChildren();
      list.replaceChildren();
      onChange();
    },
  };
}

function showPlace({ mark: { x, y, width, height }, box, input, row }: Placed, number: number, words: MarkWords): void {
  const percent = (fraction: number) => Math.round(fraction * 100);
  box.textContent = String(number);
  box.setAttribute('aria-label', fill(words.place, number, percent(x + width / 2), percent(y + height / 2)));
  input.setAttribute('aria-label', fill(words.placeName, number));
  for (const [i, button] of [...row.querySelectorAll('button')].entries())
    button.setAttribute('aria-label', fill(words.placeButtons[i]?.label ?? '', number));
  for (const [side, fraction] of Object.entries({ left: x, top: y, width, height }))
    box.style.setProperty(side, `${fraction * 100}%`);
}

/** Returns a place that an arrow key moves, or with Shift makes larger or smaller; undefined for other keys. */
function movedByKey({ x, y, width, height }: Mark, { key, shiftKey }: KeyboardEvent): Mark | undefined {
  const arrow = ARROWS[key];
  if (!arrow) return undefined;
  const [right, down] = arrow;
  return shiftKey ? { x, y, width: width + right, height: height + down } : { x: x + right, y: y + down, width, height };
}

const aroundPoint = (x: number, y: number): Mark =>
  within({ x: x - USUAL_SIZE / 2, y: y - USUAL_SIZE / 2, width: USUAL_SIZE, height: USUAL_SIZE });

/** Calls `onMark` with the place at which a reader taps or clicks, or with the box that they draw with a mouse or pen. */
function followPointer(layer: HTMLElement, onMark: (mark: Mark) => void): void {
  let start: readonly [x: number, y: number] | undefined;
  const pointOf = ({ clientX, clientY }: PointerEvent) => {
    const { left, top, width, height } = layer.getBoundingClientRect();
    return [between((clientX - left) / width, 0, 1), between((clientY - top) / height, 0, 1)] as const;
  };
  layer.addEventListener('pointerdown', (event) => {
    if (event.target !== layer || event.button !== 0) return;
    layer.setPointerCapture(event.pointerId);
    start = pointOf(event);
  });
  // A finger that scrolls the page marks nothing.
  layer.addEventListener('pointercancel', () => {
    start = undefined;
  });
  layer.addEventListener('pointerup', (event) => {
    if (!start) return;
    const [[x1, y1], [x2, y2]] = [start, pointOf(event)];
    start = undefined;
    const [width, height] = [Math.abs(x2 - x1), Math.abs(y2 - y1)];
    const isDrawn = width > MIN_SIZE && height > MIN_SIZE;
    onMark(isDrawn ? { x: Math.min(x1, x2), y: Math.min(y1, y2), width, height } : aroundPoint(x2, y2));
  });
}
