// The next journal entry, found by making the step that would write it: a tick at the next wake, the claim and the
// settlement of what is in hand. What comes next is what comes if nobody outside does anything; where nothing would, it is
// told who could bring something. Nothing is kept of the steps.
import type { Bringer, Foreseen } from "#schema/engine/explanation.ts";
import type { Command } from "#schema/engine/input.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Quarantined } from "#schema/engine/quarantine.ts";
import type { Run } from "#schema/engine/run.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import { FORESEEN_RUNS_MAX, FORESEEN_WAKES_MAX } from "#schema/limits/explaining.ts";
import { STEP_WORK_MAX } from "#schema/limits/kernel.ts";
import { nextWake } from "../execution/clock.ts";
import { childErrands, childErrandsAt } from "../execution/children/child-requests.ts";
import { enlistAt } from "../execution/outbox/correlation-key.ts";
import { signalAt } from "../execution/outbox/child-ended.ts";
import { subjectAt } from "../execution/outbox/subject-ended.ts";
import { step, type Stepped } from "../execution/step.ts";
import { errandsAt, errandsOf } from "../execution/tasks/task-updates.ts";
import { overdueAt, resendAt } from "../execution/waited-until.ts";
import type { Known } from "./known.ts";
import { aboutOf, sequel } from "./entry-lines.ts";

/** Of all steps that are made for one answer together. */
type Purse = { left: number };

export function foresee(known: Known): readonly Foreseen[] {
  const { quarantined, now, state } = known;
  if (quarantined) return [apartUntil(quarantined)];
  const purse: Purse = { left: STEP_WORK_MAX };
  const inHand = [...heldInHand(known, purse), ...told(known)];
  const timely = known.suspended ? [] : byTime(known, purse);
  const isDue = timely.some(({ at }) => Number(at) <= now);
  const own = isDue ? [...timely, ...inHand] : [...inHand, ...timely];
  return [...own, ...(isFinalStatus(state.status) ? [] : freed(known, purse))];
}

/** Its cell does not step it; then it is tried again. */
export function apartUntil({ lookAt }: Quarantined): Foreseen {
  return { ...nothing("time"), earliest: lookAt };
}

export function nothing(by: Bringer): Foreseen {
  return { kind: null, about: {}, by, at: null, earliest: null, latest: null, assumes: null, with: [], more: 0 };
}

/** What time alone brings, as far ahead as anybody looks. */
function byTime({ program, state, now }: Known, purse: Purse): readonly Foreseen[] {
  let [at, clock] = [state, now];
  for (let wakes = 0; wakes < FORESEEN_WAKES_MAX; wakes += 1) {
    const wake = nextWake(at, clock);
    if (wake === null) return [];
    clock = Math.max(clock, wake);
    const made = attempt({ program, state: at, now: clock, suspended: false }, { kind: "tick" }, purse);
    if (made === null) return [];
    if (made.effects.some(({ kind }) => kind === "purge")) return [{ ...nothing("retention"), at: clock }];
    // Whoever observes is taken to answer.
    if (made.entries[0]?.kind === "collector_failed") return [];
    if (made.entries.length > 0) return firstOf(made, "time", { at: clock });
    // Of a reconciler that has looked in vain something else may come.
    if (made.state === at && !(Number(nextWake(at, clock)) > clock)) return [];
    at = made.state;
  }
  return [];
}

/** Runs that are on their way to somebody, and those that somebody carries out: one entry is theirs to bring. */
function heldInHand(known: Known, purse: Purse): readonly Foreseen[] {
  const { runs } = known.state;
  const queued = runs.filter(({ status }) => status === "queued");
  const running = runs.filter(({ status }) => status === "running");
  return [
    ...queued.slice(0, FORESEEN_RUNS_MAX).flatMap((run) => claimed(known, run, purse)),
    ...running.slice(0, FORESEEN_RUNS_MAX).flatMap((run) => settled(known, run, purse)),
  ];
}

