// Preconditions of a write: decides whether a resource is in the state that the client expects.
import type { Precondition } from "#schema/configuration/precondition.ts";

/** `tag` identifies the current content of the resource; null if the resource does not exist. */
export function isMet(precondition: Precondition, tag: string | null): boolean {
  switch (precondition.kind) {
    case "none":
      return true;
    case "exists":
      return tag !== null;
    case "absent":
      return tag === null;
    case "matches":
      return tag !== null && precondition.tags.includes(tag);
  }
}
