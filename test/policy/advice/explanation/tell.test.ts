// Each thing that holds an execution up, in a plain sentence, and what may be done about it.
import { describe, expect, test } from "vitest";
import { tell } from "#policy/advice/explanation/tell.ts";
import type { Explanation, Wait } from "#schema/engine/explanation.ts";
import type { Meets } from "#schema/explanation/meets.ts";
import type { GateView } from "#schema/gate.ts";
import { holdReasons } from "#schema/engine/outcome.ts";

import { empty, error, no, of, T } from "./told.ts";

const until = T + 60_000;
const told = (wait: Wait, part: Partial<Explanation> = {}) => {
  const [said] = tell({ ...empty, waits: [wait], ...part }).waits;
  return [said?.says, said?.can.map(({ method, path }) => `${method} ${path}`)];
};
const says = (wait: Wait, part: Partial<Explanation> = {}) => told(wait, part)[0];
const runWait = {
  for: "run",
  ...of,
  status: "scheduled",
  attempt: 0,
  attemptsMax: 3,
  error: null,
  expiresAt: null,
  conditions: [],
  until,
} as const;
const open = { status: "open", until, calls: 0, failed: 0 } as const;
const closed = { ...open, status: "closed", until: null } as const;
const gate: GateView = { breaker: open, inUse: 0, nextAt: T, token: null };
const timer = { for: "timer", timer: "open/after/P1D", state: "open", action: null, guards: [], until } as const;

