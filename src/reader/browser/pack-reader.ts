/** Reads entries of packs (see pack-format.ts) in a browser. Loads packs when needed, and evicts the least recently used. */
import { cached } from '../../formats/cached.ts';
import { type Block, DIRECTORY, findBlock, type Ranges } from '../../formats/pack-format.ts';
import { loadScript } from './load-script.ts';

declare global {
  interface Window {
    /** Called by each pack. */
    microfichePack?: (name: string, content: unknown) => void;
    /** Set by inflate.entry.ts. */
    microficheGunzip?: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>;
  }
}

/** Packs and decompressed blocks in memory. */
const MAX_PACKS = 48;
const MAX_BLOCKS = 96;

/** The script element of a pack, with the callback that receives its content: a page may have several pack readers. */
type PackScript = HTMLScriptElement & { onContent?: (content: unknown) => void };

interface UnpackedBlock {
  table: Record<string, [offset: number, length: number]>;
  data: Uint8Array<ArrayBuffer>;
}

/**
 * Returns a function that reads entries of a set of packs. `packsUrl` is the URL of their directory, with a trailing slash.
 * `packOf` returns the name of the pack that contains an entry; `readDirectory` returns the content of the pack of that name.
 * The function rejects if no pack contains an entry, or if a pack cannot be loaded.
 */
export function createPackReader<Directory>(
  packsUrl: string,
  packOf: (name: string, readDirectory: () => Promise<Directory>) => Promise<string | undefined>,
) {
  const load = (name: string) => loadContent(`${packsUrl}${name}.js`);
  const directories = cached<Directory>(1, (name) => load(name) as Promise<Directory>);
  const packs = cached<Block[]>(MAX_PACKS, (name) => load(name) as Promise<Block[]>);
  const blocks = cached<UnpackedBlock>(MAX_BLOCKS, async (key) => {
    const [name = '', at] = key.split(':');
    return unpackBlock((await packs(name))[Number(at)]?.[1] ?? '');
  });

  return async (path: string) => {
    const name = await packOf(path, () => directories(DIRECTORY));
    const at = name === undefined ? -1 : findBlock(path, await packs(name));
    const block = at < 0 ? undefined : await blocks(`${name}:${at}`);
    const range = block?.table[path];
    if (!block || !range) throw new Error(`No pack contains ${path}`);
    return block.data.slice(range[0], range[0] + range[1]);
  };
}

/** Loads one pack script, such as a directory, and returns its content. */
export function loadContent(url: string): Promise<unknown> {
  window.microfichePack ??= (_, content) => (document.currentScript as PackScript).onContent?.(content);
  return new Promise((resolve, reject) => {
    const script: PackScript = document.createElement('script');
    script.onContent = resolve;
    loadScript(url, script).then(() => reject(new Error(`${url} contains no pack`)), reject);
  });
}

/** Loads one pack and returns all its entries, by name. */
export async function loadPack(url: string): Promise<Map<string, Uint8Array>> {
  const blocks = (await loadContent(url)) as Block[];
  const unpacked = await Promise.all(blocks.map(([, text]) => unpackBlock(text)));
  return new Map(
    unpacked.flatMap(({ table, data }) =>
      Object.entries(table).map(([name, [offset, length]]) => [name, data.subarray(offset, offset + length)] as const),
    ),
  );
}

/**
 * Loads the list of packs in a directory, whose URL ends with a slash. Each pack has one entry, named `entry`.
 * @throws {Error} if the list cannot be loaded
 */
export async function loadPackTexts(directory: string, entry: string) {
  const ranges = (await loadContent(`${directory}${DIRECTORY}.js`)) as Ranges;
  const decoder = new TextDecoder();
  return {
    ranges,
    loadText: async (pack: string) => decoder.decode((await loadPack(`${directory}${pack}.js`)).get(entry)),
  };
}

async function unpackBlock(text: string): Promise<UnpackedBlock> {
  const whole = await gunzip(decodeBase64(text));
  const end = whole.indexOf(10);
  return { table: JSON.parse(new TextDecoder().decode(whole.subarray(0, end))), data: whole.subarray(end + 1) };
}

/** Decodes base64, in older browsers with a loop: `Uint8Array.from` would take 30 times as long. */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const { fromBase64 } = Uint8Array as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> };
  if (fromBase64 !== undefined) return fromBase64.call(Uint8Array, text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** Loads the script that decompresses gzip. All pages have another script from the same directory. */
const loadInflate = cached(1, () => {
  const own = document.querySelector<HTMLScriptElement>('script[src*="assets/"]');
  return loadScript(new URL('inflate.js', own?.src).href);
});

/** Decompresses gzip. */
export async function gunzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  if (typeof DecompressionStream === 'undefined') {
    await loadInflate('');
    return (window.microficheGunzip as NonNullable<Window['microficheGunzip']>)(bytes);
  }
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
