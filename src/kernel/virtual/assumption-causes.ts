// Causes of a virtual run's actions: for each action, the assumptions without which it would not happen. They are
// derived from the cause of each journal entry, timer and run. An action without assumptions follows from the start
// alone.
import { delaysOf } from "../execution/timers.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { JourneyDefinition } from "#schema/definition/journey.ts";
import type { ExecutionState, Position } from "#schema/engine/state.ts";
import type { Assumption } from "#schema/virtual/expected-actions.ts";
import { ASSUMPTIONS_LISTED_MAX } from "#schema/limits/planning/virtual-runs.ts";
import { planOf } from "../programs/journey/journey-plan.ts";
import type { Program } from "../execution/program.ts";
import { askedGuards } from "./asked-guards.ts";

/** A list of assumptions, the most recent one last. */
export type AssumptionList = readonly Assumption[];
export const NO_ASSUMPTIONS: AssumptionList = [];

export type AssumptionCauses = {
  readonly program: Program;
  /** The assumptions behind each run and timer, by its id. */
  readonly made: Map<string, AssumptionList>;
  /** For each action, the id of its run that ended last. */
  readonly lastOf: Map<string, string>;
  /** The assumptions about the outcomes of runs that have ended, by the run's id. */
  readonly ends: Map<string, AssumptionList>;
  /**
   * `places`: the assumptions behind each active state or node. `left`: the assumptions behind each one that has ended.
   * Joins need them.
   */
  readonly places: Map<string, AssumptionList>;
  readonly left: Map<string, AssumptionList>;
  /** The assumptions behind the current value of each variable that the virtual run has assigned. */
  readonly values: Map<string, AssumptionList>;
  /** The assumptions behind the values that a run's condition, config or validity reads, by the run's id. */
  readonly reads: Map<string, AssumptionList>;
  /** The assumptions behind the last change of the position. */
  latest: AssumptionList;
  /** The position before the step whose entries are recorded. Null before the start. */
  position: Position | null;
};

export function openCauses(program: Program): AssumptionCauses {
  const empty = { made: new Map(), lastOf: new Map(), ends: new Map(), places: new Map(), left: new Map() };
  return { program, ...empty, values: new Map(), reads: new Map(), latest: NO_ASSUMPTIONS, position: null };
}

/**
 * Records the assumptions behind each journal entry of a step. `cause`: the assumptions behind the input of the step.
 */
export function recordCauses(
  reasons: AssumptionCauses,
  entries: readonly JournalEntry[],
  after: ExecutionState,
  cause: AssumptionList,
): void {
  for (const entry of entries) {
    recordValues(reasons, entry, cause);
    recordCause(reasons, entry, after, cause);
    recordReads(reasons, entry, after);
    const moves = entry.kind === "patched" || entry.kind === "assigned" ? (entry.moves ?? []) : [];
    for (const { timer } of moves) reasons.made.set(timer, mergeAssumptions(assumptionsOf(reasons.made, timer), cause));
  }
  reasons.position = after.position;
}

/** The assumptions behind the state, node, run or timer with this name. Empty if it follows from the start alone. */
export function assumptionsOf(known: ReadonlyMap<string, AssumptionList>, name: string): AssumptionList {
  return known.get(name) ?? NO_ASSUMPTIONS;
}

function recordCause(
  reasons: AssumptionCauses,
  entry: JournalEntry,
  after: ExecutionState,
  cause: AssumptionList,
): void {
  if (entry.kind === "moved") recordMove(reasons, entry, cause);
  if (entry.kind === "edge_taken" && !reasons.left.has(entry.node)) reasons.left.set(entry.node, reasons.latest);
  if (entry.kind === "timer_armed") reasons.made.set(entry.timer, timerAssumptions(reasons, entry.timer, after));
  if (entry.kind === "run_created") reasons.made.set(entry.run, runAssumptions(reasons, entry.run, after, cause));
  if (entry.kind === "run_ok") recordRunEnd(reasons, entry, [{ kind: "succeeds", of: entry.action }]);
  if (entry.kind === "run_failed") {
    const isTried = after.runs.some(({ id, attempts }) => id === entry.run && attempts.length > 0);
    recordRunEnd(reasons, entry, isTried ? [{ kind: "fails", of: entry.action }] : NO_ASSUMPTIONS);
  }
  if (entry.kind === "run_skipped") recordRunEnd(reasons, entry, NO_ASSUMPTIONS);
}

