/** Finds cycles of imports, so that each module can be read after those that it imports. Imports of types count too. */
import type { Finding } from './finding.ts';
import type { Import } from './imports.ts';

/** The imports of each module, by its path. */
type Graph = ReadonlyMap<string, readonly Import[]>;

/** Returns one finding for each group of modules that import each other: the shortest cycle through the first of them. */
export function findCycles(importsByModule: Graph): Finding[] {
  const graph = new Map([...importsByModule].map(([path, imports]) => [path, existingTargets(imports, importsByModule)]));
  const found: Finding[] = [];
  const seen = new Set<string>();
  for (const path of [...graph.keys()].sort()) {
    if (seen.has(path)) continue;
    const cycle = shortestCycle(path, graph);
    if (!cycle) continue;
    for (const member of graph.keys()) if (findPath(path, member, graph) && findPath(member, path, graph)) seen.add(member);
    const line = graph.get(path)?.find(({ target }) => target === cycle[1])?.line ?? 1;
    const message = `imports itself in a cycle: ${cycle.join(' → ')}. Move code and types that both need into a lower module.`;
    found.push({ path, line, message });
  }
  return found;
}

/** Imports that Vite resolves may omit the extension of a file, or name a `.js` file for a `.ts` file. */
function existingTargets(imports: readonly Import[], modules: Graph): Import[] {
  return imports.flatMap(({ line, target }) => {
    const names = [target, `${target}.ts`, target.replace(/\.js$/, '.ts'), `${target}/index.ts`];
    const existing = names.find((name) => modules.has(name));
    return existing === undefined ? [] : [{ line, target: existing }];
  });
}

/** Returns the modules from one back to itself; undefined if no import of it comes back. */
function shortestCycle(path: string, graph: Graph): string[] | undefined {
  const ways = (graph.get(path) ?? []).map(({ target }) => findPath(target, path, graph)).filter((way) => way !== undefined);
  const shortest = ways.sort((a, b) => a.length - b.length)[0];
  return shortest && [path, ...shortest];
}

/** The shortest way from one module to another along imports, with both ends. */
function findPath(from: string, to: string, graph: Graph): string[] | undefined {
  const importers = new Map<string, string | undefined>([[from, undefined]]);
  for (const module of importers.keys()) {
    if (module === to) return wayTo(module, importers);
    for (const { target } of graph.get(module) ?? []) if (!importers.has(target)) importers.set(target, module);
  }
  return undefined;
}

function wayTo(end: string, importers: ReadonlyMap<string, string | undefined>): string[] {
  const way = [end];
  for (let at = importers.get(end); at !== undefined; at = importers.get(at)) way.unshift(at);
  return way;
}
