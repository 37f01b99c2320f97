/** The map of places: enlarges and moves it by buttons, keys, fingers and mouse, and divides marks as they come apart. */
import { placeLabels } from '../../formats/map-labels.ts';
import { type Cluster, clusterPoints, labelMark, type MapPoint, type MarkNames, nameMark } from '../../formats/place-clusters.ts';
import { createSvgElement } from '../browser/svg-element.ts';
import { type PlaceMap, type Position, positionOf, setUpPointers, unitsPerPixel } from './map-pointers.ts';

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
  /** What is drawn above and below the map, which a narrow window shows. */
  margin: number;
  names: MarkNames;
  points: PagePoint[];
}

type Size = Record<'width' | 'height', number>;

/** The part of the page in which the map is shown, in units of its drawing. */
interface Frame extends Size {
  /** What can be seen above and below the map. */
  margin: number;
  /** How many times the map is enlarged when it is as wide as the frame: less than 1 in a narrow window. */
  minZoom: number;
}

/** Factor of one step. */
const STEP = 2;
/** Pixels of the wheel that double the map. */
const PIXELS_TO_DOUBLE = 200;
/** Part of the map by which an arrow key moves it. */
const MOVE = 0.2;
/** Pixels around a mark that select it. */
const REACH = 22;
/** Windows in which the drawing would be too small. There, marks and names have about the size of other texts. */
const NARROW_SCREEN = '(max-width: 40rem)';
/** Pixels of a unit of the drawing in such a window. */
const NARROW_UNIT = 0.85;

for (const figure of document.querySelectorAll<HTMLElement>('.map[data-zoomable]')) {
  const map = createMap(figure);
  if (!map) continue;
  setUpButtons(figure, map);
  setUpKeys(figure, map);
  setUpWheel(map);
  setUpPointers(map);
}

function createMap(figure: HTMLElement): PlaceMap | undefined {
  const [svg, land, marks] = [figure.querySelector('svg'), figure.querySelector('.land'), figure.querySelector('.marks')];
  const json = figure.querySelector('script')?.textContent;
  if (!svg || !land || !marks || !json) return undefined;
  const data = JSON.parse(json) as MapData;
  const { format } = new Intl.NumberFormat([`${data.language}-u-nu-latn`, 'en']);
  const size = { width: svg.viewBox.baseVal.width, height: svg.viewBox.baseVal.height };
  let frame = fitFrame(svg, size, data);
  let view = { zoom: frame.minZoom, x: 0, y: 0 };
  let clusters: Array<Cluster<PagePoint>> = [];

  function show(zoom: number, x: number, y: number): void {
    if (zoom !== view.zoom || clusters.length === 0) {
      const enlarged = data.points.map((point) => ({ ...point, x: point.x * zoom, y: point.y * zoom }));
      clusters = clusterPoints(enlarged, data.points.length);
    }
    view = { zoom, ...limitPosition({ x, y }, zoom, size, frame) };
    land?.setAttribute('transform', `translate(${-view.x} ${-view.y}) scale(${zoom})`);
    svg?.toggleAttribute('data-enlarged', zoom > frame.minZoom);
    disableButtons(figure, { in: zoom >= data.maxZoom, out: zoom <= frame.minZoom, all: zoom <= frame.minZoom });
    renderMarks();
  }

  function renderMarks(): void {
    const focused = marks?.contains(document.activeElement) ? document.activeElement : null;
    const shown = clusters
      .map((cluster) => describeMark(cluster, view, data.names, format))
      .filter(({ x, y }) => x >= 0 && x <= frame.width && y >= 0 && y <= frame.height);
    const links = createMarks(shown, frame, REACH * unitsPerPixel(svg as SVGSVGElement));
    for (const [i, mark] of shown.entries())
      if (mark.isShared && view.zoom < data.maxZoom) onClick(links[i], () => zoomAround(STEP, mark));
    marks?.replaceChildren(...links);
    if (focused) (findMark(links, focused) ?? figure.querySelector<HTMLElement>('[data-map]'))?.focus();
  }

  const middle = () => ({ x: frame.width / 2, y: frame.height / 2 });
  const zoomAround: PlaceMap['zoomAround'] = (factor, from = middle(), to = from) => {
    const zoom = Math.min(Math.max(view.zoom * factor, frame.minZoom), data.maxZoom);
    const change = zoom / view.zoom;
    show(zoom, (view.x + from.x) * change - to.x, (view.y + from.y) * change - to.y);
  };
  const isEnlarged = () => view.zoom > frame.minZoom;
  // The places are beside the middle of the whole map if the coast is on the other side, and not all of them around that of a
  // part.
  const zoomIn = () => {
    const places = data.points.map(({ x, y }) => ({ x: x * view.zoom - view.x, y: y * view.zoom - view.y }));
    zoomAround(STEP, isEnlarged() ? nearestTo(middle(), places, frame) : middleOf(places), middle());
  };
  const showAll = () => show(frame.minZoom, 0, (size.height * frame.minZoom - frame.height) / 2);
  onWidthChange(svg, () => {
    frame = fitFrame(svg, size, data);
    clusters = [];
    showAll();
  });
  return {
    svg,
    zoomAround,
    zoomIn,
    showAll,
    isEnlarged,
    move: (x, y) => show(view.zoom, view.x + x * frame.width, view.y + y * frame.height),
  };
}

