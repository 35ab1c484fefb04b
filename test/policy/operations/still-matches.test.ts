import { expect, test } from "vitest";
import { stillMatches } from "#policy/operations/still-matches.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { RecheckedFilter } from "#schema/engine/execution-command.ts";

const standing = (status: ExecutionState["status"], ...states: string[]) =>
  ({ status, position: { kind: "machine", value: {}, history: {}, states, done: false } }) as const;

test.each<[RecheckedFilter, ExecutionState["status"], string[], boolean]>([
  [{}, "canceled", [], true],
  [{ status: "waiting" }, "waiting", ["open"], true],
  [{ status: "waiting" }, "active", ["open"], false],
  [{ state: "open" }, "active", ["open"], true],
  [{ state: "open" }, "active", ["open.payment"], true],
  [{ state: "open.payment" }, "active", ["open"], false],
  [{ state: "open" }, "active", ["opened"], false],
  [{ state: "right" }, "active", ["left", "right.far"], true],
  [{ state: "open", status: "paused" }, "paused", ["open"], true],
  [{ state: "open", status: "paused" }, "waiting", ["open"], false],
  [{ state: "open", status: "paused" }, "paused", ["shut"], false],
])("the filter %j on an execution that is %s in %j: %s", (meant, status, states, isMeant) => {
  expect(stillMatches(meant, standing(status, ...states))).toBe(isMeant);
});
