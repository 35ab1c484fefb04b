// The agenda of a virtual run: the inputs from outside that are still to come, by instant. Inputs of one instant are in
// the order of insertion.
import type { EventMessage } from "#schema/engine/event.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { AssumedInput } from "#schema/virtual/assumptions.ts";
import type { Assumption } from "#schema/virtual/expected-actions.ts";

export type AgendaInput =
  | { readonly kind: "settle"; readonly run: string; readonly attempt: number; readonly outcome: Outcome }
  /** The assumed end of a task or a child, as the event that the engine would send. */
  | { readonly kind: "told"; readonly event: EventMessage; readonly assumes: Assumption }
  /** An input that the client lists in `given`. `n`: the index of the input in that list. */
  | { readonly kind: "given"; readonly given: AssumedInput; readonly n: number };

export type AgendaEntry = { readonly at: number; readonly coming: AgendaInput };
export type Agenda = AgendaEntry[];

export function addToAgenda(agenda: Agenda, at: number, coming: AgendaInput): void {
  let place = agenda.length;
  while (place > 0 && Number(agenda[place - 1]?.at) > at) place -= 1;
  agenda.splice(place, 0, { at, coming });
}
