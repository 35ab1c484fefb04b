// Explanations as API objects: times are ISO 8601 instants. Each field is converted by its name: a
// conversion of all numbers would also change the data of clients.
import type { GateView } from "#schema/gate.ts";
import type { JsonObject } from "#schema/json.ts";
import type { PredictedEntry, WithSummary, SummarizedExplanation } from "#schema/engine/explanation.ts";
import type { RunPreconditions } from "#schema/explanation/pending-limits.ts";
import { presentState } from "../connections/present.ts";
import type { ApiExplanation } from "./shape.ts";
import { toInstant } from "#schema/values.ts";

export function presentExplanation(told: SummarizedExplanation, retired = false): ApiExplanation {
  const { ended, next, or, waits, notNow, notDone, states, asOf, ...same } = told;
  return {
    ...same,
    states: [...states],
    asOf: toInstant(asOf),
    retired,
    ended: ended && { ...ended, at: toInstant(ended.at) },
    next: presentPredicted(next),
    or: or.map(presentPredicted),
    waits: waits.map(presentWait),
    notNow: [...notNow],
    notDone: notDone.map(presentNotDone),
  };
}

function presentPredicted({
  at,
  earliest,
  latest,
  about,
  with: lines,
  events,
  ...same
}: WithSummary<PredictedEntry>): ApiExplanation["next"] {
  return {
    ...same,
    about: presentAbout(about),
    at: toInstant(at),
    earliest: toInstant(earliest),
    latest: toInstant(latest),
    ...(events ? { events: [...events] } : {}),
    with: lines.map((line) => ({ ...presentAbout(line), kind: line.kind })),
  };
}

/** Converts `dueAt` and `until` of a journal entry to ISO 8601 instants. All other fields stay unchanged. */
function presentAbout({ dueAt, until, ...same }: JsonObject): JsonObject {
  return {
    ...same,
    ...(dueAt === undefined ? {} : { dueAt: typeof dueAt === "number" ? toInstant(dueAt) : dueAt }),
    ...(until === undefined ? {} : { until: typeof until === "number" ? toInstant(until) : until }),
  };
}

type ToldWait = SummarizedExplanation["waits"][number];
type ApiWait = ApiExplanation["waits"][number];

function presentWait(wait: ToldWait): ApiWait {
  const shared = { says: wait.says, can: [...wait.can], until: toInstant(wait.until) };
  switch (wait.for) {
    case "timer":
      return { ...wait, ...shared, guards: [...wait.guards] };
    case "run": {
      const { canCancel: _canCancel, ...shown } = wait;
      return {
        ...shown,
        ...shared,
        expiresAt: toInstant(wait.expiresAt),
        conditions: [...wait.conditions],
        meets: presentMeets(wait),
      };
    }
    case "slot":
      return { ...wait, ...shared, takenBy: [...wait.takenBy], meets: presentMeets(wait) };
    case "cap":
    case "limit":
    case "quiet_hours":
    case "window":
      return { ...wait, ...shared, meets: presentMeets(wait) };
    case "connection":
      return { ...wait, ...shared, gate: wait.gate ? presentGate(wait.gate) : null };
    case "event":
      return { ...wait, ...shared, guards: [...wait.guards], states: [...wait.states], to: [...wait.to] };
    case "variables":
      return { ...wait, ...shared, guards: [...wait.guards], states: [...wait.states] };
    case "task":
      return { ...wait, ...shared, remindAt: toInstant(wait.remindAt), escalateAt: toInstant(wait.escalateAt) };
    case "join":
      return { ...wait, ...shared, from: [...wait.from] };
    case "child":
      return { ...wait, ...shared, events: [...wait.events] };
    case "release":
      return {
        ...wait,
        ...shared,
        meets: presentMeets(wait),
        since: toInstant(wait.since),
        dueAt: toInstant(wait.dueAt),
      };
    case "resume":
    case "engine":
      return { ...wait, ...shared, since: toInstant(wait.since) };
    case "observation": {
      const { observedAt, collector } = wait;
      const by = collector && { ...collector, nextAt: toInstant(collector.nextAt) };
      return { ...wait, ...shared, observedAt: toInstant(observedAt), collector: by, guards: [...wait.guards] };
    }
    case "desired":
    case "tick":
    case "anchor":
    case "quota":
    case "queue_share":
    case "receipt":
    case "start_limit":
    case "person":
    case "tenant":
    case "children":
    case "parent":
    case "directory":
    case "subject":
      return { ...wait, ...shared };
  }
}

function presentMeets({ meets = [] }: RunPreconditions): Extract<ApiWait, { for: "run" }>["meets"] {
  return meets.map((each) => {
    switch (each.limit) {
      case "window":
        return { ...each, until: toInstant(each.until) };
      case "cap":
        return { ...each, opensAt: toInstant(each.opensAt ?? null) };
      case "key":
        return each;
      case "connection":
        return { ...each, gate: each.gate && presentGate(each.gate) };
    }
  });
}

function presentGate({ attention = null, ...gate }: GateView) {
  return { ...presentState(gate), attention: attention && { ...attention, since: toInstant(attention.since) } };
}

type ApiNotDone = ApiExplanation["notDone"][number];

function presentNotDone(not: SummarizedExplanation["notDone"][number]): ApiNotDone {
  const can = [...not.can];
  switch (not.what) {
    case "run":
      return {
        ...not,
        can,
        at: toInstant(not.at),
        nextAt: toInstant(not.nextAt ?? null),
        conditions: [...not.conditions],
      };
    case "event":
    case "node":
      return { ...not, can, at: toInstant(not.at) };
    case "timer":
      return { ...not, can, at: toInstant(not.at) };
  }
}
