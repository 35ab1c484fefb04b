// The size of an execution in its row: measured after every step, and never larger than a row.
import { describe, expect, test } from "vitest";
import { withoutResult } from "#kernel/execution/state-bytes.ts";
import { STATE_BYTES_MAX, STATE_ROW_BYTES_MAX } from "#schema/limits/executions.ts";
import { action, ask, drive, failure, success } from "#test/support/drive.ts";
import { naming } from "#test/support/matchers/naming.ts";

const BIG = 110 * 1024;
/** Rendered, this is some 110 KB. */
const body = { url: "https://example.com", body: "{{ execution.variables.body }}" };
const variables = { body: "x".repeat(BIG) };

function bytesOf(t: { readonly state: unknown }): number {
  return new TextEncoder().encode(JSON.stringify(t.state)).byteLength;
}

function names(count: number): readonly string[] {
  return Array.from({ length: count }, (_, n) => `mail${n}`);
}

const mine = { var: "execution.variables.body" };

/** Actions that start at once, each in its own slot. */
function burst(count: number) {
  return drive({
    concurrency: count,
    states: { a: { on: { go: {} } } },
    actions: names(count).map((name) => action(name, { triggerState: "a", config: body })),
  }).start(variables);
}

describe("twenty frozen configs of 110 KB", () => {
  test("do not make a row that cannot be written: the claims that no longer fit fail their runs, and say why", () => {
    const t = burst(20).claimAll();
    expect(bytesOf(t)).toBeLessThan(STATE_BYTES_MAX + 64 * 1024);
    const failed = t.state.runs.filter(({ status }) => status === "failed");
    expect(failed.length).toBeGreaterThan(5);
    expect(t.state.runs.filter(({ status }) => status === "running").length).toBeGreaterThan(10);
    expect(failed[0]).toMatchObject({
      deadLetter: true,
      config: null,
      error: { type: "invalid_configuration", code: "state_full", message: naming(1572864, "STATE_BYTES_MAX") },
    });
    expect(t.status).toBe("active");
  });

  test("one after the other all go out: what has ended makes room, the oldest first", () => {
    const all = names(20);
    const t = drive({
      states: { a: { on: { go: {} } } },
      actions: all.map((name) => action(name, { triggerState: "a", config: body })),
    }).start(variables);
    for (const name of all) t.ok(name);
    expect(t.state.runs.map(({ status }) => status)).toEqual(all.map(() => "ok"));
    expect(bytesOf(t)).toBeLessThan(STATE_BYTES_MAX);
    const kept = t.state.runs.map(({ config }) => config !== null);
    expect([kept.at(0), kept.at(-1)]).toEqual([false, true]);
    expect(kept).toEqual(kept.toSorted());
    // The journal has all of them.
    const claims = t.entries.filter((entry) => entry.kind === "run_claimed");
    expect(claims.every(({ config }) => JSON.stringify(config).length > BIG)).toBe(true);
  });

  test("of dead letters stay: who sends one again sends the same bytes", () => {
    const t = burst(12).claimAll();
    for (const name of names(12)) t.settle(name, failure({ retryable: false }));
    expect(t.state.runs.every(({ config, deadLetter }) => deadLetter && config !== null)).toBe(true);
  });

  test("of dead letters stay even where what came after them makes room", () => {
    const all = names(18);
    const t = drive({
      states: { a: { on: { go: {} } } },
      actions: all.map((name) => action(name, { triggerState: "a", config: body })),
    }).start(variables);
    for (const name of all.slice(0, 6)) t.miss(name, { retryable: false });
    for (const name of all.slice(6)) t.ok(name);
    const kept = t.state.runs.map(({ config }) => config !== null);
    expect(kept.slice(0, 6)).toEqual(all.slice(0, 6).map(() => true));
    expect(kept.slice(6)).toContain(false);
  });
});

describe("what the engine itself adds", () => {
  const listens = {
    states: {
      a: { on: { "action.mail.ok": { target: "b", assign: { grown: { var: "message.payload.result" } } } } },
      b: {},
    },
    actions: names(8).map((name) => action(name, { triggerState: "a", config: body })),
    concurrency: 8,
  };

  test("beyond the row fails the execution with the reason, and what was settled stays settled", () => {
    const t = drive(listens).start(variables).claimAll();
    t.settle("mail0", success({ result: "y".repeat(STATE_ROW_BYTES_MAX) }));
    expect(t.status).toBe("failed");
    expect(t.state.error).toMatchObject({ type: "state_too_large", message: naming(1835008, "STATE_ROW_BYTES_MAX") });
    expect(t.run("mail0")).toMatchObject({ status: "ok", result: null });
    expect(bytesOf(t)).toBeLessThan(STATE_ROW_BYTES_MAX);
  });

  test("to one that has ended leaves it as it ended", () => {
    const t = drive(listens).start(variables).claimAll().cancel();
    t.settle("mail0", success({ result: "y".repeat(STATE_ROW_BYTES_MAX) }));
    expect([t.status, t.state.error, t.run("mail0").result]).toEqual(["canceled", null, null]);
  });

  test("by passing time fails it as well, in its earlier state", () => {
    const t = drive({
      concurrency: 12,
      states: {
        a: { after: { 1000: { target: "b", assign: { copies: { cat: [mine, mine] } } } } },
        b: { on: { go: {} } },
      },
      actions: names(12).map((name) => action(name, { triggerState: "a", config: body, timeout: 60_000 })),
    });
    t.start({ body: "x".repeat(80 * 1024) }).claimAll();
    t.settle("mail0", success({ result: "y".repeat(740 * 1024) })).tickAt(1000);
    expect([t.status, t.state.error?.type, t.at]).toEqual(["failed", "state_too_large", "a"]);
    expect(Object.keys(t.state.variables)).toEqual(["body"]);
  });
});

test("what comes from outside is taken where it just fits, to the byte", () => {
  const t = drive({ states: { a: { on: { go: "b" } }, b: { on: { later: "a" } } } }).start();
  for (let n = 0; n < 9; n++) t.event("later", "x".repeat(STATE_BYTES_MAX / 10));
  const last = (length: number) => ask.event("later", "x".repeat(length), "last");
  const much = STATE_BYTES_MAX / 5;
  const size = Number(/\d{7,}/.exec(t.refused(last(much)).message)?.[0]); // the first number of the text is the size with the input
  const fits = Math.floor(much) - (size - STATE_BYTES_MAX);
  expect(t.refused(last(fits + 1)).message).toEqual(naming(STATE_BYTES_MAX + 1, "STATE_BYTES_MAX"));
  expect(t.take(last(fits)).state.buffer.length).toBe(10);
});

test("a failed attempt brings nothing along that could be left out", () => {
  expect(withoutResult(failure())).toEqual(failure());
  expect(withoutResult(success({ result: { big: 1 } }))).toEqual(success());
});

describe("told that what it makes cannot be stored", () => {
  const error = { type: "not_storable", message: "the row is refused", retryable: false };

  test("an execution fails in its current state, with the reason", () => {
    const t = burst(2);
    t.take({ kind: "fail", error });
    expect([t.status, t.state.error, t.runs()]).toEqual(["failed", error, ["mail0 canceled", "mail1 canceled"]]);
  });

  test("one that has ended stays as it ended", () => {
    const t = burst(1).cancel();
    t.take({ kind: "fail", error });
    expect([t.status, t.state.error]).toEqual(["canceled", null]);
  });
});
