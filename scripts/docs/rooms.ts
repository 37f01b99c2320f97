/** Draws the layers of the code and what they import, in docs/architecture.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles } from '../lint/files.ts';
import { isModule, listImports } from '../lint/imports.ts';
import { LEVELS, layerOf } from '../lint/layers.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Path of docs/architecture.md. */
export const ARCHITECTURE = join(ROOT, 'docs/architecture.md');

const DRAWINGS = /(?<=<!-- rooms: made by `npm run docs` -->\n)[\s\S]*(?=<!-- end of rooms -->)/;

/** Returns the text of docs/architecture.md, with drawings of the layers as they are. */
export const architectureText = (): string => readFileSync(ARCHITECTURE, 'utf8').replace(DRAWINGS, drawRooms);

/** The layers that each layer imports. */
type Arrows = ReadonlyMap<string, ReadonlySet<string>>;

/** Draws the directories of the layers, and then what is inside of each that has several. */
function drawRooms(): string {
  const arrows = readArrows();
  const directories = Map.groupBy(arrows.keys(), (layer) => layer.replace(/\/.*/, ''));
  const inside = [...directories].filter(([, layers]) => layers.length > 1);
  return [
    draw(arrows, (layer) => layer.replace(/\/.*/, '')),
    ...inside.map(([directory, layers]) => {
      const drawing = draw(arrows, (layer) => (layers.includes(layer) ? layer : undefined));
      return `Inside of \`${directory}\`:\n\n${drawing}`;
    }),
  ].join('\n');
}

function readArrows(): Arrows {
  const arrows = new Map<string, Set<string>>(LEVELS.flat().map((layer) => [layer, new Set()]));
  for (const path of listFiles(ROOT)) {
    const from = arrows.get(layerOf(path) ?? '');
    if (!from || !isModule(path)) continue;
    for (const { target } of listImports(path, readFileSync(join(ROOT, path), 'utf8'))) {
      const to = layerOf(target);
      if (to !== undefined && isModule(target)) from.add(to);
    }
  }
  return arrows;
}

/** Returns a drawing in Mermaid’s language. `boxOf` returns the box that a layer is in, or undefined if it is not drawn. */
function draw(arrows: Arrows, boxOf: (layer: string) => string | undefined): string {
  const boxes = new Map<string, Set<string>>();
  for (const [from, targets] of arrows) {
    const box = boxOf(from);
    if (box === undefined) continue;
    const drawn = boxes.get(box) ?? new Set();
    for (const to of targets) drawn.add(boxOf(to) ?? box);
    boxes.set(box, drawn);
  }
  for (const [box, targets] of boxes) targets.delete(box);
  const idOf = (box: string) => box.replace(/\W/g, '_');
  const lines = [...boxes].map(([from, targets]) => {
    const next = [...targets].filter((to) => ![...targets].some((other) => other !== to && leadsTo(other, to, boxes)));
    const arrow = next.length === 0 ? '' : ` --> ${next.sort().map(idOf).join(' & ')}`;
    return `  ${idOf(from)}[${from}]${arrow}`;
  });
  return `\`\`\`mermaid\nflowchart TD\n${lines.join('\n')}\n\`\`\`\n`;
}

/** Whether a box has an arrow to another one, or to one that leads there. There are no circles. */
function leadsTo(from: string, to: string, boxes: Arrows): boolean {
  const targets = boxes.get(from) ?? new Set();
  return targets.has(to) || [...targets].some((target) => leadsTo(target, to, boxes));
}
