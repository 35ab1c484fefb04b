// Another program, which knows nothing but the API's answer: it says what the next journal entry will be. The engine then
// really takes what it says, and the two are compared.
import type { ApiExplanation } from "#wire/explanation/shape.ts";

export type Prediction =
  /** By itself, or by whoever has it in hand. */
  | { readonly brings: "time"; readonly at: string; readonly entry: Entry }
  | { readonly brings: "runner"; readonly run: string; readonly entry: Entry }
  /** Nothing comes before somebody outside does something. */
  | { readonly brings: "event"; readonly types: readonly string[]; readonly entry: Entry }
  | { readonly brings: "request"; readonly entry: Entry }
  | { readonly brings: "nothing"; readonly until: string | null };
type Entry = { readonly kind: string; readonly about: { readonly [field: string]: unknown } };

export function predict(answer: ApiExplanation): Prediction {
  const { kind, about, by, at, earliest, events = [] } = answer.next;
  if (kind === null) return { brings: "nothing", until: at ?? earliest };
  const entry = { kind, about };
  if (by === "runner") return { brings: "runner", run: String(about["run"]), entry };
  if (by === "event") return { brings: "event", types: events, entry };
  return at === null ? { brings: "request", entry } : { brings: "time", at, entry };
}

/** What would be answered to an event that came now: taken, kept, refused with a code, or nobody can tell without seeing it. */
export function fateOf(answer: ApiExplanation, type: string): string {
  const wait = answer.waits.find((each) => each.for === "event" && each.event === type);
  if (wait?.for === "event") return wait.would;
  const other = answer.notNow.find(({ event }) => event === type);
  return other === undefined ? "event_unknown" : (other.code ?? other.would);
}
