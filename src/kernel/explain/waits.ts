// All waits of an execution, with their ends: itself, its runs, timers, tasks, children, and recipients of outbox
// messages.
import { childEvent } from "#schema/engine/child.ts";
import type { Wait } from "#schema/engine/explanation.ts";
import type { OutboxKind } from "#schema/engine/outbox.ts";
import { waitsForPerson, type Run } from "#schema/engine/run.ts";
import { isFinalStatus, type Timer } from "#schema/engine/state.ts";
import { deadLetterId } from "#schema/ids.ts";
import { isPlainObject } from "../language/json-values.ts";
import type { Step } from "../execution/current-step.ts";
import { childRequestKey, awaitedChildren } from "../execution/children/parting.ts";
import { childrenOf } from "../execution/children/children.ts";
import { outboxOf, sentAgainAt } from "../execution/outbox/outbox.ts";
import { deadLetterUntil } from "../execution/retries/redrive.ts";
import type { Listener } from "../programs/program.ts";
import { anchorOf, delayOf } from "./anchors.ts";
import { seenBy } from "../execution/rule-values.ts";
import type { Known } from "./known.ts";
import { reconcilingWaits } from "./reconciling.ts";
import { eventWaits, guardsOf, variableWaits } from "./listening.ts";
import { runWaits } from "./run-waits.ts";

export function waitsOf(known: Known, step: Step): readonly Wait[] {
  const { state, program } = step;
  const listeners = isFinalStatus(state.status) || state.ending ? [] : program.listeners(state.position);
  return [
    ...ownWaits(known),
    ...runWaits(step),
    ...state.runs.filter(waitsForPerson).map((run) => personWait(step, run)),
    ...state.timers.map((timer) => timerWait(step, timer, listeners)),
    ...taskWaits(step),
    ...childWaits(step, listeners),
    ...partingWaits(step),
    ...joinWaits(step),
    ...eventWaits(step, listeners),
    ...(state.reconciling ? reconcilingWaits(step, listeners) : variableWaits(step, listeners)),
    ...outboxWaits(step),
  ];
}

/** Holds of the whole execution. */
function ownWaits({ quarantined, suspended, state }: Known): readonly Wait[] {
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

function personWait({ state }: Step, run: Run): Wait {
  const { id, action, error } = run;
  const until = deadLetterUntil(run);
  return { for: "person", run: id, action, deadLetter: deadLetterId(state.id, id), error, until };
}

function timerWait(step: Step, timer: Timer, all: readonly Listener[]): Wait {
  const { id, state, action, at, expression } = timer;
  if (at === null) {
    const anchor = anchorOf(step, expression, seenBy(step, timer));
    return { for: "anchor", run: null, timer: id, delay: delayOf(expression), ...anchor, until: null };
  }
  const own = all.filter(({ on }) => on.kind === "timer" && on.timer === id);
  return { for: "timer", timer: id, state, action, guards: guardsOf(step, own), until: at };
}

function taskWaits({ state: { tasks } }: Step): readonly Wait[] {
  return (tasks ?? []).flatMap(({ id, run, action, watch, withdrawn }): Wait[] => {
    if (id === null || withdrawn) return [];
    const [remindAt, escalateAt] = [watch?.remind?.at ?? null, watch?.escalateAt ?? null];
    const instants = [remindAt, escalateAt].filter((at) => at !== null);
    const until = instants.length === 0 ? null : Math.min(...instants);
    return [{ for: "task", task: id, run, action, remindAt, escalateAt, until }];
  });
}

const CHILD_ENDS = ["completed", "failed", "canceled"].map(childEvent);

/** Children that were started with `wait`, while something listens for their end. */
function childWaits({ state }: Step, listeners: readonly Listener[]): readonly Wait[] {
  const events = CHILD_ENDS.filter((end) => listeners.some(({ on }) => on.kind === "event" && on.type === end));
  if (events.length === 0) return [];
  return state.runs.flatMap(({ id: run, action, type, status, result }): Wait[] => {
    if (type !== "start_execution" || status !== "ok" || !isPlainObject(result)) return [];
    const { execution, wait } = result;
    if (wait !== true || typeof execution !== "string") return [];
    return [{ for: "child", run, action, execution, events, until: null }];
  });
}

function partingWaits({ state }: Step): readonly Wait[] {
  const awaited = new Set(awaitedChildren(state));
  return childrenOf(state).flatMap((child): Wait[] => {
    if (!child.stopping && !awaited.has(child)) return [];
    const { run, action, execution } = child;
    const request = outboxOf(state).find(({ kind, key }) => kind === "child_request" && key === childRequestKey(child));
    const until = request ? sentAgainAt(request) : null;
    const how = child.stopping ? "canceling" : "awaited";
    return [{ for: "parting", run, action, execution, how, until }];
  });
}

function joinWaits({ program, state }: Step): readonly Wait[] {
  return (program.joins?.(state.position) ?? []).map((join) => ({ for: "join", ...join, until: null }));
}

/** Recipients other than tasks and children. An unconfirmed message is sent again at that time. */
function outboxWaits({ state }: Step): readonly Wait[] {
  const { correlation } = state;
  const waits = (kind: OutboxKind, waitOf: (key: string) => WaitFor): readonly Wait[] =>
    outboxOf(state)
      .filter((message) => message.kind === kind)
      .map((message) => ({ ...waitOf(message.key), until: sentAgainAt(message) }));
  return [
    ...waits("child_ended", (execution) => ({ for: "parent", execution })),
    ...waits("correlation_key", () => ({ for: "directory", key: correlation?.key ?? null })),
    ...waits("subject_ended", (key) => ({ for: "subject", key })),
  ];
}

type WaitFor =
  | { readonly for: "parent"; readonly execution: string }
  | { readonly for: "directory"; readonly key: string | null }
  | { readonly for: "subject"; readonly key: string };
