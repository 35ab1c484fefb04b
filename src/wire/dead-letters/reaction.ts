// Reactions: sentences about how a machine reacted to a failure, made from its journal entries.
import type { JournalEntry } from "#schema/engine/journal.ts";
import { toInstant } from "#schema/values.ts";

export function presentReaction(entry: JournalEntry): { readonly kind: string; readonly says: string } {
  // A newer version of an object may have written an entry whose kind this Worker does not know. The entry is then
  // shown by its kind.
  return { kind: entry.kind, says: says(entry) ?? `${words(entry.kind)}.` };
}

function says(entry: JournalEntry): string {
  if (isOfJourney(entry)) return ofJourney(entry);
  if (isAsked(entry) || isOfStart(entry)) return `${words(entry.kind)}.`;
  if (isOfReconciler(entry)) return ofReconciler(entry);
  switch (entry.kind) {
    case "moved":
      return `The execution moved from ${entry.from ?? "no state"} to ${entry.to}, because of ${entry.by}.`;
    case "assigned":
      return `The execution set ${Object.keys(entry.variables).join(", ")}, because of ${entry.by}.`;
    case "event_ignored":
      return `The current state did not accept the event ${entry.type}.`;
    case "event_replayed":
      return `The execution processed the buffered event ${entry.type}.`;
    case "event_dropped":
      return `The execution dropped the event ${entry.type}: ${words(entry.reason)}.`;
    case "timer_armed":
      return entry.dueAt === null
        ? `The execution armed the timer ${entry.timer}, which waits for a variable.`
        : `The execution armed the timer ${entry.timer} for ${toInstant(entry.dueAt)}.`;
    case "timer_disarmed":
      return `The execution canceled the timer ${entry.timer}: ${words(entry.reason)}.`;
    case "run_created":
      return `The execution started the action ${entry.action} (run ${entry.run}).`;
    case "run_dispatched":
      return `The execution sent run ${entry.run}.`;
    case "run_failed":
      return `The action ${entry.action} (run ${entry.run}) also failed: ${entry.error.message}.`;
    case "run_handled":
      return whoTookIt(entry);
    case "run_skipped":
    case "run_canceled":
      return `The action ${entry.action} (run ${entry.run}) was ${entry.kind.slice(4)}: ${words(entry.reason)}.`;
    case "paused":
      return `The execution paused${entry.reason === null ? "" : `: ${words(entry.reason)}`}.`;
    case "completed":
      return "The execution completed.";
    case "failed":
      return `The execution failed: ${entry.error.message}.`;
    // Entries of these kinds never follow a failure in the same step, so they need no sentence. The kind itself is
    // shown.
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
    case "parent_notified":
    case "run_reused":
    case "ending":
    case "children_stopped":
    case "children_left":
    case "child_settled":
    case "task_withdrawn":
    case "correlated":
    case "correlation_key_registered":
    case "subject_notified":
    case "correlation_failed":
    case "task_update_due":
    case "task_updated":
      return `${words(entry.kind)}.`;
  }
}

function whoTookIt({ by, event, state, action, run }: Extract<JournalEntry, { readonly kind: "run_handled" }>): string {
  if (by !== undefined) return `The parent execution ${by} accepted the event ${event} and moved to ${state}.`;
  return `The definition handled the failure of ${action} (run ${run}): the execution accepted the event ${event} and moved to ${state}.`;
}

/**
 * Kinds of journal entries that a client or operator has caused. Their sentence names the client or operator, and the
 * reason.
 */
const askedFor = [
  ...(["patched", "canceled", "run_brought_forward", "run_redriven"] as const),
  ...(["dead_letter_archived", "skipped_by_operator", "rescheduled", "held_by_operator", "released"] as const),
  ...(["completed_by_operator", "action_canceled"] as const),
];
type Asked = Extract<JournalEntry, { readonly kind: (typeof askedFor)[number] }>;

function isAsked(entry: JournalEntry): entry is Asked {
  return askedFor.some((kind) => kind === entry.kind);
}

const saidOfStarts = ["start_held", "start_admitted", "start_skipped"] as const;
type OfStart = Extract<JournalEntry, { readonly kind: (typeof saidOfStarts)[number] }>;

function isOfStart(entry: JournalEntry): entry is OfStart {
  return saidOfStarts.some((kind) => kind === entry.kind);
}

const saidOfJourneys = [
  ...(["nodes_skipped", "edge_taken", "token_absorbed", "exited", "compensating", "result_not_kept"] as const),
];
type OfJourney = Extract<JournalEntry, { readonly kind: (typeof saidOfJourneys)[number] }>;

function isOfJourney(entry: JournalEntry): entry is OfJourney {
  return saidOfJourneys.some((kind) => kind === entry.kind);
}

function ofJourney(entry: OfJourney): string {
  switch (entry.kind) {
    case "nodes_skipped":
      return `The journey skipped the node ${entry.nodes.join(", ")}: ${words(entry.reason)}.`;
    case "edge_taken":
      return `The journey left the node ${entry.node} through ${entry.way}.`;
    case "token_absorbed":
      return `The journey reached the node ${entry.node} again, from ${entry.from}.`;
    case "exited":
      return `The journey ended, because of ${entry.by}: ${entry.outcome}.`;
    case "compensating":
      return `The journey undoes these nodes in this order: ${entry.nodes.join(", ") || "nothing"}.`;
    case "result_not_kept":
      return `The journey did not store the result of ${entry.node} (${entry.bytes} bytes), so its compensation cannot read it.`;
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
      return `The desired state was changed (revision ${entry.revision}).`;
    case "observed":
      return `The observation changed (revision ${entry.revision}).`;
    case "decided":
      return `The reconciler applied ${entry.rule}: ${entry.does} ${entry.to}${entry.reason === "" ? "" : ` (${entry.reason})`}.`;
    case "tick_failed":
      return `The rules could not be evaluated: ${entry.message}.`;
    case "collector_failed":
      return `The collector failed: ${entry.error.message}. The collector runs again at ${toInstant(entry.nextAt)}.`;
    case "collector_recovered":
      return `The collector works again; its consecutive failures were ${entry.failures}.`;
  }
}

function words(fact: string): string {
  return fact.replaceAll("_", " ");
}
