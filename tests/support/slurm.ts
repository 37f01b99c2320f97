/** Starts Slurm on this machine: a controller and two nodes with one core each. Needs root, slurm-wlm and munge of Debian. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** Runs a program of Slurm, and returns what it prints. */
export type RunSlurm = (program: string, args: string[], env?: Record<string, string>) => string;

/** Slurm, while it runs. */
export interface Slurm {
  run: RunSlurm;
  /** Ends all of its processes. */
  stop(): Promise<void>;
}

/** The names of the nodes. */
export const NODES = ['n1', 'n2'] as const;

/** Whether Slurm can be started here. */
export function hasSlurm(): boolean {
  return process.getuid?.() === 0 && ['slurmctld', 'slurmd', 'munged'].every((name) => existsSync(`/usr/sbin/${name}`));
}

/** Starts Slurm with its files in `directory`. With `cores`, a node runs all on its own core, by the machine's core numbers. */
export async function startSlurm(directory: string, cores?: readonly [number, number]): Promise<Slurm> {
  const started: ChildProcess[] = [];
  const stop = async () => {
    for (const child of started.reverse()) await end(child);
  };
  try {
    return { run: await startAll(directory, cores, started), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startAll(
  directory: string,
  cores: readonly [number, number] | undefined,
  started: ChildProcess[],
): Promise<RunSlurm> {
  const start = (program: string, args: string[]) => {
    const child = spawn(program, args, { stdio: 'ignore' });
    process.once('exit', () => child.kill());
    started.push(child);
  };
  const socket = await startMunge(join(directory, 'munge'), start);
  const config = join(directory, 'slurm.conf');
  mkdirSync(join(directory, 'state'));
  writeFileSync(config, await createConfig(directory, socket));
  start('slurmctld', ['-D', '-f', config]);
  for (const [n, node] of NODES.entries()) {
    const command = ['slurmd', '-D', '-N', node, '-f', config];
    const core = cores?.[n];
    // Jobs inherit the core of the program that starts them.
    if (core === undefined) start(command[0] as string, command.slice(1));
    else start('taskset', ['--cpu-list', String(core), ...command]);
  }
  const run: RunSlurm = (program, args, env = {}) =>
    execFileSync(program, args, { encoding: 'utf8', env: { ...process.env, ...env, SLURM_CONF: config } });
  for (const end = Date.now() + 200_000; ; await setTimeout(500)) {
    if (isReady(run)) return run;
    if (Date.now() > end) throw new Error(`The nodes of Slurm are not ready; see ${directory}`);
  }
}

async function createConfig(directory: string, socket: string): Promise<string> {
  const host = execFileSync('hostname', ['-s'], { encoding: 'utf8' }).trim();
  const [controller, first, second] = [await freePort(), await freePort(), await freePort()];
  return `ClusterName=microfiche
SlurmctldHost=${host}(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket=${socket}
SlurmUser=root
SlurmctldPort=${controller}
SlurmdSpoolDir=${directory}/spool-%n
StateSaveLocation=${directory}/state
SlurmctldPidFile=${directory}/controller.pid
SlurmdPidFile=${directory}/%n.pid
SlurmctldLogFile=${directory}/controller.log
SlurmdLogFile=${directory}/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
ReturnToService=2
MpiDefault=none
NodeName=${NODES[0]} NodeHostname=${host} NodeAddr=127.0.0.1 Port=${first} CPUs=1 RealMemory=8000 State=UNKNOWN
NodeName=${NODES[1]} NodeHostname=${host} NodeAddr=127.0.0.1 Port=${second} CPUs=1 RealMemory=8000 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
`;
}

function isReady(run: RunSlurm): boolean {
  try {
    return run('sinfo', ['--noheader', '--format=%T %D']).trim() === 'idle 2';
  } catch {
    return false; // the controller does not accept connections yet
  }
}

/** Starts munge, which authenticates the parts of Slurm to each other. Returns its socket. */
async function startMunge(directory: string, start: (program: string, args: string[]) => void): Promise<string> {
  mkdirSync(directory, { mode: 0o755 });
  const key = join(directory, 'key');
  writeFileSync(key, randomBytes(1024), { mode: 0o600 });
  const id = (flag: string) => Number(execFileSync('id', [flag, 'munge'], { encoding: 'utf8' }));
  for (const path of [directory, key]) chownSync(path, id('-u'), id('-g'));
  chmodSync(join(directory, '..'), 0o755);
  const socket = join(directory, 'socket');
  const options = [`--key-file=${key}`, `--socket=${socket}`, `--pid-file=${directory}/pid`, `--seed-file=${directory}/seed`];
  start('runuser', ['-u', 'munge', '--', 'munged', '--foreground', `--log-file=${directory}/log`, ...options]);
  for (const end = Date.now() + 100_000; !existsSync(socket); await setTimeout(50))
    if (Date.now() > end) throw new Error(`munged has not started; see ${directory}`);
  return socket;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.on('exit', resolve));
  child.kill('SIGTERM');
  await Promise.race([ended, setTimeout(5_000, undefined, { ref: false })]);
  child.kill('SIGKILL');
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
