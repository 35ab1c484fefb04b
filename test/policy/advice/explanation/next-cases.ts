// Cases for the next entry, the end and items without effect, with the values that each sentence names. The sentences
// are recorded in test/golden/sentences/explanation.txt.
import { emptyPrediction } from "#kernel/explain/predict-next.ts";
import type { Explanation, PredictedEntry, NotDone, Wait } from "#schema/engine/explanation.ts";
import { error, no, of, T } from "./sentences-of.ts";

const AT = "2026-11-18T10:00:00.000Z";
const about = { run: "3.0", action: "mail" };
type Named = readonly string[];

export const nextCases: readonly (readonly [part: Partial<PredictedEntry>, named: Named])[] = [
  [{ kind: "run_dispatched", about, at: T }, ["3.0, mail", AT]],
  [{ kind: "run_settled", about, by: "runner", assumes: "ok", latest: T }, ["3.0, mail", "ok", AT]],
  [{ kind: "run_claimed", by: "runner" }, []],
  [{ kind: "correlation_key_registered", by: "directory" }, ["correlation key registered"]],
  [{ kind: "start_admitted", by: "limit", earliest: T }, ["start admitted", AT]],
  [{ kind: "event_received", by: "event", events: ["paid", "left"] }, ["paid, left"]],
  [{ kind: "event_buffered", by: "event" }, []],
  [{ kind: "resumed", by: "person" }, ["resumed"]],
  [{ kind: "event_received", by: "person", events: ["task_completed"] }, ["task_completed"]],
  [{ kind: "event_received", by: "child", events: ["child_failed"] }, ["child_failed"]],
  [{ kind: "timer_fired", about: { timer: "t" }, by: "tenant", earliest: T }, ["t", AT]],
  [{ kind: "completed", by: "none" }, ["completed"]],
  [{ by: "retention", at: T }, [AT]],
  [{ by: "retention" }, []],
  [{ earliest: T }, [AT]],
  [{ by: "none" }, []],
];

const apart: Wait = { for: "engine", kind: "broken", reason: "x", since: T, until: T };
const observed = { revision: 1, observedAt: T, isStale: false, fault: null, guards: [], until: null } as const;
const collector = { action: "probe", nextAt: T + 60_000, failures: 3, error };
const failing: Wait = { for: "observation", ...observed, collector };
const working: Wait = { for: "observation", ...observed, collector: { ...collector, failures: 0, error: null } };
const ended = (part: object) =>
  ({ ended: { status: "completed", at: T, reason: null, error: null, ...part } }) as const;

/** Cases for the summary of an explanation. */
export const lineCases: readonly (readonly [part: Partial<Explanation>, named: Named])[] = [
  [{}, ["waiting", "open"]],
  [{ states: [] }, ["waiting"]],
  [{ status: null }, []],
  [{ waits: [apart] }, ["waiting", "open"]],
  [{ waits: [failing] }, ["waiting", "probe", "2026-11-18T10:01:00.000Z", "503", "3"]],
  [ended({}), ["completed", AT]],
  [ended({ status: "canceled", reason: "unwanted" }), ["canceled", AT, "unwanted"]],
  [ended({ status: "canceled", reason: "not_wanted" }), ["canceled", AT]],
  [ended({ status: "failed", error }), ["failed", AT, "503"]],
  [{ or: [emptyPrediction("none")] }, ["waiting", "open"]],
];

const run: NotDone = {
  what: "run",
  ...of,
  status: "skipped",
  reason: "condition_false",
  at: T,
  error: null,
  heard: null,
  deadLetter: null,
  conditions: [no],
};
const failed = { ...run, status: "failed", conditions: [], error } as const;
const heard = { event: "action.mail.failed", state: "sorry" };
const event = { what: "event", event: "paid", id: "evt_1", outcome: "kept", reason: "early", at: null } as const;
const node = { what: "node", node: "b", reason: "not_reached", at: T } as const;

/** A collector that works is not in the summary. */
export const workingCollector = working;

type NotDoneCase = readonly [not: NotDone, named: readonly (string | number)[], can?: readonly string[]];
export const notDoneCases: { readonly [test: string]: readonly NotDoneCase[] } = {
  "a run says why, and where a person may still send it": [
    [
      run,
      ["3.0", "mail", "skipped", AT, "execution.variables.total", 40, "message.id"],
      ["/v1/executions/exe_1/run-now"],
    ],
    [
      { ...run, reason: "rate_limited_by_key", nextAt: T + 3_600_000, conditions: [] },
      ["3.0", "mail", "skipped", AT, new Date(T + 3_600_000).toISOString()],
    ],
    [
      { ...run, status: "canceled", reason: "elsewhere", conditions: [] },
      ["3.0", "mail", "canceled", AT, "elsewhere"],
      [],
    ],
    [
      { ...failed, reason: "waits_for_person", deadLetter: "dl_1" },
      ["3.0", "mail", "failed", AT, "service_unavailable", 503],
      ["/v1/dead-letters/dl_1", "/v1/dead-letters/dl_1/retry", "/v1/dead-letters/dl_1/archive"],
    ],
    [{ ...failed, reason: "archived", error: null }, ["3.0", "mail", "failed", AT, "archived"]],
    [{ ...failed, reason: "handled", heard }, ["3.0", "mail", "action.mail.failed", "sorry"]],
  ],
  "an event and a timer say what became of them": [
    [event, ["paid", "early"], []],
    [
      { ...event, outcome: "dropped", at: T, reason: "execution_canceled" },
      ["paid", "dropped", AT],
      ["/v1/executions/exe_1/events"],
    ],
    [{ ...event, outcome: "ignored" }, ["paid", "ignored", "early"]],
    [{ what: "timer", timer: "t", reason: "already_past", at: T }, ["t", AT], []],
  ],
  "a node of a journey says why it was passed over": [
    [node, ["b", AT], []],
    [{ ...node, reason: "elsewhere", at: null }, ["b", "elsewhere"]],
  ],
};
