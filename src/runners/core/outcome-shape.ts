// Outcome validation: checks whether a runner's result is a valid outcome. A plain success is the most common result,
// so it is checked without the schema, which is slower.
import { isJson } from "#schema/json.ts";
import { outcome, type Outcome } from "#schema/engine/outcome.ts";

/** Returns the outcome, or null if the value is not one. */
export function parseOutcome(made: unknown): Outcome | null {
  if (isPlainSuccess(made)) return made;
  const parsed = outcome.safeParse(made);
  return parsed.success ? parsed.data : null;
}

type PlainSuccess = Extract<Outcome, { ok: true }>;
/** The only fields of a plain success. */
const MEMBERS: ReadonlySet<string> = new Set<keyof PlainSuccess>([
  "ok",
  "result",
  "events",
  "startedAt",
  "endedAt",
  "metadata",
]);

function isPlainSuccess(made: unknown): made is PlainSuccess {
  if (!isObject(made) || !isJson(made) || !Object.keys(made).every((name) => MEMBERS.has(name))) return false;
  const { ok, result, events, startedAt, endedAt, metadata = {} } = made;
  if (ok !== true || result === undefined || typeof startedAt !== "number" || typeof endedAt !== "number") return false;
  return Array.isArray(events) && events.every(isPlainEvent) && isObject(metadata);
}

/**
 * Returns true for an event with exactly these two fields. An event with more fields goes through the schema, which
 * removes the additional fields.
 */
function isPlainEvent(made: unknown): boolean {
  if (!isObject(made) || Object.keys(made).length !== 2) return false;
  const { type, payload } = made;
  return typeof type === "string" && type !== "" && payload !== undefined;
}

function isObject(made: unknown): made is { readonly [name: string]: unknown } {
  return made !== null && typeof made === "object" && !Array.isArray(made);
}
