// What was not done and why, in a sentence, and what a person may do about it.
import { iso } from "#kernel/execution/current-step.ts";
import type { NotDone, Way } from "#schema/engine/explanation.ts";
import { foundBy, words } from "./words.ts";
import { post, read } from "./ways.ts";

type Of<What extends NotDone["what"]> = Extract<NotDone, { what: What }>;

export function notDoneSays(not: NotDone): string {
  switch (not.what) {
    case "run":
      return runSays(not);
    case "event":
      return not.fate === "kept"
        ? `${not.event} waits for its time (${words(not.reason)}).`
        : `${not.event} was ${not.fate}${not.at === null ? "" : ` at ${iso(not.at)}`}: ${words(not.reason)}.`;
    case "node":
      return `The node ${not.node} was skipped${not.at === null ? "" : ` at ${iso(not.at)}`}: ${MEANING[not.reason] ?? words(not.reason)}.`;
    case "timer":
      return `The timer ${not.timer} led to nothing at ${iso(not.at)}: ${words(not.reason)}.`;
  }
}

function runSays({ run, action, status, reason, at, error, heard, conditions }: Of<"run">): string {
  const who = `Run ${run} of ${action}`;
  if (status !== "failed") {
    const why = MEANING[reason] ?? words(reason);
    return `${who} was ${status} at ${iso(at)}: ${why}.${foundBy(conditions)}`;
  }
  const failed = `${who} failed at ${iso(at)}${error ? ` with ${error.type}: ${error.message.replace(/\.$/, "")}` : ""}.`;
  if (heard) return `${failed} That was taken as ${heard.event}, which led to ${heard.state}.`;
  return reason === "waits_for_person" ? `${failed} It waits for a person.` : `${failed} (${words(reason)})`;
}

/** In the words of docs/operate/operating.md. */
const MEANING: { readonly [reason: string]: string | undefined } = {
  condition_false: "its condition did not hold",
  late: "its turn came later than maxLateness allows",
  missed: "it came due while nothing could go out",
  no_longer_valid: "validUntil had passed",
  already_past: "its instant had passed when it was set",
  disabled: 'its action says "enabled": false',
  previous_still_under_way: "the occurrence before it was still under way",
  capped: "its subject had had as much as the cap lets through",
  no_window: "its window would not open before it was no longer wanted",
  not_reached: "no way that leads to it was taken",
  exited: "the journey had ended before",
  state_left: "the state it belonged to was left",
};

export function notDoneCan(execution: string, not: NotDone): readonly Way[] {
  const at = `/v1/executions/${execution}`;
  if (not.what === "timer" || not.what === "node") return [];
  if (not.what === "event") return not.fate === "kept" ? [] : [post("send", `${at}/events`, { type: not.event })];
  const { deadLetter, action, status } = not;
  if (deadLetter !== null) {
    const path = `/v1/dead-letters/${deadLetter}`;
    return [read(path), post("retry", `${path}/retry`), post("archive", `${path}/archive`)];
  }
  return status === "skipped" ? [post("run_now", `${at}/run-now`, { action })] : [];
}
