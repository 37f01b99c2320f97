/** An error that a user can act on: one sentence that says what to do, shown without a stack trace. */
export class UserError extends Error {
  override name = 'UserError';
}

/** The one sentence behind any error that reached the top: a user's message as it is, the system's common codes in words. */
export function explain(error: unknown): string {
  if (error instanceof UserError) return error.message;
  const code = codeOf(error);
  if (code === 'ENOSPC' || (error instanceof Error && /database or disk is full/.test(error.message)))
    return 'The disk is full: free some space, then run the same command again; it goes on where it stopped.';
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return `No permission to write ${pathOf(error)}: choose another folder, or change its permissions.`;
  if (code === 'EADDRINUSE') return 'The port is in use: name another one with --port, or --port 0 for any free one.';
  return error instanceof Error ? error.message : String(error);
}

/** Whether the error says something that a user can act on; anything else is a defect of ours and deserves its stack trace. */
export function isExpected(error: unknown): boolean {
  const code = codeOf(error);
  return (
    error instanceof UserError ||
    (code !== undefined && ['ENOSPC', 'EACCES', 'EPERM', 'EROFS', 'EADDRINUSE'].includes(code)) ||
    (error instanceof Error && /database or disk is full/.test(error.message))
  );
}

function codeOf(error: unknown): string | undefined {
  for (let e = error; e instanceof Error; e = e.cause) {
    if ('code' in e && typeof e.code === 'string') return e.code;
  }
  return undefined;
}

function pathOf(error: unknown): string {
  return error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : 'there';
}
