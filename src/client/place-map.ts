/** The script of the map of places: enlarges and moves it with buttons, keys, fingers and the mouse, and divides marks as they come apart. */
import { type Cluster, clusterPoints, type MapPoint, type MarkNames, nameMark } from './place-clusters.ts';
import { createSvgElement } from './svg-element.ts';

/** Places at one position, as the page describes them. */
interface PagePoint extends MapPoint {
  places: number;
  /** Address of the page of the only place. */
  href?: string;
  /** Number of the list of places, in which they are. */
  spot: number;
}

/** What the page says of the map. */
interface MapData {
  language: string;
  /** How many times the map can be enlarged. */
  maxZoom: number;
  names: MarkNames;
  points: PagePoint[];
}

/** The map of a page. Positions are in units of its drawing. */
interface PlaceMap {
  svg: SVGSVGElement;
  /** The part that is shown: how many times it is enlarged, and its upper left corner on the enlarged map. */
  view: Readonly<{ zoom: number; x: number; y: number }>;
  show(zoom: number, x: number, y: number): void;
  /** Enlarges the map by a factor. The point at `x`, `y` does not move; without one, the middle does not. */
  zoomAround(factor: number, x?: number, y?: number): void;
  /** Moves the map by parts of its size. */
  move(x: number, y: number): void;
  showAll(): void;
}

/** Factor of one step. */
const STEP = 2;
/** Pixels of the wheel that double the map. */
const PIXELS_TO_DOUBLE = 200;
/** Part of the map by which an arrow key moves it. */
const MOVE = 0.2;
/** Pixels that a pointer may move in a click. */
const CLICK_TOLERANCE = 4;

for (const figure of document.querySelectorAll<HTMLElement>('.map[data-zoomable]')) {
  const map = createMap(figure);
  if (!map) continue;
  setUpButtons(figure, map);
  setUpKeys(figure, map);
  setUpWheel(map);
  setUpDragging(map);
}

function createMap(figure: HTMLElement): PlaceMap | undefined {
  const [svg, land, marks] = [figure.querySelector('svg'), figure.querySelector('.land'), figure.querySelector('.marks')];
  const json = figure.querySelector('script')?.textContent;
  if (!svg || !land || !marks || !json) return undefined;
  const data = JSON.parse(json) as MapData;
  const { width, height } = svg.viewBox.baseVal;
  let view = { zoom: 1, x: 0, y: 0 };
  let clusters: Array<Cluster<PagePoint>> = [];

  function show(zoom: number, x: number, y: number): void {
    const limit = (value: number, size: number) => Math.min(Math.max(value, 0), size * (zoom - 1));
    if (zoom !== view.zoom || clusters.length === 0) {
      const enlarged = data.points.map((point) => ({ ...point, x: point.x * zoom, y: point.y * zoom }));
      clusters = clusterPoints(enlarged, { width: width * zoom, maxMarks: data.points.length });
    }
    view = { zoom, x: limit(x, width), y: limit(y, height) };
    land?.setAttribute('transform', `translate(${-view.x} ${-view.y}) scale(${zoom})`);
    svg?.toggleAttribute('data-enlarged', zoom > 1);
    for (const button of figure.querySelectorAll<HTMLButtonElement>('[data-map]'))
      button.setAttribute('aria-disabled', String(button.dataset['map'] === 'in' ? zoom >= data.maxZoom : zoom <= 1));
    renderMarks();
  }

  function renderMarks(): void {
    const focused = marks?.contains(document.activeElement) ? document.activeElement?.getAttribute('data-first') : null;
    const links = clusters
      .map((cluster) => ({ cluster, x: cluster.x - view.x, y: cluster.y - view.y }))
      .filter(({ x, y }) => x >= 0 && x <= width && y >= 0 && y <= height)
      .map(({ cluster, x, y }) => {
        const link = createMark(cluster, x, y, data);
        if (cluster.points.length > 1 && view.zoom < data.maxZoom)
          link.addEventListener('click', (event) => {
            event.preventDefault();
            link.focus();
            zoomAround(STEP, x, y);
          });
        return link;
      });
    marks?.replaceChildren(...links);
    if (focused === null || focused === undefined) return;
    const same = links.find((link) => link.getAttribute('data-first') === focused);
    (same ?? figure.querySelector<HTMLElement>('[data-map]'))?.focus();
  }

  function zoomAround(factor: number, x = width / 2, y = height / 2): void {
    const zoom = Math.min(Math.max(view.zoom * factor, 1), data.maxZoom);
    const change = zoom / view.zoom;
    show(zoom, (view.x + x) * change - x, (view.y + y) * change - y);
  }

  return {
    ...{ svg, show, zoomAround },
    get view() {
      return view;
    },
    move: (x, y) => show(view.zoom, view.x + x * width, view.y + y * height),
    showAll: () => show(1, 0, 0),
  };
}

