// Tests as data: what is given to a virtual run of the definition, and what must come of it. They stand in the definition
// and are stored with it, so that a version and what it promises never part.
import { z } from "zod";
import { actionId } from "./action.ts";
import { duration } from "./timing.ts";
import { executionStatuses } from "../engine/state.ts";
import { runStatuses } from "../engine/run.ts";
import { TEST_ACTIONS_MAX, TEST_CHECKS_MAX, TESTS_BYTES_MAX, TESTS_MAX } from "../limits/virtual.ts";
import { anyObject } from "../values.ts";
import { assumptions, givenList, moment } from "../virtual/assumptions.ts";

const when = z.union([moment, duration]);

const expectedRun = z.strictObject({
  action: actionId.describe("An action's id, or a node's name."),
  at: when.optional().describe("When it first goes out, or is skipped: an instant, or a duration since the start."),
  status: z.enum(runStatuses).optional().describe("How it ends. Default: anything but skipped."),
  reason: z.string().max(100).optional().describe("Why it is skipped or canceled."),
  attempts: z.number().int().min(0).optional(),
  config: anyObject.optional().describe("What its rendered config says, in part."),
});
export type ExpectedRun = z.infer<typeof expectedRun>;

const check = z
  .strictObject({
    at: when.optional().describe("When that is so. Default: in the end."),
    status: z.enum(executionStatuses).optional(),
    states: z.array(z.string().min(1).max(1_000)).max(100).optional().describe("All states or nodes it stands in."),
    variables: anyObject.optional().describe("What its variables say, in part."),
    actions: z.array(expectedRun).max(TEST_ACTIONS_MAX).optional().describe("What has been done by then."),
    only: z.literal(true).optional().describe("true: and nothing else; what is skipped does not count."),
  })
  .refine(({ at: _at, ...said }) => Object.keys(said).length > 0, { message: "say what must be so" });
export type TestCheck = z.infer<typeof check>;

export const definitionTest = z
  .strictObject({
    name: z.string().min(1).max(200).describe("What is tested, as a sentence."),
    startAt: moment.optional().describe("When it starts. Default: 2026-01-05T09:00:00Z, a Monday."),
    variables: anyObject.optional().describe("As a start would give them."),
    given: givenList.optional().describe("What comes to it, and when."),
    assume: assumptions.optional().describe("What comes of actions. Default: each succeeds at once."),
    expect: z.array(check).min(1).max(TEST_CHECKS_MAX).describe("What must come of it, and by when."),
    blocking: z.boolean().optional().describe("true: a version that fails it is refused. Default: false."),
  })
  .meta({ id: "DefinitionTest" });
export type DefinitionTest = z.infer<typeof definitionTest>;

export const definitionTests = z
  .array(definitionTest)
  .max(TESTS_MAX)
  .refine((tests) => new TextEncoder().encode(JSON.stringify(tests)).byteLength <= TESTS_BYTES_MAX, {
    message: `at most ${TESTS_BYTES_MAX} bytes as JSON (TESTS_BYTES_MAX)`,
  });
