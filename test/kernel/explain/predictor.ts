// A client that reads only the API's response and predicts the next journal entry. The engine then makes the prediction
// happen, and both are compared.
import type { ApiExplanation } from "#wire/explanation/shape.ts";

export type Prediction =
  /** The entry happens automatically, or by the actor that holds the work. */
  | { readonly brings: "time"; readonly at: string; readonly entry: Entry }
  | { readonly brings: "runner"; readonly run: string; readonly entry: Entry }
  /** The entry needs an input from outside. */
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

/** The result of an event that arrived now: accepted, kept, refused with a code, or dependent on its content. */
export function fateOf(answer: ApiExplanation, type: string): string {
  const wait = answer.waits.find((each) => each.for === "event" && each.event === type);
  if (wait?.for === "event") return wait.would;
  const other = answer.notNow.find(({ event }) => event === type);
  return other === undefined ? "event_unknown" : (other.code ?? other.would);
}
