// The waits in an explanation: the waits of the execution (from kernel/waiting) with details. Some waits depend only on
// the program or the tenant, such as joins and a suspension, and are added here.
import { childEvent } from "#schema/engine/child.ts";
import type { Wait } from "#schema/engine/explanation.ts";
import type { OutboxKind } from "#schema/engine/outbox.ts";
import { isFinalStatus, type Timer } from "#schema/engine/state.ts";
import { deadLetterId } from "#schema/ids.ts";
import { assert } from "../assert.ts";
import type { Step } from "../execution/current-step.ts";
import { childrenOf } from "../execution/children/children.ts";
import { childRequestKey } from "../execution/children/children-on-end.ts";
import { outboxOf } from "../execution/outbox/own-outbox.ts";
import type { Listener } from "../execution/program.ts";
import { zoneOfWait } from "../execution/due/schedules.ts";
import { isEnding } from "../waiting/ending-execution.ts";
import { sentAgainAt } from "../waiting/deadlines.ts";
import { waitsOf as executionWaits, type ExecutionWait } from "../waiting/waits.ts";
import { openAnchorOf, writtenDelay } from "./anchors.ts";
import { contextOfRun } from "../execution/rule-values.ts";
import type { ExplanationInput } from "./explanation-input.ts";
import { reconcilingWaits } from "./reconciler-waits.ts";
import { eventWaits, guardsOf, variableWaits } from "./event-waits.ts";
import { explainRunWait } from "./run-waits.ts";

export function explainWaits(known: ExplanationInput, step: Step): readonly Wait[] {
  const { state, program } = step;
  const listeners = isFinalStatus(state.status) || isEnding(state) ? [] : program.listeners(state.position);
  const waits = executionWaits(state, step.now);
  return [
    ...wholeExecutionWaits(known),
    ...waits.flatMap((wait) => executionWait(step, wait, listeners)),
    ...childWaits(step, listeners),
    ...waits.flatMap((wait) => (wait.for === "child" ? endingChildWait(step, wait) : [])),
    ...joinWaits(step),
    ...eventWaits(step, listeners),
    ...(state.reconciling ? reconcilingWaits(step, waits, listeners) : variableWaits(step, listeners)),
    ...outboxWaits(step, waits),
  ];
}

/** The waits for the execution's runs, dead letters, timers and tasks. */
function executionWait(step: Step, wait: ExecutionWait, listeners: readonly Listener[]): readonly Wait[] {
  if (wait.for === "run") return [explainRunWait(step, wait)];
  if (wait.for === "person") return [personWait(step, wait)];
  if (wait.for === "timer") return [timerWait(step, wait.timer, listeners)];
  if (wait.for === "place") return [startLimitWait(wait)];
  return wait.for === "task" ? [taskWait(step, wait)] : [];
}

/** The waits that hold the whole execution: quarantine, suspension and pause. */
function wholeExecutionWaits({ quarantined, suspended, state }: ExplanationInput): readonly Wait[] {
  const apart = quarantined && {
    for: "engine" as const,
    kind: quarantined.kind,
    reason: quarantined.reason,
    since: quarantined.since,
    until: quarantined.lookAt,
  };
  const { pausedAt, reason, error } = state;
  return [
    ...(apart ? [apart] : []),
    ...(suspended ? [{ for: "tenant" as const, until: null }] : []),
    ...(pausedAt === null ? [] : [{ for: "resume" as const, since: pausedAt, reason, error, until: null }]),
  ];
}

function personWait({ state }: Step, { run, until }: Of<"person">): Wait {
  const { id, action, error } = run;
  return { for: "person", run: id, action, deadLetter: deadLetterId(state.id, id), error, until };
}

function timerWait(step: Step, timer: Timer, all: readonly Listener[]): Wait {
  const { id, state, action, at, expression } = timer;
  if (at === null) {
    const anchor = openAnchorOf(step, expression, contextOfRun(step, timer));
    return { for: "anchor", run: null, timer: id, delay: writtenDelay(expression), ...anchor, until: null };
  }
  const own = all.filter(({ on }) => on.kind === "timer" && on.timer === id);
  return { for: "timer", timer: id, state, action, guards: guardsOf(step, own), ...zoneOfWait(step, timer), until: at };
}

function taskWait({ state }: Step, { task: { id, run, action }, remindAt, escalateAt, until }: Of<"task">): Wait {
  const title = state.runs.find((each) => each.id === run)?.config?.["title"];
  const known = typeof title === "string" ? title : null;
  return { for: "task", task: id, run, action, title: known, remindAt, escalateAt, until };
}

function startLimitWait({ place: { hold, limits } }: Of<"place">): Wait {
  if (hold !== null) {
    const { reason: by, ...where } = hold;
    return { for: "start_limit", by, ...where };
  }
  const [first] = limits;
  assert(first, "an execution that waits for its place must have a limit");
  return { for: "start_limit", by: null, limit: first.name, key: first.key, ahead: null, until: null };
}

const CHILD_ENDS = ["completed", "failed", "canceled"].map(childEvent);

/**
 * The waits for children that were started with `wait` and have not ended, if a listener of the position accepts their
 * end.
 */
function childWaits({ state }: Step, listeners: readonly Listener[]): readonly Wait[] {
  const events = CHILD_ENDS.filter((end) => listeners.some(({ on }) => on.kind === "event" && on.type === end));
  if (events.length === 0) return [];
  const started = new Set(state.runs.flatMap(({ id, status }) => (status === "ok" ? [id] : [])));
  return childrenOf(state).flatMap(({ run, action, execution }): Wait[] =>
    execution !== null && started.has(run) ? [{ for: "child", run, action, execution, events, until: null }] : [],
  );
}

/** The wait of an ending execution for one of its children. `until`: when the request to the child is sent again. */
function endingChildWait({ state }: Step, { child, how }: Of<"child">): Wait {
  const { run, action, execution } = child;
  const request = outboxOf(state).find(({ kind, key }) => kind === "child_request" && key === childRequestKey(child));
  return { for: "children", run, action, execution, how, until: request ? sentAgainAt(request) : null };
}

function joinWaits({ program, state }: Step): readonly Wait[] {
  return (program.nodes?.joins(state.position) ?? []).map((join) => ({ for: "join", ...join, until: null }));
}

/**
 * The waits for recipients that have not confirmed a message. Tasks and children have waits of their own. `until`: when
 * the message is sent again.
 */
function outboxWaits({ state: { correlation } }: Step, waits: readonly ExecutionWait[]): readonly Wait[] {
  const sent = (kind: OutboxKind, waitOf: (key: string) => WaitFor): readonly Wait[] =>
    waits.flatMap((wait) =>
      wait.for === "message" && wait.message.kind === kind ? [{ ...waitOf(wait.message.key), until: wait.until }] : [],
    );
  return [
    ...sent("child_ended", (execution) => ({ for: "parent", execution })),
    ...sent("correlation_key", () => ({ for: "directory", key: correlation?.key ?? null })),
    ...sent("subject_ended", (key) => ({ for: "subject", key })),
  ];
}

type Of<For extends ExecutionWait["for"]> = Extract<ExecutionWait, { for: For }>;

type WaitFor =
  | { readonly for: "parent"; readonly execution: string }
  | { readonly for: "directory"; readonly key: string | null }
  | { readonly for: "subject"; readonly key: string };
