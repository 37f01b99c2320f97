#!/usr/bin/env node
// Starts the command line with the Node version that npm has installed, so that it also runs on a machine with an older one.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { constants, homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// A checkout has TypeScript; the npm package has JavaScript, because Node strips no types below node_modules.
const source = new URL('./microfiche.ts', import.meta.url);
const program = existsSync(source) ? source : new URL('../lib/scripts/microfiche.js', import.meta.url);
const isCheckout = program === source;
const script = fileURLToPath(program);
const install = isCheckout ? 'npm ci' : 'npm install';
const [major, minor] = process.versions.node.split('.').map(Number);

if (script.includes('*')) {
  console.error(`microfiche: ${dirname(script)} has a * in its path, which Node cannot load. Rename or move the directory.`);
  process.exitCode = 1;
} else if (major > 24 || (major === 24 && minor >= 4)) {
  // Enabled before anything is loaded, as a start is mostly compiling. If no directory is writable, starts without the cache.
  nodeModule.enableCompileCache(join(cacheDirectory(), 'compiled'));
  try {
    await import(program.href);
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND' || !error.message.startsWith('Cannot find package')) throw error;
    reportMissingPackages();
  }
} else {
  const pinned = pinnedNode();
  if (pinned) {
    const child = spawn(pinned, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
    child.on('error', (error) => {
      console.error(
        `microfiche: Node in ${pinned} cannot be started (${error.message}). Run "${install}" again in the project directory.`,
      );
      process.exitCode = 1;
    });
    child.on('exit', (code, signal) => {
      process.exitCode = signal ? 128 + constants.signals[signal] : code;
    });
  } else {
    reportMissingPackages();
  }
}

/** As in src/platform/user-state.ts, which is TypeScript. */
function cacheDirectory() {
  const { XDG_CACHE_HOME: cache, LOCALAPPDATA: local } = process.env;
  if (cache) return join(cache, 'microfiche');
  if (process.platform === 'win32') return join(local ?? join(homedir(), 'AppData/Local'), 'Microfiche/Cache');
  return join(homedir(), process.platform === 'darwin' ? 'Library/Caches/Microfiche' : '.cache/microfiche');
}

function reportMissingPackages() {
  console.error(
    isCheckout
      ? `microfiche: The npm packages, including the required Node 24, are not installed. First run "${install}" in the project directory.`
      : `microfiche: Node 24.4 or later is required; this is Node ${process.versions.node}, and npm did not install its own (the package "node"). Run "npm rebuild node --ignore-scripts=false" in the project directory, or install Node 24.4 or later.`,
  );
  process.exitCode = 1;
}

function pinnedNode() {
  try {
    const bin = join(dirname(nodeModule.createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node');
    return [bin, `${bin}.exe`].find((file) => existsSync(file));
  } catch {
    return undefined; // not installed; the caller reports it
  }
}
