// Waiting for an engine that may be dead just now.
import { setTimeout as pause } from "node:timers/promises";

/** A lost message is sent again after a minute; the rest is what it then takes, on a slow machine. */
const REPAIRED_WITHIN_MS = 150_000;
const LOOKS_EVERY_MS = 100;

/** Until somebody answers: the engine may be dead just now. */
export async function insist(ask: () => Promise<unknown>): Promise<unknown> {
  let answer: unknown = null;
  await until("an answer", async () => {
    answer = await ask();
    return answer !== null;
  });
  return answer;
}

export async function until(what: string | (() => string), isSo: () => Promise<boolean>): Promise<void> {
  if (await isSoWithin(REPAIRED_WITHIN_MS, isSo)) return;
  throw new Error(`waited in vain for ${typeof what === "string" ? what : what()}`);
}

/** False: it was not so in all that time. */
export async function isSoWithin(ms: number, isSo: () => Promise<boolean>): Promise<boolean> {
  const end = performance.now() + ms;
  while (!(await isSo())) {
    if (performance.now() > end) return false;
    await pause(LOOKS_EVERY_MS);
  }
  return true;
}
