#!/usr/bin/env node
// Starts the command line with the Node version that npm has installed, so that it also runs on a machine with an older one.
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
    reportMissingPackages();
  }
} else {
  const pinned = pinnedNode();
  if (pinned) {
    const child = spawn(pinned, [script, ...process.argv.slice(2)], { stdio: 'inherit' });
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
    child.on('error', (error) => {
      console.error(
        `microfiche: Node in ${pinned} cannot be started (${error.message}). Run "npm ci" again in the project directory.`,
      );
      process.exitCode = 1;
    });
    child.on('exit', (code, signal) => {
      process.exitCode = signal ? 1 : code;
    });
  } else {
    reportMissingPackages();
  }
}

function reportMissingPackages() {
  console.error(
    'microfiche: The npm packages, including the required Node 24, are not installed. First run "npm ci" in the project directory.',
  );
  process.exitCode = 1;
}

function pinnedNode() {
  try {
    const bin = join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node');
    return [bin, `${bin}.exe`].find((file) => existsSync(file));
  } catch {
    return undefined; // not installed; the caller reports it
  }
}
