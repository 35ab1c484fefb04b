// The explanation of an execution: its present state, its next journal entry, its waits, and work that was not done. A
// pure function of its input. It simulates steps and discards them.
import type { Cause, Explanation, PredictedEntry, Wait } from "#schema/engine/explanation.ts";
import { isEngineEvent } from "#schema/engine/event.ts";
import { isFinalStatus } from "#schema/engine/state.ts";
import { EXPLAINED_ITEMS_MAX } from "#schema/limits/planning/explanation-sizes.ts";
import { openStep } from "../execution/current-step.ts";
import { archivesHandled, predictNext, emptyPrediction } from "./predict-next.ts";
import type { ExplanationInput } from "./explanation-input.ts";
import { unacceptedEvents } from "./event-waits.ts";
import { notDoneOf } from "./not-done.ts";
import { markCancelable } from "./cancelable-runs.ts";
import { explainWaits } from "./explain-waits.ts";

export function explain(known: ExplanationInput): Explanation {
  const { program, state, now, suspended } = known;
  const step = openStep(program, state, { now, room: 0, suspended });
  const waits = markCancelable(known, explainWaits(known, step));
  const taken = new Set(waits.flatMap((wait) => (wait.for === "event" ? [wait.event] : [])));
  const [notNow, notDone] = [unacceptedEvents(step, taken), notDoneOf(step, known.recent)];
  const predicted = predictNext(known);
  // The archiving of a handled dead letter changes nothing that a client waits for, so it is last.
  const [next = emptyPrediction("none"), ...or] = [
    ...predicted.filter((each) => !archivesHandled(state, each)),
    ...predictionsFromOutside(waits),
    ...predicted.filter((each) => archivesHandled(state, each)),
  ];
  return {
    execution: state.id,
    definition: state.definition,
    status: state.status,
    states: state.position.states,
    asOf: now,
    ended: endedOf(known),
    next,
    or: or.slice(0, EXPLAINED_ITEMS_MAX),
    waits: waits.slice(0, EXPLAINED_ITEMS_MAX),
    notNow: notNow.slice(0, EXPLAINED_ITEMS_MAX),
    notDone: notDone.slice(0, EXPLAINED_ITEMS_MAX),
    leftOut: {
      waits: Math.max(0, waits.length - EXPLAINED_ITEMS_MAX),
      notNow: Math.max(0, notNow.length - EXPLAINED_ITEMS_MAX),
      notDone: Math.max(0, notDone.length - EXPLAINED_ITEMS_MAX),
    },
  };
}

function endedOf({ state: { status, finishedAt, reason, error } }: ExplanationInput): Explanation["ended"] {
  return isFinalStatus(status) && finishedAt !== null ? { status, at: finishedAt, reason, error } : null;
}

/** The predictions that depend on a person or an event. The list shows them after all automatic ones. */
function predictionsFromOutside(waits: readonly Wait[]): readonly PredictedEntry[] {
  const letters = waits.flatMap((wait) => (wait.for === "person" ? [wait] : []));
  const held = waits.flatMap((wait) => (wait.for === "release" ? [wait] : []));
  const hangsOnVariables = waits.some(
    (wait) => wait.for === "anchor" || wait.for === "variables" || (wait.for === "event" && wait.would === "refused"),
  );
  const byPerson = (kind: PredictedEntry["kind"], about: PredictedEntry["about"]): PredictedEntry => ({
    ...emptyPrediction("person"),
    kind,
    about,
  });
  return [
    ...letters.map(({ run, action }) => byPerson("run_redriven", { run, action })),
    ...held.map(({ run, action }) => byPerson("released", { run, action })),
    ...byEvents("event_received", waits, ["accepted", "depends"]),
    ...byEvents("event_buffered", waits, ["kept"]),
    ...acceptedReconcilerInputs(waits).map((kind) => byPerson(kind, {})),
    ...(hangsOnVariables ? [byPerson("patched", {})] : []),
  ];
}

/** The inputs that a reconciler accepts. */
function acceptedReconcilerInputs(waits: readonly Wait[]): readonly ("observed" | "desired")[] {
  return waits.flatMap((wait) => {
    if (wait.for === "observation" && wait.collector === null) return ["observed"];
    return wait.for === "desired" ? ["desired"] : [];
  });
}

/** Clients cannot send the events of tasks and children. A person ends a task, and a child sends its own end. */
function byEvents(
  kind: "event_received" | "event_buffered",
  waits: readonly Wait[],
  would: readonly string[],
): readonly PredictedEntry[] {
  const accepted = waits.flatMap((wait) => (wait.for === "event" && would.includes(wait.would) ? [wait.event] : []));
  const has = (what: Wait["for"]): boolean => waits.some((wait) => wait.for === what);
  const from = (by: Cause, isFrom: (event: string) => boolean): readonly PredictedEntry[] => {
    const events = accepted.filter(isFrom);
    return events.length > 0 ? [{ ...emptyPrediction(by), kind, events }] : [];
  };
  return [
    ...from("event", (event) => !isEngineEvent(event)),
    ...(has("task") ? from("person", (event) => event.startsWith("task_")) : []),
    ...(has("child") ? from("child", (event) => event.startsWith("child_")) : []),
  ];
}
