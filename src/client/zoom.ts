/** Opens a page's pictures in a viewer that goes closer: by wheel, by fingers, by buttons and by keys. The viewer is loaded when it is first wanted. */
import type OpenSeadragon from 'openseadragon';
import { serviceOf } from '../derivatives/iiif.ts';

type Library = typeof OpenSeadragon;
declare global {
  interface Window {
    OpenSeadragon?: Library;
  }
}

const STEP = 1.6;

export function zoomable(): void {
  const dialog = document.getElementById('zoom');
  const pictures = [...document.querySelectorAll<HTMLAnchorElement>('a.zoom')];
  if (!(dialog instanceof HTMLDialogElement) || pictures.length === 0) return;
  const view = dialog.querySelector<HTMLElement>('.zoom-view');
  const caption = dialog.querySelector('.zoom-caption');
  if (!view || !caption) return;
  let viewer: OpenSeadragon.Viewer | undefined;
  let shown = 0;

  const show = (at: number) => {
    shown = at;
    const picture = pictures[at];
    const words = picture?.dataset['caption'] ?? '';
    caption.textContent = pictures.length > 1 ? `${words} (${at + 1}/${pictures.length})` : words;
    view.setAttribute('aria-label', picture?.querySelector('img')?.alt ?? words);
    for (const [name, last] of [
      ['previous', 0],
      ['next', pictures.length - 1],
    ] as const) {
      const button = dialog.querySelector<HTMLButtonElement>(`[data-zoom="${name}"]`);
      if (!button) continue;
      button.hidden = pictures.length < 2;
      button.disabled = at === last;
    }
    viewer?.open(sourceOf(picture));
  };

  const open = async (at: number) => {
    dialog.showModal();
    show(at);
    const library = await load(dialog.dataset['viewer'] ?? '');
    viewer ??= create(library);
    show(shown);
    view.focus();
  };

  const create = (library: Library): OpenSeadragon.Viewer => {
    document.head.append(ownStyleInPlace());
    const made = library({
      element: view,
      drawer: 'canvas', // WebGL may not read pictures on file://
      showNavigationControl: false,
      showNavigator: false,
      animationTime: still() ? 0 : 0.4,
      maxZoomPixelRatio: 3,
      minZoomImageRatio: 0.9,
      visibilityRatio: 0.8,
      gestureSettingsMouse: { clickToZoom: false, dblClickToZoom: true },
      showSequenceControl: false,
      tabIndex: -1,
    });
    // The keys are those that the page names, wherever in the dialog the reader is.
    made.addHandler('canvas-key', (event) => {
      event.preventDefaultAction = true;
    });
    return made;
  };

  const acts: Record<string, () => void> = {
    in: () => viewer?.viewport.zoomBy(STEP).applyConstraints(),
    out: () => viewer?.viewport.zoomBy(1 / STEP).applyConstraints(),
    whole: () => viewer?.viewport.goHome(),
    previous: () => shown > 0 && show(shown - 1),
    next: () => shown < pictures.length - 1 && show(shown + 1),
    close: () => dialog.close(),
    left: () => pan(-1, 0),
    right: () => pan(1, 0),
    up: () => pan(0, -1),
    down: () => pan(0, 1),
  };
  const pan = (x: number, y: number) => {
    const viewport = viewer?.viewport;
    if (!viewport || !window.OpenSeadragon) return;
    const step = viewport.getBounds(true).width / 8;
    viewport.panBy(new window.OpenSeadragon.Point(x * step, y * step)).applyConstraints();
  };
  const KEYS: Readonly<Record<string, string>> = {
    '+': 'in',
    '=': 'in',
    '-': 'out',
    '−': 'out',
    '0': 'whole',
    ArrowLeft: 'left',
    ArrowRight: 'right',
    ArrowUp: 'up',
    ArrowDown: 'down',
    PageUp: 'previous',
    PageDown: 'next',
  };

  pictures.forEach((picture, i) => {
    picture.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return; // a new window, as the reader asked
      event.preventDefault();
      void open(i);
    });
  });
  dialog.addEventListener('click', ({ target }) => {
    const act = target instanceof Element ? target.closest('[data-zoom]')?.getAttribute('data-zoom') : undefined;
    if (act) acts[act]?.();
  });
  dialog.addEventListener('keydown', (event) => {
    const act = KEYS[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    acts[act]?.();
  });
  dialog.addEventListener('close', () => pictures[shown]?.focus());
}

/** What the viewer is to show: the tiles of a large picture, as a IIIF service that it need not ask for, or the picture itself. */
function sourceOf(picture: HTMLAnchorElement | undefined): OpenSeadragon.TileSourceSpecifier {
  const [folder, width, height] = picture?.dataset['tiles']?.split(/[?,]/) ?? [];
  const source = folder
    ? serviceOf({ width: Number(width), height: Number(height) }, new URL(folder, location.href).href) // a browser reads no info.json on file://
    : { type: 'image', url: picture?.href ?? '', buildPyramid: false };
  // Neither form is in the library's own types.
  return source as unknown as OpenSeadragon.TileSourceSpecifier;
}

/**
 * The viewer appends a <style>, which the Content-Security-Policy refuses, unless an element of that name has its mark. This one has it and, being
 * no element of HTML, does nothing; the rule itself stands in site.css.
 */
function ownStyleInPlace(): Element {
  const mark = document.createElementNS(null, 'style');
  mark.setAttribute('data-openseadragon-mobile-css', '');
  return mark;
}

function still(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** The viewer's own script, once. */
function load(src: string): Promise<Library> {
  if (window.OpenSeadragon) return Promise.resolve(window.OpenSeadragon);
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = src;
    script.onload = () => (window.OpenSeadragon ? resolve(window.OpenSeadragon) : reject(new Error(`${src} holds no viewer`)));
    script.onerror = () => reject(new Error(`${src} cannot be loaded`));
    document.head.append(script);
  });
}
