/** The on-screen keyboard of a kiosk, at the bottom of the page and in the page's language. */
import { SimpleKeyboard as Keyboard } from 'simple-keyboard';
import style from 'simple-keyboard/build/css/index.css?inline';
import { KEYBOARDS } from '../../model/text/languages.ts';
import { deleteFromWindow, readWindow, writeWindow } from '../browser/window-storage.ts';
import { LATIN_CHOSEN, type TypedField } from './kiosk-scripts.ts';

/** For years. */
const DIGITS = { default: ['1 2 3 4 5 6 7 8 9 0 {bksp}', '{enter} {close}'] };
/** Keys that switch to another layout. `{letters}` returns to the letters without accents. */
const LAYOUT_KEYS: Readonly<Record<string, string>> = {
  '{voiced}': 'voiced',
  '{latin}': 'latin',
  '{kana}': 'default',
  '{arabic}': 'default',
  '{accents}': 'accents',
};
const KEY_LABELS = {
  '{bksp}': '⌫',
  '{voiced}': 'が',
  '{latin}': 'abc',
  '{letters}': 'abc',
  '{accents}': 'áñü',
  '{kana}': 'あ',
  '{arabic}': 'أبت',
};

/** Whether a field is for a search or a filter. Others take text, in which a key begins a new line. */
const isSearch = ({ type, inputMode }: TypedField) => type === 'search' || inputMode === 'numeric';

/** Returns the labels of the keys to search or go to a filter's first match, to close, and for a space, in the page language. */
function wordsOf(input: TypedField): Record<string, string> {
  const { close, firstMatch, space, latin } = document.documentElement.dataset;
  const search = isSearch(input) && (input.form ? input.form.querySelector('button')?.textContent?.trim() : firstMatch);
  return {
    '{enter}': search || '⏎',
    '{close}': close || '×',
    '{space}': space || '␣',
    '{latin}': `${KEY_LABELS['{latin}']} ${latin ?? ''}`.trim(),
  };
}

/** Adopted as a constructed style sheet, because the Content-Security-Policy blocks style elements. */
const styleSheet = new CSSStyleSheet();
styleSheet.replaceSync(style);

/** Pixels that stay free between the field and the keyboard. */
const ROOM_FOR_SUGGESTIONS = 120;

/** Closes the keyboard that is open. */
let closeOpen: (() => void) | undefined;

const accentsLabel = () => `${KEY_LABELS['{accents}']} ${document.documentElement.dataset['accents'] ?? ''}`;

/** Makes a keyboard know when the text of a field is erased with the field's own button. Returns a function that ends this. */
function follow(input: TypedField, keyboard: Keyboard): () => void {
  const update = () => {
    if (keyboard.getInput() !== input.value) keyboard.setInput(input.value);
  };
  input.addEventListener('input', update);
  return () => input.removeEventListener('input', update);
}

window.microficheKeyboard = (input) => {
  closeOpen?.();
  // Until Chrome 99, the list cannot be changed, only replaced.
  if (!document.adoptedStyleSheets.includes(styleSheet))
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, styleSheet];
  const container = document.createElement('div');
  container.className = 'kiosk-keyboard simple-keyboard';
  container.dir = 'ltr'; // as keys are, also Arabic ones
  document.body.append(container);
  const layout = input.inputMode === 'numeric' ? DIGITS : (KEYBOARDS[document.documentElement.lang] ?? KEYBOARDS['en']);
  /** The layout with letters without accents. */
  const letters = layout && 'latin' in layout ? 'latin' : 'default';
  const isLatin = layout !== undefined && 'latin' in layout && readWindow(LATIN_CHOSEN) !== '';
  const keyboard = new Keyboard(container, {
    ...(isLatin ? { layoutName: 'latin' } : {}),
    ...(layout ? { layout } : {}),
    newLineOnEnter: input instanceof HTMLTextAreaElement,
    ...(input.maxLength > 0 ? { maxLength: input.maxLength } : {}),
    display: { ...KEY_LABELS, ...wordsOf(input) },
    buttonAttributes: [{ attribute: 'aria-label', value: accentsLabel(), buttons: '{accents}' }],
    useButtonTag: true,
    preventMouseDownDefault: true, // the input keeps the focus
    stopMouseDownPropagation: true,
    onChange(text) {
      input.value = text;
      input.dispatchEvent(new Event('input', { bubbles: true }));
    },
    onKeyPress(key) {
      const isAccented = keyboard.options.layoutName === 'accents';
      const layoutName = isAccented && /^(?:\{letters\}|\p{L})$/u.test(key) ? letters : LAYOUT_KEYS[key];
      if (layoutName !== undefined) keyboard.setOptions({ layoutName });
      if (key === '{latin}') writeWindow(LATIN_CHOSEN, 'yes');
      if (LAYOUT_KEYS[key] === 'default') deleteFromWindow(LATIN_CHOSEN);
      // The click that follows a touch would go to the link behind the key, if the keyboard were closed before.
      if (key === '{close}' || (key === '{enter}' && !(input instanceof HTMLTextAreaElement)))
        container.addEventListener('click', () => leave(key), { once: true });
    },
  });
  keyboard.setInput(input.value);
  const stopFollowing = follow(input, keyboard);
  document.documentElement.dataset['keyboard'] = '';
  if (input.getBoundingClientRect().bottom + ROOM_FOR_SUGGESTIONS > container.getBoundingClientRect().top)
    input.scrollIntoView({ block: 'start' });
  const close = () => {
    input.removeEventListener('blur', close);
    stopFollowing();
    keyboard.destroy();
    container.remove();
    delete document.documentElement.dataset['keyboard'];
    closeOpen = undefined;
  };
  input.addEventListener('blur', close);
  const leave = (key: string) => {
    close();
    if (key !== '{enter}' || !isSearch(input)) return;
    if (input.form) input.form.requestSubmit();
    else input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  };
  closeOpen = close;
  return close;
};