/** The assumptions behind the values that the guards of a branch read. Empty for any other node. */
function assumptionsOfBranch({ program: { definition }, values }: AssumptionCauses, node: string): AssumptionList {
  const written = definition.kind === "journey" && definition.nodes[node];
  return written && "cases" in written ? assumptionsRead(values, written.cases) : NO_ASSUMPTIONS;
}

/** The assumptions behind the values that the guards of a move read. */
function assumptionsOfGuards({ program, values, position }: AssumptionCauses, by: string): AssumptionList {
  if (values.size === 0 || position === null) return NO_ASSUMPTIONS;
  return assumptionsRead(values, askedGuards(program, position, by));
}

/** Records the assumptions behind the variables that an input or a transition has assigned. */
function recordValues(reasons: AssumptionCauses, entry: JournalEntry, cause: AssumptionList): void {
  if (entry.kind !== "assigned" && entry.kind !== "patched") return;
  const why = entry.kind === "assigned" ? assumptionsOfCause(reasons, entry.by, cause) : cause;
  for (const name of Object.keys(entry.variables)) reasons.values.set(name, why);
}

/** Records what a run reads, when it is created (its delay), and when it is claimed or skipped (its other fields). */
function recordReads(reasons: AssumptionCauses, entry: JournalEntry, { runs }: ExecutionState): void {
  if (entry.kind !== "run_created" && entry.kind !== "run_claimed" && entry.kind !== "run_skipped") return;
  const { program, values, made, reads } = reasons;
  const action = program.actions.get(runs.find(({ id }) => id === entry.run)?.action ?? "");
  if (action === undefined || values.size === 0) return;
  const { delay, condition, config, validUntil, limit } = action;
  if (entry.kind === "run_created") {
    const written = typeof delay === "string" ? delaysOf({ program })[delay] : delay;
    made.set(entry.run, mergeAssumptions(assumptionsOf(made, entry.run), assumptionsRead(values, written)));
  } else {
    const read = assumptionsRead(values, [condition, config, validUntil, limit]);
    reads.set(entry.run, mergeAssumptions(assumptionsOf(reads, entry.run), read));
  }
}

const READ_VARIABLE = /execution\.variables(?:\.([\w-]+))?/g;

/** The assumptions behind the variables that these rules and templates name. All of them, if all variables are read. */
function assumptionsRead(values: AssumptionCauses["values"], written: unknown): AssumptionList {
  const text = values.size === 0 ? "" : (JSON.stringify(written) ?? "");
  const names = new Set([...text.matchAll(READ_VARIABLE)].map(([, name]) => name));
  return mergeAssumptions(
    ...[...values].flatMap(([name, why]) => (names.has(name) || names.has(undefined) ? [why] : [])),
  );
}

function recordRunEnd(
  reasons: AssumptionCauses,
  { run, action }: { readonly run: string; readonly action: string },
  said: AssumptionList,
): void {
  reasons.lastOf.set(action, run);
  reasons.ends.set(run, mergeAssumptions(assumptionsOf(reasons.made, run), said));
}

