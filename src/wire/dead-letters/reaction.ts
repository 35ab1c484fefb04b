// What a machine did about a failure, in sentences.
import type { JournalEntry } from "#schema/engine/journal.ts";
import { toInstant } from "#schema/values.ts";

export function presentReaction(entry: JournalEntry): { readonly kind: string; readonly says: string } {
  // An object that is newer than this Worker may have written a kind that is not known here.
  return { kind: entry.kind, says: says(entry) ?? `${words(entry.kind)}.` };
}

function says(entry: JournalEntry): string {
  if (isOfJourney(entry)) return ofJourney(entry);
  if (isAsked(entry)) return `${words(entry.kind)}.`;
  if (isOfReconciler(entry)) return ofReconciler(entry);
  switch (entry.kind) {
    case "moved":
      return `It moved from ${entry.from ?? "nowhere"} to ${entry.to}, by ${entry.by}.`;
    case "assigned":
      return `It set ${Object.keys(entry.variables).join(", ")}, by ${entry.by}.`;
    case "event_ignored":
      return `Nothing listened for ${entry.type} where it stood.`;
    case "event_replayed":
      return `It took up ${entry.type}, which had waited.`;
    case "event_dropped":
      return `It dropped ${entry.type}: ${words(entry.reason)}.`;
    case "timer_armed":
      return entry.dueAt === null
        ? `It set the timer ${entry.timer}, which waits for a variable.`
        : `It set the timer ${entry.timer} for ${toInstant(entry.dueAt)}.`;
    case "timer_disarmed":
      return `It stopped the timer ${entry.timer}: ${words(entry.reason)}.`;
    case "run_created":
      return `It started the action ${entry.action} (run ${entry.run}).`;
    case "run_dispatched":
      return `It sent run ${entry.run}.`;
    case "run_failed":
      return `The action ${entry.action} (run ${entry.run}) failed, too: ${entry.error.message}.`;
    case "run_handled":
      return whoTookIt(entry);
    case "run_skipped":
    case "run_canceled":
      return `The action ${entry.action} (run ${entry.run}) was ${entry.kind.slice(4)}: ${words(entry.reason)}.`;
    case "paused":
      return `It paused${entry.reason === null ? "" : `: ${words(entry.reason)}`}.`;
    case "completed":
      return "It completed.";
    case "failed":
      return `It failed: ${entry.error.message}.`;
    // None of these follows a failure in its step; if one does, its kind says enough.
    case "started":
    case "event_received":
    case "event_buffered":
    case "timer_fired":
    case "run_resent":
    case "run_claimed":
    case "run_settled":
    case "run_retry":
    case "run_held":
    case "timezone_unknown":
    case "run_ok":
    case "resumed":
    case "erased":
    case "parent_told":
    case "run_passed_over":
    case "ending":
    case "children_stopped":
    case "children_left":
    case "child_settled":
    case "task_withdrawn":
    case "correlated":
    case "enlisted":
    case "subject_told":
    case "correlation_failed":
    case "errand_begun":
    case "errand_done":
      return `${words(entry.kind)}.`;
  }
}

function whoTookIt({ by, event, state, action, run }: Extract<JournalEntry, { readonly kind: "run_handled" }>): string {
  if (by !== undefined) return `Its parent ${by} heard ${event} and went to ${state}.`;
  return `It has taken care of the failure of ${action} (run ${run}): it heard ${event} and went to ${state}.`;
}

/** Whoever asked for it says why. */
const askedFor = [
  ...(["patched", "canceled", "run_brought_forward", "run_redriven"] as const),
  ...(["dead_letter_archived", "skipped_by_hand", "rescheduled", "held_by_hand", "released"] as const),
  ...(["completed_by_hand"] as const),
];
type Asked = Extract<JournalEntry, { readonly kind: (typeof askedFor)[number] }>;

function isAsked(entry: JournalEntry): entry is Asked {
  return askedFor.some((kind) => kind === entry.kind);
}

const saidOfJourneys = [
  ...(["nodes_skipped", "way_taken", "token_absorbed", "exited", "compensating", "result_not_kept"] as const),
];
type OfJourney = Extract<JournalEntry, { readonly kind: (typeof saidOfJourneys)[number] }>;

function isOfJourney(entry: JournalEntry): entry is OfJourney {
  return saidOfJourneys.some((kind) => kind === entry.kind);
}

function ofJourney(entry: OfJourney): string {
  switch (entry.kind) {
    case "nodes_skipped":
      return `It skipped ${entry.nodes.join(", ")}: ${words(entry.reason)}.`;
    case "way_taken":
      return `It left ${entry.node} by ${entry.way}.`;
    case "token_absorbed":
      return `It reached ${entry.node} again, from ${entry.from}.`;
    case "exited":
      return `It ended by ${entry.by}: ${entry.outcome}.`;
    case "compensating":
      return `It takes back ${entry.nodes.join(", ") || "nothing"}, in this order.`;
    case "result_not_kept":
      return `It did not keep what ${entry.node} came to, ${entry.bytes} bytes: what takes it back will not see it.`;
  }
}

const saidOfReconcilers = [
  ...(["desired", "observed", "decided", "tick_failed", "collector_failed", "collector_recovered"] as const),
];
type OfReconciler = Extract<JournalEntry, { readonly kind: (typeof saidOfReconcilers)[number] }>;

function isOfReconciler(entry: JournalEntry): entry is OfReconciler {
  return saidOfReconcilers.some((kind) => kind === entry.kind);
}

function ofReconciler(entry: OfReconciler): string {
  switch (entry.kind) {
    case "desired":
      return `What it is to bring about was changed (revision ${entry.revision}).`;
    case "observed":
      return `It observed something else (revision ${entry.revision}).`;
    case "decided":
      return `It took ${entry.rule}: ${entry.does} ${entry.to}${entry.reason === "" ? "" : ` (${entry.reason})`}.`;
    case "tick_failed":
      return `Its rules could not be looked at: ${entry.message}.`;
    case "collector_failed":
      return `What observes for it failed: ${entry.error.message}; it is asked again at ${toInstant(entry.nextAt)}.`;
    case "collector_recovered":
      return `What observes for it answers again, after ${entry.failures} failures.`;
  }
}

function words(fact: string): string {
  return fact.replaceAll("_", " ");
}
