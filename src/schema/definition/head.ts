// What every kind of definition says of itself, whatever its process looks like.
import { z } from "zod";
import { lane } from "./action.ts";
import { declaredEvents, declaredSchema } from "./declared.ts";
import { isIdOf } from "../ids.ts";
import { jsonObject, rule } from "../json.ts";
import { limits } from "../limits.ts";
import { definitionTests } from "./tests.ts";
import { duration, namedDelay, timezone } from "./timing.ts";

export const placement = z.enum(["own", "pooled"]);
export type Placement = z.infer<typeof placement>;

export const definitionName = z
  .string()
  .max(limits.idLengthMax)
  .regex(/^[a-z][a-z0-9_-]*$/, { message: "a small letter, then small letters, digits, _ or -" })
  .refine((name) => !isIdOf("def", name), { message: "names beginning with def_ are taken by ids" });

export const assign = z.record(z.string().min(1).max(100), rule);
export type Assign = z.infer<typeof assign>;

/** How delays, windows and caps are called. */
export const ownName = z
  .string()
  .max(limits.idLengthMax)
  .regex(/^[A-Za-z][A-Za-z0-9_-]*$/, { message: "a letter, then letters, digits, _ or -" });

/** Where an editor finds what a definition may say (/schemas/definition.json). Nothing of the process: it is not stored. */
const schemaAddress = z
  .string()
  .max(limits.referenceCharsMax)
  .optional()
  .meta({ description: "The address of this schema, for editors. It is not stored." });

export const headFields = {
  $schema: schemaAddress,
  name: definitionName.describe("What versions are versions of."),
  concurrency: z
    .number()
    .int()
    .min(1)
    .max(limits.concurrencyMax)
    .optional()
    .describe("How many runs may be under way at once. Default: 1."),
  placement: placement
    .optional()
    .describe("Where executions live: in an object of their own, or sharing some. Default: own."),
  lane: lane.optional().describe("How its actions travel. Default: auto."),
  retention: duration.optional().describe("How long a finished execution keeps its history."),
  timezone: timezone.optional().describe("For dates without an offset, times of day and schedules. Default: UTC."),
  variables: jsonObject.optional().describe("Defaults; an execution's own go over them, key by key."),
  input: declaredSchema.optional().describe("JSON Schema of the variables that a start gives."),
  events: declaredEvents
    .optional()
    .describe("JSON Schema of what events from outside bring as their payload, by type."),
  correlation: z
    .strictObject({ key: rule.describe("JSONLogic over its variables: a text or a number.") })
    .optional()
    .describe("Under which key posted events find its executions."),
  tests: definitionTests.optional().describe("What must come of it, given what: run on every new version."),
};

export const delaysField = z
  .record(ownName, namedDelay)
  .optional()
  .describe("Delays by name, for `after`, for nodes and for actions.");
