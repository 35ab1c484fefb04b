// What is still to come in a virtual run from the world outside, the earliest first; of one instant, in the order in which
// it was put there.
import type { EventMessage } from "#schema/engine/event.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Given } from "#schema/virtual/assumptions.ts";
import type { Assumption } from "#schema/virtual/expected.ts";

export type Coming =
  | { readonly kind: "settle"; readonly run: string; readonly attempt: number; readonly outcome: Outcome }
  /** What the engine tells of a task or a child, which is assumed. */
  | { readonly kind: "told"; readonly event: EventMessage; readonly assumes: Assumption }
  /** `n`: the how manieth of those that are given. */
  | { readonly kind: "given"; readonly given: Given; readonly n: number };

export type Due = { readonly at: number; readonly coming: Coming };
export type Agenda = Due[];

export function put(agenda: Agenda, at: number, coming: Coming): void {
  let place = agenda.length;
  while (place > 0 && Number(agenda[place - 1]?.at) > at) place -= 1;
  agenda.splice(place, 0, { at, coming });
}
