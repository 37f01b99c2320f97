/** Divides tasks over threads that run the same module. Each thread does one task at a time. */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { openThreadCalls, type Reply, toPostedError } from './thread-calls.ts';

/** What a thread runs. */
export interface ThreadProgram<Setting> {
  /** Path of a module that calls `doTasks` for this role. */
  module: string;
  role: string;
  /** What the thread needs for all of its tasks: it is copied. */
  setting: Setting;
  /** Whether the thread needs less than 1.8 GB of memory for any task. */
  isSmall?: boolean;
}

/** If a thread may use 2 GB or more, V8 lets its heap grow to four times what is in use between collections, else to twice. */
const SMALL = { maxOldGenerationSizeMb: 1_800 };

/**
 * Does tasks in up to `count` threads, which end with the last task.
 * @throws {Error} if a task fails, or if a thread ends before its task is done
 */
export async function runInThreads<Setting, Task extends object, Result, Progress extends object = never>(
  count: number,
  { module, role, setting, isSmall = false }: ThreadProgram<Setting>,
  tasks: readonly Task[],
  { onResult, onProgress }: { onResult?: (result: Result) => void; onProgress?: (progress: Progress) => void } = {},
): Promise<void> {
  const workers = Array.from(
    { length: Math.min(count, tasks.length) },
    () => new Worker(module, { workerData: { role, setting }, ...(isSmall ? { resourceLimits: SMALL } : {}) }),
  );
  let next = 0;
  try {
    await Promise.all(
      workers.map(async (worker) => {
        const send = openThreadCalls<Task, Result, Progress>(worker, onProgress);
        for (let task = tasks[next++]; task; task = tasks[next++]) {
          const result = await send(task);
          onResult?.(result as Result);
        }
      }),
    );
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

/**
 * In a thread of this role: does the tasks that are sent to it. `open` gets the setting, and returns the function that does a
 * task. Elsewhere, this does nothing.
 */
export function doTasks<Setting, Task, Result, Progress extends object = never>(
  role: string,
  open: (setting: Setting) => TaskFunction<Task, Result, Progress> | Promise<TaskFunction<Task, Result, Progress>>,
): void {
  const data = workerData as { role?: string; setting: Setting } | null;
  if (isMainThread || data?.role !== role) return;
  const opened = Promise.resolve(data.setting).then(open);
  parentPort?.on('message', ({ id, ...task }: Task & { id: number }) => {
    const reply = (outcome: Omit<Reply<Result>, 'id'>) => parentPort?.postMessage({ id, ...outcome });
    opened
      .then((doTask) => doTask(task as Task, (progress) => parentPort?.postMessage(progress)))
      .then(
        (result) => reply({ result }),
        (error: unknown) => reply({ failure: toPostedError(error) }),
      );
  });
}

/** Does a task. It may post its progress. */
type TaskFunction<Task, Result, Progress> = (task: Task, post: (progress: Progress) => void) => Result | Promise<Result>;