function claimed(known: Known, run: Run, purse: Purse): readonly Foreseen[] {
  const { id, attempt: number, lane } = run;
  const made = attempt(known, { kind: "claim", run: id, attempt: number, lane: lane ?? "queue" }, purse);
  return firstOf(made, "runner", { latest: resendAt(run) });
}

/** Both ways: nobody knows yet how it ends. */
function settled(known: Known, run: Run, purse: Purse): readonly Foreseen[] {
  const span = { startedAt: known.now, endedAt: known.now };
  const ends: readonly ["ok" | "failed", Outcome][] = [
    ["ok", { ok: true, result: null, events: [], ...span }],
    ["failed", { ok: false, error: UNAVAILABLE, ...span }],
  ];
  return ends.flatMap(([assumes, outcome]) => {
    const made = attempt(known, { kind: "settle", run: run.id, attempt: run.attempt, outcome }, purse);
    return firstOf(made, "runner", { latest: overdueAt(run), assumes });
  });
}

const UNAVAILABLE = { type: "service_unavailable", message: "assumed", retryable: true };

/** Others of the engine who were told something and confirm it. */
function told({ state }: Known): readonly Foreseen[] {
  const by = (by: Bringer, kind: JournalEntry["kind"], about: Foreseen["about"], latest: number | null): Foreseen => ({
    ...nothing(by),
    kind,
    about,
    latest,
  });
  const { owed, enlisting } = state;
  const [errand] = errandsOf(state);
  const child = childErrands(state).find(({ kind }) => kind === "cancel");
  const [enlistedBy, subjectBy] = [enlistAt(state), subjectAt(state)];
  return [
    ...(subjectBy === null ? [] : [by("subject", "subject_told", {}, subjectBy)]),
    ...(enlisting && enlistedBy !== null ? [by("directory", "enlisted", { key: enlisting.key }, enlistedBy)] : []),
    ...(owed ? [by("parent", "parent_told", { parent: owed.parent }, signalAt(state))] : []),
    ...(child ? [by("child", "child_settled", { run: child.run }, childErrandsAt(state))] : []),
    ...(errand ? [by("lists", "errand_done", { run: errand.run, errand: errand.kind }, errandsAt(state))] : []),
  ];
}

/** What follows once a pause or a suspension is over. */
function freed(known: Known, purse: Purse): readonly Foreseen[] {
  if (known.state.status === "paused") {
    return firstOf(attempt(known, { kind: "resume", reason: null, ...ASSUMED }, purse), "person");
  }
  if (!known.suspended) return [];
  return byTime({ ...known, suspended: false }, purse).map((each) => ({
    ...each,
    by: "tenant" as const,
    at: null,
    earliest: each.at,
  }));
}

/** An id that no key of a caller's looks like: they have no spaces. */
const ENGINE = { kind: "engine", id: "engine" } as const;
/** No request has this id. */
export const ASSUMED_INPUT_ID = "assumed by nobody";
const ASSUMED = { inputId: ASSUMED_INPUT_ID, fingerprint: "", unkeyed: true, actor: ENGINE } as const;

/** None of a step that was not made. */
function firstOf(made: Stepped | null, by: Bringer, more: Partial<Foreseen> = {}): readonly Foreseen[] {
  const { entries } = made ?? { entries: [] };
  return entries.slice(0, 1).map((first) => ({
    ...nothing(by),
    kind: first.kind,
    about: aboutOf(first),
    ...more,
    ...sequel(entries),
  }));
}

type From = Pick<Known, "program" | "now" | "suspended"> & { readonly state: ExecutionState };

/** Which lane it takes is the cell's to say. null: refused, or broken, or more than one answer may cost. */
function attempt({ program, state, now, suspended }: From, command: Command, purse: Purse): Stepped | null {
  if (purse.left <= 0) return null;
  try {
    const made = step(program, state, { ...command, now, room: 0, ...(suspended ? { suspended } : {}) });
    if (!made.ok) return null;
    purse.left -= made.work;
    return made;
  } catch {
    return null; // a step that breaks is its cell's to set apart, and not this answer's
  }
}
