/**
 * `npm run lock`, after a change of dependencies: adds the optional npm packages for other platforms to package-lock.json, if the registry in
 * use does not have them. Without their entries, `npm ci` considers the file outdated. With them, it skips the packages for other platforms.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface LockedPackage {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}

const OPERATING_SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
/** Platforms that package names spell differently. */
const PLATFORM_ALIASES: Readonly<Record<string, string[]>> = { windows: ['win32'], linuxmusl: ['linux', 'musl'] };
const PROCESSORS = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];
const file = join(import.meta.dirname, '../package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, LockedPackage> };

const added: string[] = [];
for (const [owner, { optionalDependencies = {}, dev }] of Object.entries(lock.packages)) {
  for (const [name, range] of Object.entries(optionalDependencies)) {
    const version = /^[~^]?(\d+\.\d+\.\d+\S*)$/.exec(range)?.[1];
    if (version === undefined || isLocked(owner, name)) continue;
    const words = name.split(/[/-]/).flatMap((word) => PLATFORM_ALIASES[word] ?? [word]);
    const os = words.filter((word) => OPERATING_SYSTEMS.includes(word));
    const cpu = words.filter((word) => PROCESSORS.includes(word));
    if (os.length + cpu.length === 0)
      throw new Error(`${name}, required by ${owner}, is not in package-lock.json, and its name contains no platform`);
    const libc = words.includes('musl') ? ['musl'] : words.includes('gnu') ? ['glibc'] : [];
    lock.packages[`node_modules/${name}`] = {
      version,
      cpu,
      ...(dev ? { dev } : {}),
      ...(libc.length > 0 ? { libc } : {}),
      optional: true,
      ...(os.length > 0 ? { os } : {}),
    };
    added.push(`${name}@${version}`);
  }
}
const root = lock.packages[''] as LockedPackage;
const others = Object.entries(lock.packages).filter(([path]) => path !== '');
lock.packages = Object.fromEntries([['', root], ...others.sort(([a], [b]) => (a < b ? -1 : 1))]);
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(added.length > 0 ? `Added ${added.length}: ${added.join(', ')}` : 'package-lock.json is complete.');

/** Whether package-lock.json has the package, below its owner or at the top. */
function isLocked(owner: string, name: string): boolean {
  return `${owner}/node_modules/${name}` in lock.packages || `node_modules/${name}` in lock.packages;
}