/** Returns the frame of a map in the window, and gives the drawing its size. */
function fitFrame(svg: SVGSVGElement, { width, height }: Size, { margin }: MapData): Frame {
  const isNarrow = matchMedia(NARROW_SCREEN).matches;
  svg.toggleAttribute('data-fitted', isNarrow);
  if (!isNarrow) {
    svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    return { width, height, margin: 0, minZoom: 1 };
  }
  const narrow = { width: svg.clientWidth / NARROW_UNIT, height: svg.clientHeight / NARROW_UNIT };
  svg.setAttribute('viewBox', `0 0 ${narrow.width} ${narrow.height}`);
  return { ...narrow, margin, minZoom: narrow.width / width };
}

/** Returns the mark of an earlier one's place: by its position, or by its name, since the page's marks have no positions. */
function findMark(links: readonly SVGAElement[], earlier: Element): SVGAElement | undefined {
  const name = earlier.hasAttribute('data-first') ? 'data-first' : 'aria-label';
  return links.find((link) => link.getAttribute(name) === earlier.getAttribute(name));
}

/** Calls a function when the window gives the map another width, and at first in a narrow window. */
function onWidthChange(svg: SVGSVGElement, onChange: () => void): void {
  let { clientWidth } = svg;
  addEventListener('resize', () => {
    if (svg.clientWidth === clientWidth) return;
    ({ clientWidth } = svg);
    onChange();
  });
  if (matchMedia(NARROW_SCREEN).matches) onChange();
}

/** Returns a position, or the nearest place, if none is in what can be seen around the position after a step. */
function nearestTo(position: Position, places: readonly Position[], { width, height }: Size): Position {
  const distance = ({ x, y }: Position) => Math.max(Math.abs(x - position.x) / width, Math.abs(y - position.y) / height);
  const [nearest = position] = [...places].sort((a, b) => distance(a) - distance(b));
  return distance(nearest) < 0.4 / STEP ? position : nearest;
}

/** Returns the middle of the smallest rectangle around points. */
function middleOf(points: readonly Position[]): Position {
  const middle = (values: number[]) => (Math.min(...values) + Math.max(...values)) / 2;
  return { x: middle(points.map(({ x }) => x)), y: middle(points.map(({ y }) => y)) };
}

/** Returns the corner of a view which shows nothing beyond what is drawn. */
function limitPosition({ x, y }: Position, zoom: number, { width, height }: Size, frame: Frame): Position {
  const limit = (value: number, min: number, max: number) => Math.max(min, Math.min(value, max));
  return {
    x: limit(x, 0, width * zoom - frame.width),
    y: limit(y, -frame.margin * zoom, (height + frame.margin) * zoom - frame.height),
  };
}

