// What the platform says of a call that did not get through to an object, told from a mistake of ours: it passes by
// itself, and the same input may be sent again. Where the runtime sets no flag, only its words tell.

export type Passing = {
  readonly why: "overloaded" | "moving" | "reset" | "broken_off";
  /** What the platform's own log has it under. */
  readonly reference?: string;
};

/** null: a bug, or nothing that is known. */
export function passingTrouble(error: unknown): Passing | null {
  if (!(error instanceof Error)) return null;
  const { message, overloaded, retryable, remote, durableObjectReset }: Thrown = error;
  if (overloaded === true) return { why: "overloaded" };
  if (retryable === true) return { why: "moving" };
  // Thrown by the object's own code.
  if (remote === true) return null;
  const hidden = HIDDEN.exec(message);
  if (hidden) return { why: "broken_off", ...(hidden[1] === undefined ? {} : { reference: hidden[1] }) };
  return durableObjectReset === true && BY_PLATFORM.test(message) ? { why: "reset" } : null;
}

/** The flags the runtime sets on exceptions that are about the way to an object, not about its answer. Read, not trusted. */
type Thrown = Error & {
  readonly overloaded?: unknown;
  readonly retryable?: unknown;
  readonly remote?: unknown;
  readonly durableObjectReset?: unknown;
};

/** What the runtime says instead of what it was, and of nothing that our code throws: out of files, a storage that does not open. */
const HIDDEN = /^internal error(?:$|; reference = (\w+))/;
/** An object that is reset by its own constructor's exception has that one's words. */
const BY_PLATFORM = /^(?:Durable Object|Internal error )/;
