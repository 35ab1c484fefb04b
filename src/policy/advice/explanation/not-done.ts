// Writes sentences about runs, events, nodes and timers without effect, and lists the API requests that an operator can
// send.
import { iso } from "#kernel/execution/current-step.ts";
import type { NotDone, Way } from "#schema/engine/explanation.ts";
import { valuesReadSentence, spacedCode } from "./words.ts";
import { postRequest, getRequest } from "./requests.ts";

type Of<What extends NotDone["what"]> = Extract<NotDone, { what: What }>;

export function notDoneSentence(not: NotDone): string {
  switch (not.what) {
    case "run":
      return runSays(not);
    case "event":
      return not.fate === "kept"
        ? `${not.event} is stored for later (${spacedCode(not.reason)}).`
        : `${not.event} was ${not.fate}${not.at === null ? "" : ` at ${iso(not.at)}`}: ${spacedCode(not.reason)}.`;
    case "node":
      return `The node ${not.node} was skipped${not.at === null ? "" : ` at ${iso(not.at)}`}: ${MEANING[not.reason] ?? spacedCode(not.reason)}.`;
    case "timer":
      return `The timer ${not.timer} had no effect at ${iso(not.at)}: ${spacedCode(not.reason)}.`;
  }
}

function runSays({ run, action, status, reason, at, error, heard, conditions }: Of<"run">): string {
  const who = `Run ${run} of ${action}`;
  if (status !== "failed") {
    const why = MEANING[reason] ?? spacedCode(reason);
    return `${who} was ${status} at ${iso(at)}: ${why}.${valuesReadSentence(conditions)}`;
  }
  const failed = `${who} failed at ${iso(at)}${error ? ` with ${error.type}: ${error.message.replace(/\.$/, "")}` : ""}.`;
  if (heard) return `${failed} The definition accepted it as ${heard.event} and moved to ${heard.state}.`;
  return reason === "waits_for_person" ? `${failed} It waits for an operator.` : `${failed} (${spacedCode(reason)})`;
}

/** Sentences for reason codes. docs/operate/operating.md uses the same words. */
const MEANING: { readonly [reason: string]: string | undefined } = {
  condition_false: "its condition was false",
  late: "it was due later than maxLateness allows",
  missed: "it was due while nothing could be sent",
  no_longer_valid: "validUntil had passed",
  already_past: "its instant was already in the past when the delay was computed",
  disabled: 'its action is disabled ("enabled": false)',
  previous_still_under_way: "the previous occurrence was still running",
  capped: "its subject had reached the cap",
  no_window: "its opening hours would begin only after the run has expired",
  not_reached: "no edge to it was taken",
  exited: "the journey had ended already",
  state_left: "the execution left its state",
};

export function notDoneRequests(execution: string, not: NotDone): readonly Way[] {
  const at = `/v1/executions/${execution}`;
  if (not.what === "timer" || not.what === "node") return [];
  if (not.what === "event")
    return not.fate === "kept" ? [] : [postRequest("send", `${at}/events`, { type: not.event })];
  const { deadLetter, action, status } = not;
  if (deadLetter !== null) {
    const path = `/v1/dead-letters/${deadLetter}`;
    return [getRequest(path), postRequest("retry", `${path}/retry`), postRequest("archive", `${path}/archive`)];
  }
  return status === "skipped" ? [postRequest("run_now", `${at}/run-now`, { action })] : [];
}
