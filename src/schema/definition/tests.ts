// Definition tests: the input of a virtual run, and the expected result. A version stores its tests.
import { z } from "zod";
import { actionId } from "./action-fields.ts";
import { duration } from "./timing.ts";
import { executionStatuses, nodeStatuses } from "../engine/state.ts";
import { runStatuses } from "../engine/run.ts";
import { TESTS_BYTES_MAX, TESTS_MAX, TEST_ACTIONS_MAX, TEST_CHECKS_MAX } from "../limits/definition-sizes.ts";
import { anyObject } from "../values.ts";
import { actionReference } from "../virtual/action-reference.ts";
import { assumptions, assumedInputs, moment } from "../virtual/assumptions.ts";

const when = z.union([moment, duration]);

const expectedRun = z.strictObject({
  action: actionReference.describe(
    "An action's id, a node's name, an undo step such as pay:undo, or an item such as invite/0.",
  ),
  at: when.optional().describe("When the action is first sent or skipped: an instant, or a duration since the start."),
  status: z
    .enum(runStatuses)
    .optional()
    .describe("The expected status of the action. Without this field, every status except skipped is accepted."),
  reason: z.string().max(100).optional().describe("The expected reason why the action is skipped or canceled."),
  attempts: z.number().int().min(0).optional(),
  config: anyObject.optional().describe("The expected part of the action's rendered config."),
});
export type ExpectedRun = z.infer<typeof expectedRun>;

const check = z
  .strictObject({
    at: when.optional().describe("When these expectations are checked. Default: at the end."),
    status: z.enum(executionStatuses).optional(),
    states: z.array(z.string().min(1).max(1_000)).max(100).optional().describe("All expected current states or nodes."),
    nodes: z
      .record(actionId, z.enum(nodeStatuses))
      .optional()
      .describe("Expected statuses of a journey's nodes, by name. pending: the node has not been reached."),
    variables: anyObject.optional().describe("The expected part of the execution's variables."),
    actions: z
      .array(expectedRun)
      .max(TEST_ACTIONS_MAX)
      .optional()
      .describe("The actions that must be done when the expectations are checked."),
    only: z
      .literal(true)
      .optional()
      .describe("true: no action except the listed actions is done. Skipped actions do not count."),
  })
  .refine(({ at: _at, ...said }) => Object.keys(said).length > 0, { message: "give at least one expectation" });
export type TestCheck = z.infer<typeof check>;

export const definitionTest = z
  .strictObject({
    name: z.string().min(1).max(200).describe("A sentence that says what is tested."),
    startAt: moment.optional().describe("The start of the execution. Default: 2026-01-05T09:00:00Z, a Monday."),
    variables: anyObject.optional().describe("The variables of the start."),
    given: assumedInputs.optional().describe("The inputs that the execution receives, with their times."),
    assume: assumptions.optional().describe("The outcomes of actions. Default: each action succeeds immediately."),
    expect: z.array(check).min(1).max(TEST_CHECKS_MAX).describe("The expected results, and the time of each check."),
    blocking: z.boolean().optional().describe("true: a version that fails this test is refused. Default: false."),
  })
  .meta({ id: "DefinitionTest" });
export type DefinitionTest = z.infer<typeof definitionTest>;

export const definitionTests = z
  .array(definitionTest)
  .max(TESTS_MAX)
  .refine((tests) => new TextEncoder().encode(JSON.stringify(tests)).byteLength <= TESTS_BYTES_MAX, {
    message: `must have at most ${TESTS_BYTES_MAX} bytes as JSON (TESTS_BYTES_MAX)`,
  });