/** Creates a mark at a position, which links to the page of its place, or to the list of its places. */
function createMark(cluster: Cluster<PagePoint>, x: number, y: number, { names, language }: MapData): SVGAElement {
  const { format } = new Intl.NumberFormat(language);
  const [first] = cluster.points;
  const places = cluster.points.reduce((total, point) => total + point.places, 0);
  const label = first?.label ?? '';
  const name = nameMark(names, { label, places, count: cluster.count }, format);
  const href = first?.href !== undefined && places === 1 ? first.href : `#spot-${first?.spot}`;
  return createSvgElement(
    'a',
    { href, 'aria-label': name, 'data-first': `${first?.x} ${first?.y}` },
    createSvgElement('title', {}, name),
    createSvgElement('circle', { class: 'reach', cx: x, cy: y, r: 20 }),
    createSvgElement('circle', { class: 'spot', cx: x, cy: y, r: cluster.radius }),
    ...(cluster.isLabeled ? [createSvgElement('text', { x: x + cluster.radius + 5, y: y + 5 }, label), ' '] : []),
    createSvgElement('text', { class: 'mark-count', x, y: y + 4 }, format(cluster.count)),
  );
}

function setUpButtons(figure: HTMLElement, { zoomAround, showAll }: PlaceMap): void {
  const actions: Readonly<Record<string, () => void>> = {
    in: () => zoomAround(STEP),
    out: () => zoomAround(1 / STEP),
    all: showAll,
  };
  for (const button of figure.querySelectorAll<HTMLButtonElement>('[data-map]'))
    button.addEventListener('click', () => actions[button.dataset['map'] ?? '']?.());
}

function setUpKeys(figure: HTMLElement, map: PlaceMap): void {
  const keys: Readonly<Record<string, () => void>> = {
    '+': () => map.zoomAround(STEP),
    '=': () => map.zoomAround(STEP),
    '-': () => map.zoomAround(1 / STEP),
    '0': map.showAll,
    ArrowLeft: () => map.move(-MOVE, 0),
    ArrowRight: () => map.move(MOVE, 0),
    ArrowUp: () => map.move(0, -MOVE),
    ArrowDown: () => map.move(0, MOVE),
  };
  figure.addEventListener('keydown', (event) => {
    const action = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
    // On the entire map, the arrow keys scroll the page.
    if (!action || (map.view.zoom === 1 && event.key.startsWith('Arrow'))) return;
    event.preventDefault();
    action();
  });
}

/** Units of the drawing in a pixel. */
function unitsPerPixel({ svg }: PlaceMap): number {
  const { width } = svg.viewBox.baseVal;
  return width / (svg.clientWidth || width);
}

/** The wheel zooms with the Ctrl key, as touchpads send it when two fingers part. Without it, the page scrolls. */
function setUpWheel(map: PlaceMap): void {
  const onWheel = (event: WheelEvent) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const { left, top } = map.svg.getBoundingClientRect();
    const units = unitsPerPixel(map);
    map.zoomAround(2 ** (-event.deltaY / PIXELS_TO_DOUBLE), (event.clientX - left) * units, (event.clientY - top) * units);
  };
  map.svg.addEventListener('wheel', onWheel, { passive: false });
}

/** An enlarged map moves with the pointer. A click after that opens no link. */
function setUpDragging(map: PlaceMap): void {
  const { svg } = map;
  let distance = 0;
  svg.addEventListener('pointerdown', (down) => {
    distance = 0;
    if (map.view.zoom === 1 || down.button !== 0) return;
    const { zoom, x, y } = map.view;
    const onMove = ({ clientX, clientY }: PointerEvent) => {
      const [dx, dy] = [clientX - down.clientX, clientY - down.clientY];
      distance = Math.max(distance, Math.hypot(dx, dy));
      if (distance > CLICK_TOLERANCE) map.show(zoom, x - dx * unitsPerPixel(map), y - dy * unitsPerPixel(map));
    };
    const onEnd = () => {
      removeEventListener('pointermove', onMove);
      for (const event of ['pointerup', 'pointercancel']) removeEventListener(event, onEnd);
    };
    addEventListener('pointermove', onMove);
    for (const event of ['pointerup', 'pointercancel']) addEventListener(event, onEnd);
  });
  svg.addEventListener('dragstart', (event) => event.preventDefault());
  const onClick = (event: MouseEvent) => {
    if (distance <= CLICK_TOLERANCE || event.detail === 0) return; // 0: the Enter key
    event.preventDefault();
    event.stopPropagation();
  };
  svg.addEventListener('click', onClick, { capture: true });
}