describe("what it waits for", () => {
  test("a timer says when it fires, whether its guard would let it, and what it starts", () => {
    expect(told({ ...timer, guards: [no] })).toEqual([
      "The timer open/after/P1D fires at 2026-11-18T10:01:00.000Z. As things stand its guard says no (execution.variables.total is 40, message.id is not there).",
      ["POST /v1/executions/exe_1/run-now"],
    ]);
    expect(says({ ...timer, guards: [no, { ...no, values: {} }] })).toContain("its guard say no (");
    expect(says({ ...timer, guards: [{ ...no, values: {} }] })).toContain("says no.");
    expect(says({ ...timer, guards: [{ ...no, fault: "it adds texts" }] })).toContain(
      "cannot be evaluated: it adds texts.",
    );
    expect(says({ ...timer, action: "mail" }, { status: "paused" })).toBe(
      "The timer open/after/P1D starts mail at 2026-11-18T10:01:00.000Z, once it is resumed.",
    );
    const both: Wait[] = [timer, { for: "tenant", until: null }];
    expect(tell({ ...empty, waits: both }).waits[0]?.says).toContain(", once its tenant goes on.");
  });

  test("a run says what it has still to pass: what would let everything through is not told", () => {
    const on = (...meets: readonly Meets[]) => String(says({ ...runWait, meets })).replace(/^.*?Z\./, "");
    const window = { limit: "window", window: "office" } as const;
    expect(on({ ...window, would: "pass", until: null })).toBe("");
    expect(on({ ...window, would: "hold", until })).toBe(
      " Its window will be closed then, and hold it until 2026-11-18T10:01:00.000Z.",
    );
    expect(on({ ...window, would: "skip", until: null })).toBe(
      " Its window opens only when it is not wanted any more.",
    );
    const cap = { limit: "cap", cap: "gentle", subject: "ada", max: 3, per: "P7D", over: "wait" } as const;
    expect(on(cap)).toBe(" The cap gentle lets 3 in P7D through to ada.");
    expect(on({ ...cap, subject: null, per: null, over: "skip" })).toBe(
      " The cap gentle lets 3 a day through to nobody, and skips what is above that.",
    );
    const crm = { limit: "connection", connection: "crm", gate: null } as const;
    expect(on(crm)).toBe(" It goes over crm.");
    expect(on({ ...crm, rateLimit: { perSecond: 5 }, concurrency: 2 })).toBe(
      " It goes over crm, which lets 5 a second and 2 at once through.",
    );
    expect(on({ ...crm, rateLimit: { perMinute: 60 }, gate: { ...gate, breaker: closed } })).toBe(
      " It goes over crm, which lets 60 a minute through.",
    );
    const attention = { since: T, reason: "401", code: null, failures: 1 } as never; // what of it is told is that it is there
    expect(on({ ...crm, gate: { ...gate, attention } })).toBe(
      " It goes over crm; just now its breaker is open until 2026-11-18T10:01:00.000Z, and its provider refuses the account.",
    );
    expect(on(cap, crm)).toBe(" The cap gentle lets 3 in P7D through to ada. It goes over crm.");
  });

  test("a run says where it is on its way, and which try that is", () => {
    expect(told(runWait)).toEqual([
      "Run 3.0 of mail is due at 2026-11-18T10:01:00.000Z.",
      ["POST /v1/executions/exe_1/run-now"],
    ]);
    expect(says({ ...runWait, expiresAt: T, conditions: [no] })).toBe(
      "Run 3.0 of mail is due at 2026-11-18T10:01:00.000Z. As things stand its condition says no (execution.variables.total is 40, message.id is not there). After 2026-11-18T10:00:00.000Z it is not wanted any more.",
    );
    expect(told({ ...runWait, status: "queued", attempt: 1 })).toEqual([
      "Run 3.0 of mail is on its way (attempt 1 of 3); if nobody takes it, it is sent again at 2026-11-18T10:01:00.000Z.",
      [],
    ]);
    expect(says({ ...runWait, status: "running", attempt: 2 })).toContain("is being carried out (attempt 2 of 3)");
    expect(says({ ...runWait, status: "retry", attempt: 1, error })).toBe(
      "Run 3.0 of mail failed with service_unavailable (503) and is tried again at 2026-11-18T10:01:00.000Z (attempt 2 of 3).",
    );
    expect(says({ ...runWait, until: null })).toContain("at a moment nobody knows.");
  });

  test("a date that is not there is named", () => {
    const anchor = {
      for: "anchor",
      run: null,
      timer: "t",
      delay: "later",
      anchor: null,
      values: { a: null, b: 1 },
      until: null,
    } as const;
    expect(told(anchor)).toEqual([
      "The timer t has no instant yet: it hangs on a, which is not there.",
      ["POST /v1/executions/exe_1/patch"],
    ]);
    expect(says({ ...anchor, timer: null, run: "3.0", values: { a: null, c: null } })).toContain(
      "Run 3.0 has no instant yet: it hangs on a, c, which are not there.",
    );
    expect(says({ ...anchor, timer: null, values: {} })).toContain("it hangs on a date.");
  });

  test("what a person holds says who, since when and why, and how it goes on", () => {
    const held = {
      for: "release",
      ...of,
      since: T,
      by: "key:key_1",
      reason: "price_is_wrong",
      dueAt: until,
      until: null,
    } as const;
    expect(told(held)).toEqual([
      "Run 3.0 of mail is held by hand since 2026-11-18T10:00:00.000Z by key:key_1 (price is wrong), until somebody releases it. It was due at 2026-11-18T10:01:00.000Z.",
      ["POST /v1/executions/exe_1/release"],
    ]);
    expect(says({ ...held, reason: null, dueAt: null })).toBe(
      "Run 3.0 of mail is held by hand since 2026-11-18T10:00:00.000Z by key:key_1, until somebody releases it.",
    );
  });

  test("a slot says who has it, and who comes before", () => {
    const slot = { for: "slot", ...of, concurrency: 1, takenBy: ["1.0"], ahead: 0, until: null } as const;
    expect(told(slot)).toEqual(["Run 3.0 of mail waits for one of 1 slots: 1.0 under way.", []]);
    expect(says({ ...slot, ahead: 2 })).toContain("1.0 under way, and 2 more before it.");
    expect(says({ ...slot, takenBy: [] })).toBe("Run 3.0 of mail waits for one of 1 slots.");
  });

  test("a connection says why it holds, and how it is doing", () => {
    const held = { for: "connection", ...of, connection: "mail-main", reason: "rate_limited", until } as const;
    expect(told(held)).toEqual([
      "Run 3.0 of mail is held until 2026-11-18T10:01:00.000Z: mail-main has reached its rate limit.",
      ["GET /v1/connections/mail-main"],
    ]);
    const attention = { since: T, code: "x", reason: "the account is closed.", nextStep: "Open it." };
    const breaker = { status: "closed", until: null, calls: 0, failed: 0 } as const;
    const gate: GateView = { breaker, inUse: 4, nextAt: T, token: null, attention };
    expect(says({ ...held, reason: "concurrency", gate })).toContain("under way (4).");
    expect(told({ ...held, reason: "needs_attention", gate })).toEqual([
      "Run 3.0 of mail is held until 2026-11-18T10:01:00.000Z: the provider refuses the account of mail-main: the account is closed.",
      ["GET /v1/connections/mail-main", "POST /v1/connections/mail-main/test"],
    ]);
    expect(told({ ...held, reason: "unavailable", connection: null })).toEqual([
      "Run 3.0 of mail is held until 2026-11-18T10:01:00.000Z: the catalog could not be asked (unavailable).",
      [],
    ]);
    const all = holdReasons.map((reason) => says({ ...held, reason }));
    expect(all.every((each) => String(each).startsWith("Run 3.0 of mail is held until"))).toBe(true);
  });

  test("an event says what would become of it", () => {
    const event = {
      for: "event",
      event: "paid",
      states: ["open"],
      would: "taken",
      guards: [],
      to: ["done"],
      until: null,
    } as const;
    expect(told(event)).toEqual(["paid would be taken now and lead to done.", ["POST /v1/executions/exe_1/events"]]);
    expect(says({ ...event, to: [] })).toBe("paid would be taken now.");
    expect(says({ ...event, would: "depends" })).toBe(
      "paid is listened for in open; what it carries decides whether it is taken.",
    );
    expect(says({ ...event, would: "depends", states: [] })).toContain("in any state;");
    expect(says({ ...event, would: "refused", guards: [no] })).toContain(
      "paid would be refused now: no guard lets it pass. As things stand",
    );
    expect(says({ ...event, would: "kept" })).toBe("paid would be kept until it is resumed.");
    expect(told({ ...event, event: "*" })).toEqual(["Any event would be taken now and lead to done.", []]);
  });

  test("people, children and pauses are named, with the request that goes on", () => {
    expect(told({ for: "person", ...of, deadLetter: "dl_1", error, until })).toEqual([
      "Run 3.0 of mail has failed for good with service_unavailable (503) and waits for a person until 2026-11-18T10:01:00.000Z.",
      ["GET /v1/dead-letters/dl_1", "POST /v1/dead-letters/dl_1/retry", "POST /v1/dead-letters/dl_1/archive"],
    ]);
    const task = { for: "task", task: "tsk_1", ...of, remindAt: T, escalateAt: until, until: T } as const;
    expect(told(task)).toEqual([
      "The task of mail (run 3.0) is open; it is reminded of at 2026-11-18T10:00:00.000Z; it is escalated at 2026-11-18T10:01:00.000Z.",
      ["GET /v1/tasks/tsk_1", "POST /v1/tasks/tsk_1/complete"],
    ]);
    expect(says({ ...task, remindAt: null, escalateAt: null })).toBe("The task of mail (run 3.0) is open.");
    expect(told({ for: "child", execution: "exe_kid", events: ["child_completed"], ...of, until: null })).toEqual([
      "It waits for the end of exe_kid, which mail has started.",
      ["GET /v1/executions/exe_kid/explain"],
    ]);
    expect(told({ for: "resume", since: T, reason: "action_failed", error, until: null })).toEqual([
      "It is paused since 2026-11-18T10:00:00.000Z (action failed) with service_unavailable (503), until somebody resumes it.",
      ["POST /v1/executions/exe_1/resume", "POST /v1/executions/exe_1/cancel"],
    ]);
    expect(says({ for: "resume", since: T, reason: null, error: null, until: null })).toContain(
      "paused since 2026-11-18T10:00:00.000Z, until",
    );
  });

  test("the engine's own matters are told as well", () => {
    expect(told({ for: "quota", ...of, until })[0]).toContain("the tenant has used up a quota");
    expect(told({ for: "receipt", ...of, until })[0]).toContain("looks again at 2026-11-18T10:01:00.000Z");
    expect(told({ for: "variables", states: ["open"], guards: [no], until: null })[0]).toContain(
      "once its variables let it. As things",
    );
    expect(told({ for: "tenant", until: null })).toEqual([expect.stringContaining("suspended"), []]);
    const parting = { for: "parting", run: "3.0", action: "begin", execution: "exe_child", until } as const;
    expect(told({ ...parting, how: "awaited" })).toEqual([
      "It ends once exe_child, a child by begin, has; it looks again at 2026-11-18T10:01:00.000Z.",
      ["GET /v1/executions/exe_child/explain", "POST /v1/executions/exe_1/cancel", "POST /v1/executions/exe_1/cancel"],
    ]);
    expect(told({ ...parting, how: "canceling" })).toEqual([
      "exe_child, a child by begin, is to be canceled with it; that is asked again at 2026-11-18T10:01:00.000Z.",
      ["GET /v1/executions/exe_child/explain"],
    ]);
    expect(told({ ...parting, how: "canceling", execution: null })).toEqual([
      expect.stringContaining("the execution that run 3.0 may have started, a child by begin, is to be canceled"),
      [],
    ]);
    expect(told({ for: "parent", execution: "exe_up", until })[0]).toContain(
      "exe_up, which waits for its end, has still to hear",
    );
    expect(told({ for: "directory", key: "o-1", until })[0]).toContain("its correlation key o-1;");
    expect(told({ for: "directory", key: null, until })[0]).toContain("its correlation key;");
    const cap = { for: "cap", ...of, cap: "gentle", subject: "ada", max: 3, until } as const;
    expect(told(cap)[0]).toContain("the cap gentle (3) for ada lets no more through before.");
    expect(told({ ...cap, cap: null, subject: null, max: null })[0]).toContain(": the cap lets no more");
    expect(told({ for: "window", ...of, window: null, until })[0]).toContain("its window is closed");
    expect(told({ for: "subject", key: "ada", until })[0]).toContain("Its subject ada has still to be told");
    const join = { for: "join", node: "c", needs: 3, taken: 1, dead: 0, from: ["a", "b"], until: null } as const;
    expect(told(join)).toEqual(["The node c waits for 3 of the ways to it: 1 came, open are those from a, b.", []]);
    expect(says({ ...join, dead: 1 })).toContain("1 came, 1 will not come, open");
    expect(told({ for: "engine", kind: "broken", reason: "a step breaks.", since: T, until })).toEqual([
      "It stands apart since 2026-11-18T10:00:00.000Z (broken): a step breaks. It is looked at again at 2026-11-18T10:01:00.000Z.",
      ["POST /v1/executions/exe_1/cancel"],
    ]);
  });
});
