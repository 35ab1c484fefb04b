// Waiting: repeats a request or a check until it succeeds, because the engine may be down.
import { setTimeout as pause } from "node:timers/promises";

/** The time limit of a wait: the engine resends a lost message after a minute, and a slow machine needs the rest. */
const REPAIRED_WITHIN_MS = 150_000;
const LOOKS_EVERY_MS = 100;

/** Repeats the request until it is answered. */
export async function repeatUntilAnswered(ask: () => Promise<unknown>): Promise<unknown> {
  let answer: unknown = null;
  await waitUntil("an answer", async () => {
    answer = await ask();
    return answer !== null;
  });
  return answer;
}

export async function waitUntil(what: string | (() => string), isSo: () => Promise<boolean>): Promise<void> {
  if (await becomesTrueWithin(REPAIRED_WITHIN_MS, isSo)) return;
  throw new Error(`timed out waiting for ${typeof what === "string" ? what : what()}`);
}

/** Returns whether the condition became true within `ms`. */
export async function becomesTrueWithin(ms: number, isSo: () => Promise<boolean>): Promise<boolean> {
  const end = performance.now() + ms;
  while (!(await isSo())) {
    if (performance.now() > end) return false;
    await pause(LOOKS_EVERY_MS);
  }
  return true;
}
