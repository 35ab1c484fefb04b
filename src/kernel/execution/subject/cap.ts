// The cap of a run, computed at its claim and passed in its ticket, so that the consumer can request a slot without the
// definition.
import type { ActionDefinition } from "#schema/definition/action.ts";
import type { Cap } from "#schema/definition/cap.ts";
import { isTimezone } from "#schema/definition/timing.ts";
import type { TicketCap } from "#schema/subject/cap.ts";
import type { Run } from "#schema/engine/run.ts";
import { evaluate } from "../../language/logic.ts";
import { durationMs } from "../../language/timing.ts";
import { scopeOfRun, type Step } from "../current-step.ts";

type Capped = ActionDefinition & { readonly cap?: Cap & { readonly name: string } };
export type FoundCap =
  | { readonly ok: true; readonly cap: TicketCap | null }
  | { readonly ok: false; readonly why: string };

export function capFor(step: Step, run: Run, { cap }: Capped): FoundCap {
  if (cap === undefined) return { ok: true, cap: null };
  const { subject } = step.state;
  // Never sent uncapped.
  if (!subject) return { ok: false, why: `it counts towards the cap ${cap.name}, but its execution has no subject` };
  const { name, max, over = "wait", per } = cap;
  const window =
    per === undefined
      ? ({ kind: "day", timezone: zoneOf(step, run, cap) } as const)
      : ({ kind: "rolling", ms: durationMs(per) } as const);
  return { ok: true, cap: { name, subject: subject.key, max, window, over } };
}

/** If the rule gives no zone, the definition's applies. */
function zoneOf(step: Step, run: Run, { timezone }: Cap): string {
  const usual = step.program.definition.timezone ?? "UTC";
  if (timezone === undefined || typeof timezone === "string") return timezone ?? usual;
  const found = evaluate(timezone, scopeOfRun(step, run), step.work);
  return found.ok && typeof found.value === "string" && isTimezone(found.value) ? found.value : usual;
}
