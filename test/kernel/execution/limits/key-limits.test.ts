// The limits by key of a run: on its ticket when it is claimed, with the key of the run, and its places while it is held.
import { expect, test } from "vitest";
import { explain } from "#kernel/explain/explain.ts";
import { compile } from "#kernel/programs/compile.ts";
import { keyLimit, keyLimits, type KeyLimit } from "#schema/definition/key-limit.ts";
import type { LimitPlace } from "#schema/key-limits/calls.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { JsonObject } from "#schema/json.ts";
import { LIMIT_KEY_CHARS_MAX } from "#schema/limits/limits-by-key.ts";
import { action, drive, driveProgram, failure, hour, machine, second, T0, type Drive } from "#test/support/drive.ts";
import { naming } from "#test/support/matchers/naming.ts";

const customer = { var: "execution.variables.customer" };
const states = { a: { on: { "action.mail.skipped": "passed", go: "b" } }, passed: {}, b: {} };

function limited(limit: readonly KeyLimit[]): Drive {
  const mail = action("mail", { triggerState: "a", limit: [...limit] });
  const definition = machine({ states, actions: [mail] });
  return driveProgram([compile(definition), compile(definition)]);
}
const claimed = (limit: readonly KeyLimit[], variables: JsonObject = { customer: "ada" }) =>
  limited(limit).start(variables).claim("mail").run("mail");

test("a claimed run has the names, keys and terms of its limits", () => {
  const limit: KeyLimit[] = [
    { key: customer, concurrency: 2 },
    { name: "mails", key: customer, rate: { max: 5, per: "PT1H" }, throttle: { max: 10, per: "PT1M", burst: 3 } },
    { key: customer, debounce: { for: "PT30S", atMost: "PT5M" }, singleton: "skip" },
  ];
  const name = `${machine({ states }).name}/mail`;
  expect(claimed(limit).limits).toEqual([
    { name: `${name}/0`, key: "ada", terms: { concurrency: 2 } },
    {
      name: "mails",
      key: "ada",
      terms: { rate: { max: 5, perMs: hour }, throttle: { calls: 10, perMs: 60 * second, burst: 3 } },
    },
    {
      name: `${name}/2`,
      key: "ada",
      terms: { debounce: { forMs: 30 * second, atMostMs: 300 * second }, singleton: "skip" },
    },
  ]);
  const usual = [{ key: customer, throttle: { max: 1, per: "PT1M" }, debounce: { for: "PT1S" } }];
  expect(claimed(usual, { customer: 17 }).limits).toMatchObject([
    { key: "17", terms: { throttle: { burst: 1 }, debounce: { atMostMs: null } } },
  ]);
});

test("an action without limits has none on its ticket", () => {
  const definition = machine({ states, actions: [action("mail", { triggerState: "a" })] });
  const plain = driveProgram([compile(definition), compile(definition)])
    .start()
    .claim("mail");
  expect(plain.run("mail").limits).toBeUndefined();
});

test.each<[string, KeyLimit["key"], JsonObject]>([
  ["has no value", customer, {}],
  ["is an object", customer, { customer: { id: 1 } }],
  ["is empty", customer, { customer: "" }],
  ["is too long", customer, { customer: "x".repeat(LIMIT_KEY_CHARS_MAX + 1) }],
  ["cannot be evaluated", { "+": [customer, 1] }, { customer: { id: 1 } }],
])("a run whose key %s fails and is not sent", (_name, key, variables) => {
  const error = { type: "invalid_configuration", message: naming("mails") };
  expect(claimed([{ name: "mails", key, concurrency: 1 }], variables)).toMatchObject({ status: "failed", error });
});

const place: LimitPlace = { name: "mails", since: T0, stage: "line", ahead: 2 };
const held = (reason: string, places?: readonly LimitPlace[]): Outcome =>
  ({ ...failure(), held: { reason, until: T0 + hour, connection: null, ...(places ? { places } : {}) } }) as Outcome;

test("a held run keeps its places, also while another limit holds it", () => {
  const t = limited([{ name: "mails", key: customer, concurrency: 1 }]).start({ customer: "ada" });
  t.claim("mail").settle("mail", held("limit_concurrency", [place]));
  expect(t.run("mail")).toMatchObject({ status: "scheduled", attempt: 0, held: { places: [place] } });
  t.tickAt(hour).claim("mail").settle("mail", held("quota"));
  expect(t.run("mail").held).toMatchObject({ reason: "quota", places: [place] });
});

test.each(["rate_limited_by_key", "debounced", "singleton"] as const)("a run may be skipped as %s", (skipped) => {
  const t = limited([{ name: "mails", key: customer, singleton: "skip" }]).start({ customer: "ada" });
  t.claim("mail").settle("mail", { ...failure(), skipped } as Outcome);
  expect(t.run("mail")).toMatchObject({ status: "skipped", reason: skipped, attempts: [] });
  expect(t.at).toBe("passed");
});

test("a skip by a limit says when a new run may start: in the journal, the event and the explanation", () => {
  const limit: KeyLimit[] = [{ name: "mails", key: customer, rate: { max: 1, per: "PT1H" } }];
  const actions = [action("mail", { triggerState: "a", limit }), action("note", { triggerState: "passed" })];
  const t = drive({ states, actions }).start({ customer: "ada" });
  t.claim("mail").settle("mail", { ...failure(), skipped: "rate_limited_by_key", nextAt: T0 + hour } as Outcome);
  const entry = t.entries.find(({ kind }) => kind === "run_skipped");
  expect(entry).toMatchObject({ reason: "rate_limited_by_key", nextAt: T0 + hour });
  const event = t.state.triggers.find(({ message }) => message?.type === "action.mail.skipped");
  const explained = (recent: readonly JournalEntry[]) =>
    explain({ program: t.program, state: t.state, now: T0, suspended: false, recent, quarantined: null }).notDone;
  expect(explained(t.entries)).toMatchObject([{ what: "run", nextAt: T0 + hour }]);
  expect(explained([])[0]).not.toHaveProperty("nextAt");
  expect(event?.message?.payload).toMatchObject({ nextAt: new Date(T0 + hour).toISOString() });
});

test.each<[string, object, readonly (string | number)[]]>([
  ["a limit without terms", { key: "a" }, []],
  ["a concurrency beside singleton", { key: "a", concurrency: 1, singleton: "skip" }, ["concurrency"]],
  [
    "a longest wait below the quiet time",
    { key: "a", debounce: { for: "PT1M", atMost: "PT1S" } },
    ["debounce", "atMost"],
  ],
  ["a quiet time in months", { key: "a", debounce: { for: "P1M" } }, ["debounce", "for"]],
  ["a period in years", { key: "a", rate: { max: 1, per: "P1Y" } }, ["rate", "per"]],
])("the schema refuses %s", (_name, limit, path) => {
  expect(keyLimit.safeParse(limit).error?.issues).toMatchObject([{ path }]);
});

test("the schema refuses two limits with one name", () => {
  const limit = { name: "mails", key: "a", concurrency: 1 };
  expect(keyLimits.safeParse([limit, { ...limit, name: "calls" }, { key: "a", concurrency: 1 }]).success).toBe(true);
  expect(keyLimits.safeParse([limit, limit]).success).toBe(false);
});
