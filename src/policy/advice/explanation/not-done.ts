// Writes sentences about runs, events, nodes and timers without effect. For each, lists the API requests that an
// operator can send.
import { iso } from "#kernel/execution/current-step.ts";
import { isEngineEvent } from "#schema/engine/event.ts";
import type { Explanation, NotDone, SuggestedRequest } from "#schema/engine/explanation.ts";
import { valuesReadSentence, spacedCode } from "./words.ts";
import { suggestPost, suggestGet } from "./requests.ts";

type Of<What extends NotDone["what"]> = Extract<NotDone, { what: What }>;

export function notDoneSentence(item: NotDone): string {
  switch (item.what) {
    case "run":
      return runSentence(item);
    case "event":
      return item.outcome === "kept"
        ? `The event ${item.event} is stored for later (${spacedCode(item.reason)}).`
        : `The event ${item.event} was ${item.outcome}${item.at === null ? "" : ` at ${iso(item.at)}`}: ${spacedCode(item.reason)}.`;
    case "node":
      return `The node ${item.node} was skipped${item.at === null ? "" : ` at ${iso(item.at)}`}: ${meaningOf(item.reason)}.`;
    case "timer":
      return `The timer ${item.timer} had no effect at ${iso(item.at)}: ${meaningOf(item.reason)}.`;
  }
}

function runSentence({ run, action, status, reason, at, nextAt, error, heard, conditions }: Of<"run">): string {
  const subject = `Run ${run} of ${action}`;
  if (status !== "failed") {
    const next = nextAt === undefined ? "" : ` A new run may start at ${iso(nextAt)}.`;
    return `${subject} was ${status} at ${iso(at)}: ${meaningOf(reason)}.${next}${valuesReadSentence(conditions)}`;
  }
  const failed = `${subject} failed at ${iso(at)}${error ? ` with ${error.type}: ${error.message.replace(/\.$/, "")}` : ""}.`;
  if (heard) return `${failed} The execution accepted the event ${heard.event} and moved to ${heard.state}.`;
  return reason === "waits_for_person"
    ? `${failed} The run waits for an operator.`
    : `${failed} Reason: ${spacedCode(reason)}.`;
}

function meaningOf(reason: string): string {
  return MEANING[reason] ?? spacedCode(reason);
}

/** Sentences for reason codes. docs/operate/operating.md has the same sentences. */
const MEANING: { readonly [reason: string]: string | undefined } = {
  condition_false: "the condition of the action was false",
  late: "the run would have started later than maxLateness allows",
  missed: "the engine could send nothing at the time when the run was due",
  no_longer_valid: "the instant in validUntil had passed",
  already_past: "the due instant was already in the past when the delay was computed",
  past: "a step before it was skipped as past, and its own instant was in the past, too",
  disabled: 'the action is disabled ("enabled": false)',
  previous_in_progress: "the previous occurrence was still running",
  capped: "the subject had reached the cap",
  suppressed: "every recipient was on the tenant's suppression list",
  rate_limited_by_key: "the limit of the action's key had reached its rate",
  debounced: "a newer run with the same key came within the quiet time",
  singleton: "another run with the same key was under way, or has replaced the run",
  no_window: "the opening hours would begin only after the run has expired",
  not_reached: "no edge to the node was taken",
  exited: "the journey had ended already",
  state_left: "the execution left the action's state",
};

export function notDoneRequests({ execution, status, ended }: Explanation, item: NotDone): readonly SuggestedRequest[] {
  const at = `/v1/executions/${execution}`;
  if (item.what === "timer" || item.what === "node") return [];
  if (item.what === "event") {
    const isRefused = ended !== null || item.outcome === "kept" || isEngineEvent(item.event);
    return isRefused ? [] : [suggestPost("send", `${at}/events`, { type: item.event })];
  }
  const { deadLetter, action, status: runStatus } = item;
  if (deadLetter !== null) {
    const path = `/v1/dead-letters/${deadLetter}`;
    return [suggestGet(path), suggestPost("retry", `${path}/retry`), suggestPost("archive", `${path}/archive`)];
  }
  const isStartable = runStatus === "skipped" && ended === null && status !== "paused";
  return isStartable ? [suggestPost("run_now", `${at}/run-now`, { action })] : [];
}
