// Calls a cell. What the platform says of a call that did not get through becomes a refusal; anything else is a bug
// and goes on as the exception it is.
import { refuse, type Result } from "#schema/refusal.ts";

/**
 * Every input carries an id that its cell remembers, so asking again is harmless. One new try is enough for an object
 * that was moved or whose code was just replaced; an overloaded one is left alone.
 */
export async function reach<T>(call: () => Promise<T>, whose = "execution"): Promise<Result<T>> {
  try {
    return { ok: true, value: await call() };
  } catch (error) {
    if (!isPassing(error)) throw error;
    if (error.overloaded !== true) return reachAgain(call, whose);
    return unavailable("overloaded", whose);
  }
}

async function reachAgain<T>(call: () => Promise<T>, whose: string): Promise<Result<T>> {
  try {
    return { ok: true, value: await call() };
  } catch (error) {
    if (!isPassing(error)) throw error;
    return unavailable(error.overloaded === true ? "overloaded" : "moving", whose);
  }
}

function unavailable(why: "overloaded" | "moving", whose: string) {
  return refuse({
    code: "unavailable",
    message: `The ${whose}'s object is ${why === "moving" ? "being moved or replaced" : "overloaded"} just now.`,
    hint: "Send the same request again with the same Idempotency-Key; nothing is done twice.",
    details: { why },
  });
}

/** The flags the runtime sets on exceptions that are about the way to an object, not about its answer. */
function isPassing(error: unknown): error is { readonly overloaded?: unknown; readonly retryable?: unknown } {
  if (typeof error !== "object" || error === null) return false;
  const flags = error as { readonly overloaded?: unknown; readonly retryable?: unknown }; // read, not trusted
  return flags.overloaded === true || flags.retryable === true;
}