function recordMove(
  reasons: AssumptionCauses,
  { from, to, by }: Extract<JournalEntry, { kind: "moved" }>,
  cause: AssumptionList,
): void {
  const { places, left } = reasons;
  const [old, anew] = [placesIn(from ?? ""), placesIn(to)];
  const gone = old.filter((place) => !anew.includes(place));
  const ended = gone.length > 0 ? gone : old;
  const why = mergeAssumptions(
    ...ended.map((place) => assumptionsOf(places, place)),
    assumptionsOfCause(reasons, by, cause),
    assumptionsOfGuards(reasons, by),
  );
  reasons.latest = why;
  for (const place of gone) {
    left.set(place, why);
    places.delete(place);
  }
  for (const place of anew.filter((each) => !old.includes(each))) {
    const joined = sourcesOf(reasons.program, place).map((source) =>
      mergeAssumptions(left.get(source) ?? NO_ASSUMPTIONS, assumptionsOfBranch(reasons, source)),
    );
    places.set(place, mergeAssumptions(...joined, why));
  }
}

/** The nodes that have an edge to this node. Empty for a machine, because its states have no edges. */
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
 * The assumptions behind a timer. An input from outside might end the wait before the timer fires. If so, the list
 * includes the assumption that this input does not arrive ("silence").
 */
function timerAssumptions(
  { program, places }: AssumptionCauses,
  id: string,
  { timers, position }: ExecutionState,
): AssumptionList {
  const states = timers.flatMap((timer) => (timer.id === id ? [timer.state] : []));
  const open = states.filter((state) => canEndFromOutside(program, state, position));
  const silence = open.map((state) => ({ kind: "silence" as const, of: state }));
  return mergeAssumptions(...states.map((state) => assumptionsOfPlace(places, state)), silence);
}

/** Whether an input from outside could end the wait in this state or node. */
function canEndFromOutside({ definition, waitsFor }: Program, state: string, position: Position): boolean {
  if (definition.kind !== "journey") return waitsFor(position).length > 0;
  return definition.nodes[state]?.type !== "delay";
}

function runAssumptions(
  reasons: AssumptionCauses,
  id: string,
  { runs, triggers }: ExecutionState,
  cause: AssumptionList,
): AssumptionList {
  const { places } = reasons;
  const run = runs.find((each) => each.id === id);
  if (run?.boundTo != null) return assumptionsOfPlace(places, run.boundTo);
  const by = triggers.find(({ seq }) => seq === run?.trigger)?.message?.type;
  return mergeAssumptions(...places.values(), by === undefined ? cause : assumptionsOfCause(reasons, by, cause));
}

/** The assumptions behind the cause of an entry, which is the end of a run, a timer, or an input from outside. */
function assumptionsOfCause(
  { ends, lastOf, made }: AssumptionCauses,
  by: string,
  cause: AssumptionList,
): AssumptionList {
  const action = /^action\.(.+)\.[a-z]+$/.exec(by)?.[1];
  if (action !== undefined) return assumptionsOf(ends, String(lastOf.get(action)));
  return made.get(by) ?? cause;
}

/** The assumptions behind a state or node. For a compound state, the assumptions behind its active states. */
function assumptionsOfPlace(places: AssumptionCauses["places"], place: string): AssumptionList {
  const inside = [...places].filter(([leaf]) => place === "" || `${leaf}.`.startsWith(`${place}.`));
  return mergeAssumptions(...inside.map(([, why]) => why));
}

function placesIn(text: string): readonly string[] {
  return text === "" ? [] : text.split(", ");
}

/** Merges lists of assumptions, each assumption once. If there are too many, only the most recent ones are kept. */
export function mergeAssumptions(...reasons: readonly AssumptionList[]): AssumptionList {
  const [first = NO_ASSUMPTIONS, ...more] = reasons.filter(({ length }) => length > 0);
  if (more.length === 0) return first;
  const each = new Map<string, Assumption>();
  for (const assumption of [first, ...more].flat()) {
    const { kind, of } = assumption;
    const key = `${kind} ${"as" in assumption ? assumption.as : ""} ${of}`;
    if (!each.has(key)) each.set(key, assumption);
  }
  return [...each.values()].slice(-ASSUMPTIONS_LISTED_MAX);
}
