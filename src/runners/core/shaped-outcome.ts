// Whether what a runner gave is an outcome. Almost always it is a plain success, which a look at it tells; whatever is
// anything else is the schema's to judge.
import { isJson } from "#schema/json.ts";
import { outcome as outcomeShape, type Outcome } from "#schema/engine/outcome.ts";

/** null: it is none. */
export function shapedOutcome(made: unknown): Outcome | null {
  if (isPlainSuccess(made)) return made;
  const parsed = outcomeShape.safeParse(made);
  return parsed.success ? parsed.data : null;
}

type PlainSuccess = Extract<Outcome, { ok: true }>;
/** No others than these. */
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

/** The schema would take whatever else it had off. */
function isPlainEvent(made: unknown): boolean {
  if (!isObject(made) || Object.keys(made).length !== 2) return false;
  const { type, payload } = made;
  return typeof type === "string" && type !== "" && payload !== undefined;
}

function isObject(made: unknown): made is { readonly [name: string]: unknown } {
  return made !== null && typeof made === "object" && !Array.isArray(made);
}
