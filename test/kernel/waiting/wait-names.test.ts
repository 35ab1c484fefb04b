// The names of waits, by which lists of executions are filtered.
import { expect, test } from "vitest";
import { waitNames } from "#kernel/waiting/wait-names.ts";
import { WAIT_NAMES_MAX } from "#schema/limits/executions.ts";
import type { Hold } from "#schema/engine/outcome.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { drive, failure, hour, T0 } from "#test/support/drive.ts";
import { one } from "#test/support/one-mail.ts";

const states = { a: { on: { go: "b" } }, b: { on: { back: "a" } } };
const idle = (): ExecutionState => drive({ states }).start().state;
const anchored = { anchor: { var: "execution.variables.date" } };

function heldBy(connection: string | null): ExecutionState {
  const { state } = one({ delay: "PT1H" }, states);
  const held: Hold = { reason: "rate_limited", until: T0 + hour, connection };
  return { ...state, runs: state.runs.map((run) => ({ ...run, held })) };
}

test.each<[string, ExecutionState, readonly string[] | null, readonly string[]]>([
  ["events", idle(), ["go", "action.mail.ok", "*"], ["event:go", "event:*"]],
  ["unknown events", idle(), null, []],
  ["a pause", drive({ states }).start().pause().state, [], ["resume"]],
  ["a planned run", one({ delay: "PT1H" }, states).state, [], ["timer"]],
  ["a run of a connection", heldBy("mail"), [], ["connection:mail"]],
  ["a run of another hold", heldBy(null), [], ["timer"]],
  ["a held run", one({ delay: "PT1H" }, states).verb({ kind: "hold", run: "1.0" }).state, [], ["release"]],
  ["a missing variable", one({ delay: anchored }, states).state, [], ["variable"]],
  ["a consumer", one({}, states).state, [], ["action"]],
  [
    "a retry",
    one({}, states)
      .claim("mail")
      .settle("mail", failure({}, { retryAfterMs: hour })).state,
    [],
    ["retry"],
  ],
  ["a decision", one({ retryPolicy: { maxAttempts: 1 } }, states).miss("mail").state, [], ["decision"]],
  ["a timer", drive({ states: { a: { after: { P1D: "b" } }, b: { type: "final" } } }).start().state, [], ["timer"]],
  [
    "a timer without its variable",
    drive({ states: { a: { after: { due: "b" } }, b: { type: "final" } }, delays: { due: anchored } }).start().state,
    [],
    ["variable"],
  ],
  ["the end", drive({ states }).start().cancel().state, ["go"], []],
])("%s", (_what, state, accepts, expected) => {
  expect(waitNames(state, T0, accepts)).toEqual(expected);
});

test("the number of names is limited", () => {
  const types = Array.from({ length: WAIT_NAMES_MAX + 1 }, (_, n) => `e${n}`);
  expect(waitNames(idle(), T0, types)).toHaveLength(WAIT_NAMES_MAX);
});
