// A journal entry as one short line, for traces that are read down.
import type { JournalEntry } from "#schema/engine/journal.ts";

export function lineOf(entry: JournalEntry): string {
  switch (entry.kind) {
    case "started":
    case "completed":
    case "paused":
    case "resumed":
    case "erased":
    case "canceled":
    case "patched":
      return entry.kind;
    case "run_redriven":
      return `run_redriven ${entry.run}${entry.edited ? ", edited" : ""}`;
    case "dead_letter_archived":
      return `dead_letter_archived ${entry.run}: ${entry.reason ?? "-"}`;
    case "event_received":
      return `event_received ${entry.event.type}`;
    case "event_ignored":
    case "event_replayed":
      return `${entry.kind} ${entry.type}`;
    case "event_buffered":
      return `event_buffered ${entry.event.type}: ${entry.reason}`;
    case "event_dropped":
      return `event_dropped ${entry.type}: ${entry.reason}`;
    case "moved":
      return `moved ${entry.from ?? "-"} > ${entry.to} by ${entry.by}`;
    case "assigned":
      return `assigned ${JSON.stringify(entry.variables)}`;
    case "timer_armed":
    case "timer_fired":
      return `${entry.kind} ${entry.timer}`;
    case "timer_disarmed":
      return `timer_disarmed ${entry.timer}: ${entry.reason}`;
    case "run_created":
      return `run_created ${entry.run} ${entry.action}${entry.reactivated === undefined ? "" : `: ${entry.reactivated}`}`;
    case "run_ok":
      return `${entry.kind} ${entry.run} ${entry.action}`;
    case "run_dispatched":
    case "run_claimed":
    case "run_settled":
    case "run_retry":
      return `${entry.kind} ${entry.run} #${entry.attempt}`;
    case "run_resent":
      return `run_resent ${entry.run} #${entry.attempt}: ${entry.reason}`;
    case "run_failed":
      return `run_failed ${entry.run} ${entry.action}: ${entry.error.type}`;
    case "run_handled":
      return `run_handled ${entry.run} ${entry.action}: ${entry.event} → ${entry.state}`;
    case "run_skipped":
    case "run_canceled":
      return `${entry.kind} ${entry.run} ${entry.action}: ${entry.reason}`;
    case "run_held":
      return `run_held ${entry.run} #${entry.attempt}: ${entry.reason}`;
    case "timezone_unknown":
      return `timezone_unknown ${"run" in entry ? `${entry.run} ${entry.action}` : entry.timer}: ${entry.given}, so ${entry.taken}`;
    case "run_brought_forward":
      return `run_brought_forward ${entry.run ?? entry.timer ?? entry.action}`;
    case "skipped_by_operator":
      return `skipped_by_operator ${entry.node ?? entry.run}${entry.result === undefined ? "" : ` as ${JSON.stringify(entry.result)}`}`;
    case "action_canceled":
      return `action_canceled ${entry.run}${entry.result === undefined ? "" : ` as ${JSON.stringify(entry.result)}`}`;
    case "rescheduled":
      return `rescheduled ${entry.timer ?? entry.run}`;
    case "held_by_operator":
    case "released":
      return `${entry.kind} ${entry.run}`;
    case "completed_by_operator":
      return `completed_by_operator ${entry.node ?? entry.run} as ${entry.as}`;
    case "parent_notified":
      return `parent_notified ${entry.parent}: ${entry.refused ?? "delivered"}`;
    case "run_reused":
      return `run_reused ${entry.run} ${entry.action}: ${entry.of.execution}/${entry.of.run}`;
    case "ending":
      return `ending as ${entry.as}: ${entry.children.map(({ run }) => run).join(", ")}`;
    case "children_stopped":
    case "children_left":
      return `${entry.kind} ${entry.children.map(({ run }) => run).join(", ")}: ${entry.reason}`;
    case "child_settled":
      return `child_settled ${entry.run} ${entry.action}: ${entry.found}`;
    case "task_withdrawn":
      return `task_withdrawn ${entry.run} ${entry.action}: ${entry.reason}`;
    case "correlated":
    case "correlation_key_registered":
      return `${entry.kind} ${entry.key ?? "-"}`;
    case "subject_notified":
      return entry.kind;
    case "start_held":
      return `start_held ${entry.limit} ${entry.key}: ${entry.reason} ahead ${entry.ahead}`;
    case "start_admitted":
      return `start_admitted after ${entry.waitedMs}`;
    case "start_skipped":
      return `start_skipped ${entry.limit} ${entry.key}: ${entry.reason}`;
    case "correlation_failed":
      return `correlation_failed: ${entry.message}`;
    case "task_update_due":
      return `task_update_due ${entry.run} ${entry.update}`;
    case "task_updated":
      return `task_updated ${entry.run} ${entry.update}: ${entry.found}`;
    case "nodes_skipped":
      return `nodes_skipped ${entry.nodes.join(", ")}: ${entry.reason}`;
    case "edge_taken":
      return `edge_taken ${entry.node}: ${entry.way}`;
    case "token_absorbed":
      return `token_absorbed ${entry.node} from ${entry.from}`;
    case "exited":
      return `exited by ${entry.by}: ${entry.outcome}`;
    case "compensating":
      return `compensating ${entry.nodes.join(", ")}`;
    case "result_not_kept":
      return `result_not_kept ${entry.node}: ${entry.bytes} bytes`;
    case "desired":
      return `desired r${entry.revision}`;
    case "observed":
      return `observed r${entry.revision}`;
    case "decided":
      return `decided ${entry.rule}: ${entry.does} ${entry.to}${entry.reason === "" ? "" : ` (${entry.reason})`}`;
    case "tick_failed":
      return `tick_failed: ${entry.message}`;
    case "collector_failed":
      return `collector_failed ${entry.failures}: ${entry.error.type}`;
    case "collector_recovered":
      return `collector_recovered after ${entry.failures}`;
    case "failed":
      return `failed: ${entry.error.type}`;
  }
}
