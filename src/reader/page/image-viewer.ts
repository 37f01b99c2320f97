/** The image viewer: zooms with wheel, fingers, buttons and keys. OpenSeadragon is loaded when the viewer is first opened. */
import type OpenSeadragon from 'openseadragon';
import { imageService } from '../../derivatives/iiif.ts';
import { FORWARD_KEY } from '../browser/arrow-keys.ts';
import { loadScript } from '../browser/load-script.ts';

type OpenSeadragonLibrary = typeof OpenSeadragon;
declare global {
  interface Window {
    OpenSeadragon?: OpenSeadragonLibrary;
  }
}

const ZOOM_STEP = 1.6;

/** Opens the images of the page in the viewer when they are clicked. Does nothing on a page without images. */
export function setUpImageViewer(): void {
  const dialog = document.getElementById('zoom');
  const images = [...document.querySelectorAll<HTMLAnchorElement>('a.zoom:not(.moving)')];
  if (!(dialog instanceof HTMLDialogElement) || images.length === 0) return;
  const view = dialog.querySelector<HTMLElement>('.zoom-view');
  const caption = dialog.querySelector('.zoom-caption');
  if (!view || !caption) return;
  let viewer: OpenSeadragon.Viewer | undefined;
  let shown = 0;

  const show = (at: number) => {
    shown = at;
    const image = images[at];
    const text = image?.dataset['caption'] ?? '';
    caption.textContent = images.length > 1 ? `${text} (${at + 1}/${images.length})` : text;
    view.setAttribute('aria-label', image?.querySelector('img')?.alt ?? text);
    for (const [name, last] of Object.entries({ previous: 0, next: images.length - 1 })) {
      const button = dialog.querySelector<HTMLButtonElement>(`[data-zoom="${name}"]`);
      if (!button) continue;
      button.hidden = images.length < 2;
      button.disabled = at === last;
    }
    viewer?.open(tileSource(image));
  };

  const open = async (at: number) => {
    dialog.showModal();
    show(at);
    const library = await loadLibrary(dialog.dataset['viewer'] ?? '');
    viewer ??= create(library);
    show(shown);
    view.focus();
  };

  const create = (library: OpenSeadragonLibrary): OpenSeadragon.Viewer => {
    document.head.append(createStylePlaceholder());
    const created = library({
      element: view,
      drawer: 'canvas', // WebGL cannot read images on file://
      showNavigationControl: false,
      showNavigator: false,
      animationTime: matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 0.4,
      maxZoomPixelRatio: 3,
      minZoomImageRatio: 0.9,
      visibilityRatio: 0.8,
      gestureSettingsMouse: { clickToZoom: false, dblClickToZoom: true },
      showSequenceControl: false,
      tabIndex: -1,
    });
    created.addHandler('open', () => {
      // A dark image on a dark background has an edge that can be seen.
      const edge = Object.assign(document.createElement('div'), { className: 'zoom-edge' });
      created.clearOverlays();
      const hits = images[shown]?.querySelector('.hits')?.cloneNode(true);
      for (const overlay of [edge, ...(hits ? [hits as HTMLElement] : [])])
        created.addOverlay(overlay, created.world.getItemAt(0).getBounds());
    });
    // The dialog handles the keys, so that they work wherever the focus is in it.
    created.addHandler('canvas-key', (event) => {
      event.preventDefaultAction = true;
    });
    return created;
  };

  /** Whether the image that is shown is not enlarged. */
  const isWhole = () => !viewer || viewer.viewport.getZoom() < viewer.viewport.getHomeZoom() * 1.01;
  const actions: Record<string, () => void> = {
    in: () => viewer?.viewport.zoomBy(ZOOM_STEP).applyConstraints(),
    out: () => viewer?.viewport.zoomBy(1 / ZOOM_STEP).applyConstraints(),
    whole: () => viewer?.viewport.goHome(),
    rotate: () => {
      const fits = isWhole();
      viewer?.viewport.rotateBy(90);
      if (fits) viewer?.viewport.goHome();
    },
    screen: () => void toggleFullScreen(),
    previous: () => shown > 0 && show(shown - 1),
    next: () => shown < images.length - 1 && show(shown + 1),
    close: () => dialog.close(),
    left: () => turnOrPan(-1),
    right: () => turnOrPan(1),
    up: () => pan(0, -1),
    down: () => pan(0, 1),
  };
  const pan = (x: number, y: number) => {
    const viewport = viewer?.viewport;
    if (!viewport || !window.OpenSeadragon) return;
    const step = viewport.getBounds(true).width / 8;
    viewport.panBy(new window.OpenSeadragon.Point(x * step, y * step)).applyConstraints();
  };
  /** Shows the image beside the one that is shown whole, and moves one that is enlarged. */
  const turnOrPan = (step: -1 | 1) => {
    const next = FORWARD_KEY === 'ArrowRight' ? shown + step : shown - step;
    if (!isWhole() || images.length < 2) pan(step, 0);
    else if (images[next]) show(next);
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
    r: 'rotate',
    f: 'screen',
  };

  images.forEach((image, i) => {
    image.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return; // opens a new tab or window
      event.preventDefault();
      void open(i);
    });
  });
  dialog.addEventListener('click', ({ target }) => {
    const action = target instanceof Element ? target.closest('[data-zoom]')?.getAttribute('data-zoom') : undefined;
    if (action) actions[action]?.();
  });
  dialog.addEventListener('keydown', (event) => {
    const action = KEYS[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    actions[action]?.();
  });
  dialog.addEventListener('close', () => {
    images[shown]?.dispatchEvent(new Event('viewed', { bubbles: true }));
    images[shown]?.focus();
  });
}

/** Returns the viewer's source: an image, or its tiles as an IIIF service, without info.json, which file:// cannot fetch. */
function tileSource(image: HTMLAnchorElement | undefined): OpenSeadragon.TileSourceSpecifier {
  const [directory, width, height] = image?.dataset['tiles']?.split(/[?,]/) ?? [];
  const source = directory
    ? imageService({ width: Number(width), height: Number(height) }, new URL(directory, location.href).href)
    : { type: 'image', url: image?.href ?? '', buildPyramid: false };
  // The library's types include neither form.
  return source as unknown as OpenSeadragon.TileSourceSpecifier;
}

/**
 * OpenSeadragon appends a <style>, which the Content-Security-Policy blocks, unless it finds an element of that name with this
 * attribute. This one is not an HTML element, so it has no effect; its rule is in images.css.
 */
function createStylePlaceholder(): Element {
  const placeholder = document.createElementNS(null, 'style');
  placeholder.setAttribute('data-openseadragon-mobile-css', '');
  return placeholder;
}

/** Shows the page, with the viewer on top, in full screen, or ends it. Browsers refuse a dialog, and some any element. */
async function toggleFullScreen(): Promise<void> {
  try {
    await (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen());
  } catch {
    // the browser denies it; the viewer fills the window
  }
}

/** Loads OpenSeadragon, once. */
async function loadLibrary(src: string): Promise<OpenSeadragonLibrary> {
  if (!window.OpenSeadragon) await loadScript(src);
  if (!window.OpenSeadragon) throw new Error(`${src} contains no viewer`);
  return window.OpenSeadragon;
}
