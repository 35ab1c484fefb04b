// The process that hosts the engine has little to do for most of its life, and is to hold little. How it allocates is read
// once, when a process begins: so it begins a second time, under the same number, before anything is loaded into it.

/**
 * With this said, glibc keeps to its own default. Otherwise it goes by the largest block that was ever let go of: whatever is
 * smaller comes from its heap from then on, of which only the end is given back. That was 90 to 250 megabytes.
 */
const TRIM = { MALLOC_TRIM_THRESHOLD_: "131072" };
/** V8 then collects earlier, and makes less ahead: 25 megabytes. */
const SMALL = "--optimize-for-size";

export type Begun = Pick<NodeJS.Process, "platform" | "env" | "execPath" | "execArgv" | "argv" | "connected">;
export type Beginning = { readonly words: readonly string[]; readonly env: NodeJS.ProcessEnv };

/** null: it is frugal already, or would lose something, or nobody has measured that it helps. */
export function secondBeginning({ platform, env, execPath, execArgv, argv, connected }: Begun): Beginning | null {
  if (platform !== "linux" || Object.keys(TRIM).some((name) => name in env)) return null;
  // A channel to whoever forked it would not survive.
  if (connected) return null;
  return { words: [execPath, SMALL, ...execArgv, ...argv.slice(1)], env: { ...env, ...TRIM } };
}

export function becomeFrugal(): void {
  const again = secondBeginning(process);
  if (again !== null) process.execve?.(process.execPath, again.words, again.env);
}
