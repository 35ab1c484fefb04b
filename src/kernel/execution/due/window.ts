// Windows: a run whose window is closed waits until it opens, without a slot and without using an attempt. The window
// delays what is sent, not the process: later instants still count from when the run was due.
import type { Window } from "#schema/definition/window.ts";
import type { Json } from "#schema/json.ts";
import { ZONE_SHOWN_CHARS_MAX } from "#schema/limits/kernel.ts";
import type { Run } from "#schema/engine/run.ts";
import { nextOpening, type Opening } from "../../calendar/opening.ts";
import { isZone } from "../../calendar/zone.ts";
import { evaluate } from "../../language/logic.ts";
import { part } from "../../computing/work.ts";
import { durationMs } from "../../language/timing.ts";
import type { ProgramAction } from "../../programs/program.ts";
import { placeOf } from "../chance.ts";
import { breakRun, skipRun } from "../endings.ts";
import { putBack } from "../hold.ts";
import { wantedUntil } from "../lateness.ts";
import { changeRun, note, scopeOfRun, zoneOf, type Step } from "../current-step.ts";

/**
 * The run if it may start; null if it waits for its window, or has ended because the window opens too late. An attempt
 * that already started work outside is checked at any hour.
 */
export function throughWindow(step: Step, run: Run, action: ProgramAction, attempt: number): Run | null {
  const { window } = action;
  if (window === undefined || isAtAnyHour(run, attempt)) return run;
  const zone = zoneFor(step, run, action, window);
  if (!zone.ok) {
    breakRun(step, run, zone.message);
    return null;
  }
  const asked = zone.unknown === undefined ? run : noteUnknown(step, run, zone.unknown, zone.name);
  const { would, until } = sayAt(step, asked, action, window, zone.name, step.now);
  if (would === "pass") return asked;
  if (until === null) skipRun(step, asked, "no_window");
  else putBack(step, asked, attempt, { reason: "window", until, connection: null });
  return null;
}

/** The effect of the window; `until`: when the run then starts. */
type Said = { readonly would: "pass" | "hold" | "skip"; readonly until: number | null };

/** The window's decision at that instant, from the present state; null if it is not evaluated, or cannot be. */
export function windowAt(step: Step, run: Run, action: ProgramAction, at: number): Said | null {
  const { window } = action;
  if (window === undefined || isAtAnyHour(run, run.attempt + (run.status === "queued" ? 0 : 1))) return null;
  const zone = zoneFor(step, run, action, window);
  return zone.ok ? sayAt(step, run, action, window, zone.name, at) : null;
}

function isAtAnyHour(run: Run, attempt: number): boolean {
  return run.underWay === attempt || run.atAnyHour === true;
}

function sayAt(step: Step, run: Run, action: ProgramAction, window: Window, zone: string, at: number): Said {
  const opening = part(step.work, () => nextOpening(window, zone, at, step.work));
  if (opening !== null && opening.opens <= at) return { would: "pass", until: null };
  const latest = wantedUntil(step, run, action);
  if (opening === null || opening.opens > latest) return { would: "skip", until: null };
  return { would: "hold", until: goesAt(step, run, window, opening, latest) };
}

/**
 * Spreads the waiting runs after the opening: within the spread, before the window closes, and before the run expires.
 */
function goesAt({ state }: Step, run: Run, { spread = 0 }: Window, { opens, closes }: Opening, latest: number): number {
  const room = Math.min(durationMs(spread), closes - opens, latest - opens + 1);
  return opens + Math.floor(placeOf(state.id, run.id) * room);
}

type Zone =
  /** `unknown`: the value of its rule that is not a zone. */
  | { readonly ok: true; readonly name: string; readonly unknown?: Json }
  | { readonly ok: false; readonly message: string };

function zoneFor(step: Step, run: Run, action: ProgramAction, { timezone }: Window): Zone {
  const otherwise = zoneOf(step, action);
  if (timezone === undefined) return { ok: true, name: otherwise };
  if (typeof timezone === "string") return { ok: true, name: timezone };
  const given = evaluate(timezone, scopeOfRun(step, run), step.work);
  if (!given.ok) return { ok: false, message: `the window's timezone cannot be evaluated: ${given.message}` };
  if (typeof given.value === "string" && isZone(given.value)) return { ok: true, name: given.value };
  return { ok: true, name: otherwise, unknown: given.value };
}

/** Recorded once per run, although the window may be checked at each attempt. */
function noteUnknown(step: Step, run: Run, value: Json, taken: string): Run {
  if (run.zoneUnknown === true) return run;
  const given = JSON.stringify(value).slice(0, ZONE_SHOWN_CHARS_MAX);
  note(step, { kind: "timezone_unknown", run: run.id, action: run.action, given, taken });
  return changeRun(step, run, { zoneUnknown: true });
}
