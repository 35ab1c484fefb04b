// Assumptions behind a virtual run's actions: derived from the journal, from the cause of each entry, timer and run. An
// action without assumptions follows from the start alone.
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { JourneyDefinition } from "#schema/definition/journey.ts";
import type { ExecutionState, Position } from "#schema/engine/state.ts";
import type { Assumption } from "#schema/virtual/expected.ts";
import { ASSUMPTIONS_LISTED_MAX } from "#schema/limits/planning/virtual-runs.ts";
import { planOf } from "../programs/journey/journey-plan.ts";
import type { Program } from "../execution/program.ts";

/** A list of assumptions, the most recent last. */
export type Why = readonly Assumption[];
export const SURE: Why = [];

export type Reasons = {
  readonly program: Program;
  /** The assumptions behind runs and timers, by id. */
  readonly made: Map<string, Why>;
  /** The run of each action that ended last. */
  readonly lastOf: Map<string, string>;
  /** The assumptions about the outcome of each ended run. */
  readonly ends: Map<string, Why>;
  /** The assumptions behind each active state or node (`places`) and each ended one (`left`), for joins. */
  readonly places: Map<string, Why>;
  readonly left: Map<string, Why>;
  /** The assumptions behind the latest move. */
  latest: Why;
};

export function openReasons(program: Program): Reasons {
  const empty = { made: new Map(), lastOf: new Map(), ends: new Map(), places: new Map(), left: new Map() };
  return { program, ...empty, latest: SURE };
}

/** Records the assumptions behind each entry of a step. `cause`: the assumptions of the input itself. */
export function learnReasons(
  reasons: Reasons,
  entries: readonly JournalEntry[],
  after: ExecutionState,
  cause: Why,
): void {
  for (const entry of entries) {
    learn(reasons, entry, after, cause);
    const moves = entry.kind === "patched" || entry.kind === "assigned" ? (entry.moves ?? []) : [];
    for (const { timer } of moves) reasons.made.set(timer, mergeReasons(whyOf(reasons.made, timer), cause));
  }
}

/** The assumptions behind a name. Empty for a name that existed from the start. */
export function whyOf(known: ReadonlyMap<string, Why>, name: string): Why {
  return known.get(name) ?? SURE;
}

function learn(reasons: Reasons, entry: JournalEntry, after: ExecutionState, cause: Why): void {
  if (entry.kind === "moved") move(reasons, entry, cause);
  if (entry.kind === "way_taken" && !reasons.left.has(entry.node)) reasons.left.set(entry.node, reasons.latest);
  if (entry.kind === "timer_armed") reasons.made.set(entry.timer, timerReason(reasons, entry.timer, after));
  if (entry.kind === "run_created") reasons.made.set(entry.run, runReason(reasons, entry.run, after, cause));
  if (entry.kind === "run_ok") end(reasons, entry, [{ kind: "succeeds", of: entry.action }]);
  if (entry.kind === "run_failed") {
    const isTried = after.runs.some(({ id, attempts }) => id === entry.run && attempts.length > 0);
    end(reasons, entry, isTried ? [{ kind: "fails", of: entry.action }] : SURE);
  }
  if (entry.kind === "run_skipped") end(reasons, entry, SURE);
}

function end(reasons: Reasons, { run, action }: { readonly run: string; readonly action: string }, said: Why): void {
  reasons.lastOf.set(action, run);
  reasons.ends.set(run, mergeReasons(whyOf(reasons.made, run), said));
}

function move(reasons: Reasons, { from, to, by }: Extract<JournalEntry, { kind: "moved" }>, cause: Why): void {
  const { places, left } = reasons;
  const [old, anew] = [placesIn(from ?? ""), placesIn(to)];
  const gone = old.filter((place) => !anew.includes(place));
  const ended = gone.length > 0 ? gone : old;
  const why = mergeReasons(...ended.map((place) => whyOf(places, place)), causeOf(reasons, by, cause));
  reasons.latest = why;
  for (const place of gone) {
    left.set(place, why);
    places.delete(place);
  }
  for (const place of anew.filter((each) => !old.includes(each))) {
    const joined = sourcesOf(reasons.program, place).map((source) => left.get(source) ?? SURE);
    places.set(place, mergeReasons(...joined, why));
  }
}

/** The nodes with an edge to this node. Empty for a machine's state. */
function sourcesOf({ definition }: Program, place: string): readonly string[] {
  if (definition.kind !== "journey") return [];
  const known = sources.get(definition) ?? sourcesIn(definition);
  sources.set(definition, known);
  return known.get(place) ?? [];
}

const sources = new WeakMap<JourneyDefinition, ReadonlyMap<string, readonly string[]>>();

function sourcesIn(definition: JourneyDefinition): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { out } of planOf(definition).nodes.values()) {
    for (const { from, to } of out) found.set(to, [...(found.get(to) ?? []), from]);
  }
  return found;
}

/**
 * The assumptions behind a timer. If another input could end the wait, the timer fires only because that input is
 * assumed absent ("silence").
 */
function timerReason({ program, places }: Reasons, id: string, { timers, position }: ExecutionState): Why {
  const states = timers.flatMap((timer) => (timer.id === id ? [timer.state] : []));
  const open = states.filter((state) => isOpen(program, state, position));
  const silence = open.map((state) => ({ kind: "silence" as const, of: state }));
  return mergeReasons(...states.map((state) => placeOf(places, state)), silence);
}

/** Whether an input from outside could end the wait in this state or node. */
function isOpen({ definition, waitsFor }: Program, state: string, position: Position): boolean {
  if (definition.kind !== "journey") return waitsFor(position).length > 0;
  return definition.nodes[state]?.type !== "delay";
}

function runReason(reasons: Reasons, id: string, { runs, triggers }: ExecutionState, cause: Why): Why {
  const { places } = reasons;
  const run = runs.find((each) => each.id === id);
  if (run?.boundTo != null) return placeOf(places, run.boundTo);
  const by = triggers.find(({ seq }) => seq === run?.trigger)?.message?.type;
  return mergeReasons(...places.values(), by === undefined ? cause : causeOf(reasons, by, cause));
}

/** The assumptions of a cause: the end of a run, a timer, or an input from outside. */
function causeOf({ ends, lastOf, made }: Reasons, by: string, cause: Why): Why {
  const action = /^action\.(.+)\.[a-z]+$/.exec(by)?.[1];
  if (action !== undefined) return whyOf(ends, String(lastOf.get(action)));
  return made.get(by) ?? cause;
}

/** The assumptions behind a state or node; for a compound state, those of its active states. */
function placeOf(places: Reasons["places"], place: string): Why {
  const inside = [...places].filter(([leaf]) => place === "" || `${leaf}.`.startsWith(`${place}.`));
  return mergeReasons(...inside.map(([, why]) => why));
}

function placesIn(text: string): readonly string[] {
  return text === "" ? [] : text.split(", ");
}

/** Merges lists of assumptions without duplicates. Keeps the most recent assumptions if there are too many. */
export function mergeReasons(...reasons: readonly Why[]): Why {
  const [first = SURE, ...more] = reasons.filter(({ length }) => length > 0);
  if (more.length === 0) return first;
  const each = new Map<string, Assumption>();
  for (const assumption of [first, ...more].flat()) {
    const { kind, of } = assumption;
    const key = `${kind} ${"as" in assumption ? assumption.as : ""} ${of}`;
    if (!each.has(key)) each.set(key, assumption);
  }
  return [...each.values()].slice(-ASSUMPTIONS_LISTED_MAX);
}
