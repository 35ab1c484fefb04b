// Calls a cell. What the platform says of a call that did not get through becomes a refusal; anything else is a bug
// and goes on as the exception it is.
import { refuse, type Result } from "#schema/refusal.ts";
import { passingTrouble, type Passing } from "./passing.ts";

/**
 * Every input carries an id that its cell remembers, so asking again is harmless. One new try is enough for an object
 * that was moved, reset or broke off, or whose code was just replaced; an overloaded one is left alone.
 */
export async function reach<T>(call: () => Promise<T>, whose = "execution"): Promise<Result<T>> {
  try {
    return { ok: true, value: await call() };
  } catch (error) {
    const trouble = passingTrouble(error);
    if (trouble === null) throw error;
    return trouble.why === "overloaded" ? unavailable(trouble, whose) : reachAgain(call, whose);
  }
}

async function reachAgain<T>(call: () => Promise<T>, whose: string): Promise<Result<T>> {
  try {
    return { ok: true, value: await call() };
  } catch (error) {
    const trouble = passingTrouble(error);
    if (trouble === null) throw error;
    return unavailable(trouble, whose);
  }
}

function unavailable(details: Passing, whose: string) {
  return refuse({
    code: "unavailable",
    message: `The ${whose}'s object ${says[details.why]} just now.`,
    hint: "Send the same request again with the same Idempotency-Key; nothing is done twice.",
    details,
  });
}

const says: { readonly [why in Passing["why"]]: string } = {
  overloaded: "is overloaded",
  moving: "is being moved or replaced",
  reset: "is being reset by the platform",
  broken_off: "cannot be reached, or the platform broke its answer off,",
};
