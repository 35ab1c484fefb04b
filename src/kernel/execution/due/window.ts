// What holds a run whose window is closed: it goes back in line until the window opens, keeps no slot and spends no attempt.
// The window holds what is sent, not the process: whoever waits for the run waits with it, whatever is planned after it
// counts from when it was due.
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
 * The run as it goes on, or null: it waits for its window, or has ended because that opens when it is not wanted any more.
 * What this attempt has set going before is looked after at any hour.
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

/** What it does with a run that comes to it; `until`: when that then goes. */
type Said = { readonly would: "pass" | "hold" | "skip"; readonly until: number | null };

/** What its window would say at that instant, as things stand; null where it is not asked, or nobody can tell. */
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

/** The crowd is parted from the opening on: within the spread, before it closes again, and while it is wanted. */
function goesAt({ state }: Step, run: Run, { spread = 0 }: Window, { opens, closes }: Opening, latest: number): number {
  const room = Math.min(durationMs(spread), closes - opens, latest - opens + 1);
  return opens + Math.floor(placeOf(state.id, run.id) * room);
}

type Zone =
  /** `unknown`: what its rule gave instead. */
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

/** Once a run: it may be asked at each attempt. */
function noteUnknown(step: Step, run: Run, value: Json, taken: string): Run {
  if (run.zoneUnknown === true) return run;
  const given = JSON.stringify(value).slice(0, ZONE_SHOWN_CHARS_MAX);
  note(step, { kind: "timezone_unknown", run: run.id, action: run.action, given, taken });
  return changeRun(step, run, { zoneUnknown: true });
}
