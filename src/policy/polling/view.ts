// Describes the status of a poller in words, with advice for the operator.
import type { PollCursor, PollerView, PollState } from "#schema/inbound/polling.ts";
import { POLL_CURSOR_SHOWN_CHARS } from "#schema/limits/inbound/polling.ts";
import { isFull, type Backlog } from "./step.ts";

export function viewPoll(state: PollState, backlog: Backlog, seen: number): PollerView {
  const { last, nextAt, failures, hasBaseline, cycle, cursor, trouble, terms } = state;
  const isStuck = isFull(backlog);
  const reason = isStuck ? backlogTrouble(backlog.count, terms.order === "newest_first" && cycle !== null) : trouble;
  const health =
    nextAt === null || last?.outcome === "off" ? "off" : isStuck ? "waiting" : reason === null ? "healthy" : "failing";
  return {
    health,
    reason,
    nextStep: reason === null ? null : (nextSteps[reason.code] ?? defaultStep(failures)),
    lastPollAt: last?.at ?? null,
    outcome: last?.outcome ?? null,
    found: last?.found ?? 0,
    nextPollAt: nextAt,
    troubleSince: trouble === null ? null : (state.troubledAt ?? null),
    failures,
    hasBaseline,
    cursor: shortCursor(cycle === null ? cursor : cycle.cursor),
    backlog: backlog.count,
    seen,
  };
}

/** Returns whether an operator must act, because waiting does not solve the problem. */
export function needsOperator(code: string): boolean {
  return Object.hasOwn(nextSteps, code) && code !== "tenant_suspended" && code !== "trigger_gone";
}

function backlogTrouble(count: number, isNewestFirst: boolean) {
  if (!isNewestFirst)
    return {
      code: "backlog_full",
      message: `${count} items wait for delivery, so no page is read until some are delivered`,
    };
  return {
    code: "backlog_too_deep",
    message: `the list has ${count} new items, newest first, and no item that the poller already knows`,
  };
}

/** Shortens a cursor for display: a URL loses its query, and any other cursor is cut. */
function shortCursor(cursor: PollCursor | null): string | null {
  if (cursor === null) return null;
  if (cursor.by === "value")
    return cursor.at.length <= POLL_CURSOR_SHOWN_CHARS ? cursor.at : `${cursor.at.slice(0, POLL_CURSOR_SHOWN_CHARS)}…`;
  return `${cursor.at.replace(/[?#].*$/s, "")}${cursor.at.includes("?") ? "?…" : ""}`;
}

function defaultStep(failures: number): string {
  return failures < 3
    ? "The poll is retried automatically at nextPollAt."
    : "Read the provider's response, correct the request or the connection (PATCH), then POST …/poll.";
}

const nextSteps: { readonly [code: string]: string } = {
  cursor_frozen: "Compare poll.paging with a response of the provider, because paging leads to the same page again.",
  too_many_pages:
    "Narrow the request with a filter or larger pages, or continue from the last position (resume: cursor).",
  list_too_long:
    "Narrow the request, sort the list newest first (order), or continue from the last position (resume: cursor).",
  backlog_full: "Read the pending and unmappable deliveries, which block the poller, and fix their cause.",
  backlog_too_deep:
    'Narrow the request. Or record the existing items without delivering them: PATCH ?position=reset with "from": "now".',
  items_missing:
    "Set poll.items to the path of the list in the response. Test the change with POST …/poll?dryRun=true.",
  id_missing: "Set poll.id to the path of the id in an item. Test the change with POST …/poll?dryRun=true.",
  page_too_long: "Request smaller pages in poll.request.query.",
  validator_missing: 'Set "change" to "hash", which compares the content.',
  cursor_unreadable: "Compare poll.paging with a response of the provider.",
  next_page_other_host:
    "The poller sends credentials to one host only. Use a cursor for paging, or set the other host in poll.request.",
  authentication_failed: "Correct the connection's credentials, or the secret named in the request.",
  authorization_failed: "The connection's account may not read this list. Grant the permission at the provider.",
  tenant_suspended: "The tenant is suspended: the poller waits until an operator resumes the tenant.",
  trigger_gone: "The trigger was deleted, so it no longer polls.",
};