/** Disables those buttons of a map that have no effect. */
function disableButtons(figure: HTMLElement, isDisabled: Readonly<Record<string, boolean>>): void {
  for (const button of figure.querySelectorAll<HTMLButtonElement>('[data-map]'))
    button.setAttribute('aria-disabled', String(isDisabled[button.dataset['map'] ?? '']));
}

type Mark = ReturnType<typeof describeMark>;

/** Describes a mark, which links to the page of its place, or the list of its places, in a view whose corner is at `x`, `y`. */
function describeMark(cluster: Cluster<PagePoint>, { x, y }: Position, names: MarkNames, formatNumber: (n: number) => string) {
  const { points, radius, count } = cluster;
  const [first] = points;
  const places = points.reduce((total, point) => total + point.places, 0);
  const label = first?.label ?? '';
  return {
    x: cluster.x - x,
    y: cluster.y - y,
    radius,
    count,
    countText: formatNumber(count),
    /** For screen readers. */
    name: nameMark(names, { label, places, count }, formatNumber),
    label: labelMark(label, places, formatNumber),
    href: first?.href !== undefined && places === 1 ? first.href : `#spot-${first?.spot}`,
    /** Identifies it in another view. */
    first: `${first?.x} ${first?.y}`,
    /** Whether it is divided when the map is enlarged. */
    isShared: points.length > 1,
  };
}

/** Creates the links of marks, with those labels that fit. `reach` is the distance at which a mark is selected. */
function createMarks(marks: readonly Mark[], frame: Frame, reach: number): SVGAElement[] {
  const labels = placeLabels(marks, { width: frame.width, height: frame.height });
  return marks.map(({ x, y, radius, ...mark }, i) => {
    const at = labels[i];
    return createSvgElement(
      'a',
      { href: mark.href, 'aria-label': mark.name, 'data-first': mark.first },
      createSvgElement('title', {}, mark.name),
      createSvgElement('circle', { class: 'reach', cx: x, cy: y, r: reach }),
      createSvgElement('circle', { class: 'spot', cx: x, cy: y, r: radius }),
      ...(at ? [createSvgElement('text', { 'text-anchor': at.anchor, x: at.x, y: at.y }, mark.label), ' '] : []),
      createSvgElement('text', { class: 'mark-count', x, y: y + 4 }, mark.countText),
    );
  });
}

/** Calls a function instead of following a link, which keeps the focus. */
function onClick(link: SVGAElement | undefined, onSelect: () => void): void {
  link?.addEventListener('click', (event) => {
    event.preventDefault();
    link.focus();
    onSelect();
  });
}

function setUpButtons(figure: HTMLElement, { zoomAround, zoomIn, showAll }: PlaceMap): void {
  const actions: Readonly<Record<string, () => void>> = {
    in: zoomIn,
    out: () => zoomAround(1 / STEP),
    all: showAll,
  };
  for (const button of figure.querySelectorAll<HTMLButtonElement>('[data-map]'))
    button.addEventListener('click', () => actions[button.dataset['map'] ?? '']?.());
}

function setUpKeys(figure: HTMLElement, map: PlaceMap): void {
  const keys: Readonly<Record<string, () => void>> = {
    '+': map.zoomIn,
    '=': map.zoomIn,
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
    if (!action || (!map.isEnlarged() && event.key.startsWith('Arrow'))) return;
    event.preventDefault();
    action();
  });
}

/** The wheel zooms with the Ctrl key, as touchpads send it when two fingers part. Without it, the page scrolls. */
function setUpWheel(map: PlaceMap): void {
  const onWheel = (event: WheelEvent) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    map.zoomAround(2 ** (-event.deltaY / PIXELS_TO_DOUBLE), positionOf(event, map.svg));
  };
  map.svg.addEventListener('wheel', onWheel, { passive: false });
}
