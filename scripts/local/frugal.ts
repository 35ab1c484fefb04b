// Memory settings of the host process: it is idle most of the time and should use little memory. Allocator settings
// apply at process start only, so the process replaces itself once (execve) before it loads other modules.

/**
 * Keeps glibc's default trim threshold. Otherwise glibc raises it to the largest freed block and returns less memory to
 * the system: 90 to 250 megabytes in measurements.
 */
const TRIM = { MALLOC_TRIM_THRESHOLD_: "131072" };
/** V8 collects garbage earlier and reserves less memory: 25 megabytes less in measurements. */
const SMALL = "--optimize-for-size";

export type Begun = Pick<NodeJS.Process, "platform" | "env" | "execPath" | "execArgv" | "argv" | "connected">;
export type Beginning = { readonly words: readonly string[]; readonly env: NodeJS.ProcessEnv };

/**
 * Returns the command that restarts the process. Null if it was restarted already, has an IPC channel, or runs on a
 * system where the effect was not measured.
 */
export function secondBeginning({ platform, env, execPath, execArgv, argv, connected }: Begun): Beginning | null {
  if (platform !== "linux" || Object.keys(TRIM).some((name) => name in env)) return null;
  // An IPC channel to the parent process would be lost.
  if (connected) return null;
  return { words: [execPath, SMALL, ...execArgv, ...argv.slice(1)], env: { ...env, ...TRIM } };
}

export function becomeFrugal(): void {
  const again = secondBeginning(process);
  if (again !== null) process.execve?.(process.execPath, again.words, again.env);
}
