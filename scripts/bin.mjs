#!/usr/bin/env node
// Starts the command line on the Node that npm has pinned, so that a machine with an older Node can run it too.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('./microfiche.ts', import.meta.url));
const [major] = process.versions.node.split('.').map(Number);

if (major >= 24) {
  try {
    await import('./microfiche.ts');
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND' || !error.message.startsWith('Cannot find package')) throw error;
    stopUninstalled();
  }
} else {
  const pinned = pinnedNode();
  if (pinned) {
    const child = spawn(pinned, [script, ...process.argv.slice(2)], { stdio: 'inherit' });
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
    child.on('error', (error) => {
      console.error(
        `microfiche: The Node in ${pinned} cannot be started (${error.message}): run “npm ci” again in the project folder.`,
      );
      process.exitCode = 1;
    });
    child.on('exit', (code, signal) => {
      process.exitCode = signal ? 1 : code;
    });
  } else {
    stopUninstalled();
  }
}

function stopUninstalled() {
  console.error(
    'microfiche: Its packages are not installed yet, among them the Node 24 that it runs on: run “npm ci” in the project folder first.',
  );
  process.exitCode = 1;
}

function pinnedNode() {
  try {
    const bin = join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node');
    return [bin, `${bin}.exe`].find((file) => existsSync(file));
  } catch {
    return undefined; // not installed: said below
  }
}
