// Tests of the JSON examples in the documents that the engine implements. The files in documents/ are literal copies.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { configFindings } from "#runners/draft.ts";
import { machineDefinition } from "#schema/definition/definition.ts";
import type { JsonObject } from "#schema/json.ts";
import { verify, warningsOf } from "#test/kernel/verify/at-once.ts";
import { component, errorsAt, requestBody, responseBody } from "./schemas.ts";

const read = (name: string): JsonObject =>
  JSON.parse(readFileSync(join(import.meta.dirname, `documents/${name}.json`), "utf8")) as JsonObject;

/** A machine with the action, in the state that triggers it. */
function around(action: JsonObject) {
  const state = String(action["triggerState"]);
  const states = { waiting: { on: { go: state } }, [state]: { on: { done: "end" } }, end: { type: "final" } };
  return { kind: "machine", name: "shown", initial: "waiting", actions: [action], states };
}

it.each(["email", "sms", "webhook", "api-call", "envelope", "mint"])("the action %s is accepted as written", (name) => {
  const action = read(name);
  const parsed = machineDefinition.parse(around(action));
  expect(configFindings(String(action["type"]), action["config"] as JsonObject)).toEqual([]);
  expect(verify(parsed)).toEqual([]);
  expect(warningsOf(parsed).filter(({ severity }) => severity === "warning")).toEqual([]);
});

const recurring = responseBody("GET", "/v1/recurring", "200");

it.each([
  ["new-recurring", requestBody("POST", "/v1/recurring")],
  ["recurring-list", recurring],
  ["paused-recurring", responseBody("POST", "/v1/recurring/{id}/pause", "200")],
  ["resumed-recurring", responseBody("POST", "/v1/recurring/{id}/resume", "200")],
  ["created-recurring", component("CreatedRecurring")],
  ["worker-status", component("WorkerStatus")],
  ["worker-statistics", component("WorkerStatistics")],
])("%s fits the API's description", (name, schema) => {
  // The documents abbreviate ids, and answers may have further fields.
  const value = JSON.parse(JSON.stringify(read(name)).replaceAll("uuid-...", "rec_1")) as unknown;
  expect(errorsAt(schema, value, { isPart: name !== "new-recurring" })).toEqual([]);
});

it("reaction-output fits the output of an execution in the worker's view", () => {
  expect(errorsAt(component("WorkerExecution"), { output: read("reaction-output") }, { isPart: true })).toEqual([]);
});
