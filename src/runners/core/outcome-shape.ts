// Outcome shapes: checks whether a runner's result is an outcome. A plain success, the usual case, is checked directly;
// anything else by the schema.
import { isJson } from "#schema/json.ts";
import { outcome, type Outcome } from "#schema/engine/outcome.ts";

/** null: not an outcome. */
export function outcomeShape(made: unknown): Outcome | null {
  if (isPlainSuccess(made)) return made;
  const parsed = outcome.safeParse(made);
  return parsed.success ? parsed.data : null;
}

type PlainSuccess = Extract<Outcome, { ok: true }>;
/** Only these members. */
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

/** The schema would remove further members. */
function isPlainEvent(made: unknown): boolean {
  if (!isObject(made) || Object.keys(made).length !== 2) return false;
  const { type, payload } = made;
  return typeof type === "string" && type !== "" && payload !== undefined;
}

function isObject(made: unknown): made is { readonly [name: string]: unknown } {
  return made !== null && typeof made === "object" && !Array.isArray(made);
}
