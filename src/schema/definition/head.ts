// Definition head: the fields that every kind of definition has.
import { z } from "zod";
import { lane } from "./action-fields.ts";
import { cap, capName } from "./cap.ts";
import { eventSchemas, inputSchemaObject } from "./input-schema.ts";
import { isIdOf } from "../ids.ts";
import { keyLimits } from "./key-limit.ts";
import { jsonObject, rule } from "../json.ts";
import { ID_CHARS_MAX, REFERENCE_CHARS_MAX } from "../limits/api-requests.ts";
import { EXECUTION_CONCURRENCY_MAX } from "../limits/run-attempts.ts";
import { pinnedCalendars } from "./holidays.ts";
import { ownName } from "./own-name.ts";
import { searchVariables } from "../search/search-variables.ts";
import { definitionTests } from "./tests.ts";
import { duration, namedDelay, zoneSetting } from "./timing.ts";
import { window } from "./window.ts";

export const placement = z.enum(["own", "pooled"]);
export type Placement = z.infer<typeof placement>;

export const definitionName = z
  .string()
  .max(ID_CHARS_MAX)
  .regex(/^[a-z][a-z0-9_-]*$/, {
    message: "must begin with a lower-case letter and contain only lower-case letters, digits, _ and -",
  })
  .refine((name) => !isIdOf("def", name), { message: "must not begin with def_, which is reserved for ids" });

export const assign = z.record(z.string().min(1).max(100), rule);
export type Assign = z.infer<typeof assign>;

/**
 * The URL of the definition schema, with which editors check the file. The field is accepted but not stored, because
 * the engine does not use it.
 */
const schemaAddress = z
  .string()
  .max(REFERENCE_CHARS_MAX)
  .optional()
  .meta({ description: "The address of this schema, for editors. It is not stored." });

export const headFields = {
  $schema: schemaAddress,
  name: definitionName.describe("The name shared by all versions."),
  concurrency: z
    .number()
    .int()
    .min(1)
    .max(EXECUTION_CONCURRENCY_MAX)
    .optional()
    .describe("How many runs of an execution may be in progress at the same time. Default: 1."),
  placement: placement
    .optional()
    .describe("own: each execution has its own Durable Object. pooled: executions share objects. Default: own."),
  lane: lane.optional().describe("The lane of the actions: direct, queue or auto. Default: auto."),
  retention: duration.optional().describe("How long the history of an execution is kept after its end."),
  timezone: zoneSetting
    .optional()
    .describe(
      "The time zone of dates without an offset, times of day and schedules. Or a rule that returns it, such as one zone per customer. Default: UTC.",
    ),
  limit: keyLimits
    .optional()
    .describe(
      "Limits by key on starts. Each counts executions instead of runs, and an execution holds its slot from its first move to its end. The key may read only `execution` and `tenant`.",
    ),
  variables: jsonObject
    .optional()
    .describe("Default values of variables. The variables of a start override them by name."),
  input: inputSchemaObject.optional().describe("JSON Schema of the variables that a start may send."),
  events: eventSchemas.optional().describe("JSON Schemas of the payloads of events that clients send, by event type."),
  correlation: z
    .strictObject({
      key: rule.describe("A JSONLogic rule over the execution's variables. It returns a text or a number."),
    })
    .optional()
    .describe("The correlation key, by which published events find executions."),
  searchVariables: searchVariables
    .optional()
    .describe(
      'Variables by which `GET /v1/executions` can be searched, with the type of each: string, number or date. Example: `{ "orderId": "string", "total": "number" }`.',
    ),
  tests: definitionTests
    .optional()
    .describe("Tests with given inputs and expected results. The engine runs them for every new version."),
};

/** The dates of the named calendars, which the engine stores with the definition. */
export const calendarsField = pinnedCalendars
  .optional()
  .describe(
    "The dates of the calendars that the definition names. The engine sets this field when the definition is stored, and replaces a sent value.",
  );

export const delaysField = z
  .record(ownName, namedDelay)
  .optional()
  .describe("Delays by name, for `after`, for nodes and for actions.");

export const limitsFields = {
  windows: z.record(ownName, window).optional().describe("Opening hours for actions, by name."),
  caps: z
    .record(capName, cap)
    .optional()
    .describe("Caps by name. A cap is the maximum number of actions for one subject."),
};
