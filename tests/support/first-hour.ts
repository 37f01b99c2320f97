/** Does what docs/getting-started.md says, step by step, as a newcomer would: the guide is tested and timed as it is written. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const GUIDE = join(import.meta.dirname, '../../docs/getting-started.md');
const SETTINGS = 'microfiche.config.json';
/** What the guide calls the archive, its APIs and its records. */
const EXAMPLE_URL = /https:\/\/(?:guide|archive)\.example\.org/g;
const EXAMPLE_IDS = 'demo-org-1-2, demo-org-1-3';
/** Records of the sample archive that are there instead. */
const SAMPLE_IDS = 'lica-quay-1-1, lica-quay-1-2';
const IS_SERVER = / (?:serve|dev)\b/;

/** A numbered step of the guide. */
export interface GuideStep {
  number: number;
  text: string;
  blocks: Array<{ language: string; code: string }>;
}

/** One command or edit, and how long it took. */
export interface Done {
  step: number;
  /** The command, or the file that was edited. */
  what: string;
  seconds: number;
}

/** Where a newcomer works, and how commands run there. */
export interface Newcomer {
  /** An empty directory. */
  directory: string;
  /** URL of the two APIs of the sample archive. */
  url: string;
  /** Runs a command in a shell. Rejects if it fails. */
  run(command: string, cwd: string): Promise<void>;
  /** Starts a server, fetches its home page, and stops it. */
  look(command: string, cwd: string): Promise<unknown>;
}

/** Returns the steps of the guide. */
export function readGuide(): GuideStep[] {
  const [guide = ''] = readFileSync(GUIDE, 'utf8').split(/^## Automatic updates$/m);
  return guide
    .split(/^(?=\*\*\d+\.\*\*)/m)
    .slice(1)
    .map((text) => ({
      number: Number(/\d+/.exec(text)),
      text,
      blocks: [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({ language, code })),
    }));
}

/** Follows the guide. Returns each command and edit, in order. */
export async function followGuide(newcomer: Newcomer): Promise<Done[]> {
  const done: Done[] = [];
  let cwd = newcomer.directory;
  const act = async (step: number, what: string, doing: () => unknown) => {
    const start = performance.now();
    await doing();
    done.push({ step, what, seconds: (performance.now() - start) / 1000 });
  };
  for (const { number, text, blocks } of readGuide())
    for (const { language, code: written } of blocks) {
      const code = written.replace(EXAMPLE_URL, newcomer.url).replace(EXAMPLE_IDS, SAMPLE_IDS);
      if (language !== 'sh') {
        const file = language === 'json' ? SETTINGS : fileOf(text, cwd);
        await act(number, file, () =>
          language === 'json' ? changeSettings(join(cwd, file), code) : writeText(join(cwd, file), code),
        );
        continue;
      }
      for (const command of code
        .replace(/\\\n\s*/g, '')
        .trim()
        .split('\n')) {
        const [, directory] = /^cd (\S+)$/.exec(command) ?? [];
        if (directory !== undefined) cwd = join(cwd, directory);
        else if (IS_SERVER.test(command)) await act(number, command, () => newcomer.look(command, cwd));
        else await act(number, command, () => newcomer.run(command, cwd));
      }
    }
  return done;
}

/** Returns the file that a step has the newcomer write: the last one named, to which a first one is renamed. */
function fileOf(text: string, cwd: string): string {
  const files = [...text.matchAll(/`(content\/\S+\.md)`/g)].map(([, file]) => file as string);
  const [first, last] = [files[0], files.at(-1)];
  if (first === undefined || last === undefined) throw new Error(`No file is named in: ${text}`);
  if (first !== last) renameSync(join(cwd, first), join(cwd, last));
  return last;
}

function writeText(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Replaces the settings that a block has. */
function changeSettings(file: string, block: string): void {
  const settings = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeText(file, `${JSON.stringify({ ...settings, ...(JSON.parse(block) as object) }, undefined, 2)}\n`);
}
