// Tests the response to a sender.
import { expect, test } from "vitest";
import { senderResponse } from "#policy/inbound/sender-response.ts";
import type { Effect } from "#schema/inbound/delivery.ts";

const common = { key: "trigger/trg_1/k", correlationId: null };
const start: Effect = { kind: "start", ...common, execution: "exe_1", definition: "d", variables: {}, namespace: "n" };
const event: Effect = { kind: "event", ...common, execution: "exe_1", type: "go", payload: null };
const post: Effect = { kind: "post", ...common, correlationKey: "o-1", type: "go", payload: null, keepMs: 0 };

test.each([
  ["nothing", null, null, null],
  ["an execution that starts", start, "exe_1", null],
  ["an event for one execution", event, "exe_1", "trigger/trg_1/k"],
  ["a published event", post, null, "trigger/trg_1/k"],
] as const)("%s", (_what, effect, execution, id) => {
  expect(senderResponse(effect)).toEqual({ execution, event: id });
});
