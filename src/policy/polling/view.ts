// How a poller is doing, in words, and what a person can do about it at three in the morning.
import type { PollCursor, PollerView, PollState } from "#schema/inbound/polling.ts";
import { POLL_CURSOR_SHOWN_CHARS } from "#schema/limits/polling.ts";
import { isFull, type Backlog } from "./step.ts";

export function viewPoll(state: PollState, backlog: Backlog, seen: number): PollerView {
  const { last, nextAt, failures, hasBaseline, round, cursor, trouble, terms } = state;
  const isStuck = isFull(backlog);
  const reason = isStuck ? full(backlog.count, terms.order === "newest_first" && round !== null) : trouble;
  const health =
    nextAt === null || last?.outcome === "off" ? "off" : isStuck ? "waiting" : reason === null ? "healthy" : "failing";
  return {
    ...{ health, reason, nextStep: reason === null ? null : (steps[reason.code] ?? otherwise(failures)) },
    ...{ lastPollAt: last?.at ?? null, outcome: last?.outcome ?? null, found: last?.found ?? 0, nextPollAt: nextAt },
    ...{
      troubleSince: trouble === null ? null : (state.troubledAt ?? null),
      failures,
      hasBaseline,
      cursor: shown(round === null ? cursor : round.cursor),
      backlog: backlog.count,
      seen,
    },
  };
}

/** It does not pass by itself. */
export function needsPerson(code: string): boolean {
  return Object.hasOwn(steps, code) && code !== "tenant_suspended" && code !== "trigger_gone";
}

function full(count: number, isNewestFirst: boolean) {
  if (!isNewestFirst)
    return {
      code: "backlog_full",
      message: `${count} items wait to be delivered: no page is read before there is room`,
    };
  return { code: "backlog_too_deep", message: `${count} new items, newest first, and none that is known yet` };
}

/** An address without its query, and the beginning of a cursor. */
function shown(cursor: PollCursor | null): string | null {
  if (cursor === null) return null;
  if (cursor.by === "value")
    return cursor.at.length <= POLL_CURSOR_SHOWN_CHARS ? cursor.at : `${cursor.at.slice(0, POLL_CURSOR_SHOWN_CHARS)}…`;
  return `${cursor.at.replace(/[?#].*$/s, "")}${cursor.at.includes("?") ? "?…" : ""}`;
}

function otherwise(failures: number): string {
  return failures < 3
    ? "It is tried again by itself; see nextPollAt."
    : "See what the provider says, mend the request or the connection (PATCH), then POST …/poll.";
}

const steps: { readonly [code: string]: string } = {
  cursor_frozen: "Check poll.paging against an answer of the provider: what it names leads to the same page again.",
  too_many_pages:
    "Narrow the request (a filter, larger pages), or read the feed on from where it was (resume: cursor).",
  list_too_long: "Narrow the request, sort it newest first (order), or read it on from where it was (resume: cursor).",
  backlog_full: "See the deliveries that are pending or unmappable: what holds them up holds this up.",
  backlog_too_deep:
    "Narrow the request, or take note of what is there and go on from now: PATCH ?position=reset with from: now.",
  items_missing: "Set poll.items to where the list is: POST …/poll?dryRun=true tries it.",
  id_missing: "Set poll.id to where an item has its id: POST …/poll?dryRun=true tries it.",
  page_too_long: "Ask for smaller pages in poll.request.query.",
  validator_missing: "Use change: hash, which compares the content.",
  cursor_unreadable: "Check poll.paging against an answer of the provider.",
  next_page_elsewhere: "Credentials go to one host only: page by a cursor, or ask the other host.",
  authentication_failed: "Mend the connection's credentials, or the secret that the request names.",
  authorization_failed: "The account may not read this: give it the right at the provider.",
  tenant_suspended: "The tenant is suspended: nothing is asked until it goes on.",
  trigger_gone: "It is deleted.",
};
