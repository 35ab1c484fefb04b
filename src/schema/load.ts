// Load plans: the requests of a load test, their pace, and the expected results. The engine makes a plan; a script
// outside of the Worker executes it.
import { z } from "zod";
import { defaults } from "./defaults.ts";
import { anyJson, anyObject } from "./values.ts";
import { BATCH_STARTS_MAX, ID_CHARS_MAX } from "./limits/api-requests.ts";
import { LOAD_CONCURRENCY_MAX, LOAD_REQUESTS_PER_SECOND_MAX, LOAD_VALUES_MAX } from "./limits/planning/load-plans.ts";
import { duration } from "./definition/timing.ts";

export const scenarioNames = [
  "steady",
  "batch",
  "duplicates",
  "provider_slow",
  "provider_errors",
  "rate_limited",
  "bad_config",
] as const;
export type ScenarioName = (typeof scenarioNames)[number];

const concurrency = z.number().int().min(1).max(LOAD_CONCURRENCY_MAX);
const perSecond = z.number().int().min(1).max(LOAD_REQUESTS_PER_SECOND_MAX);
const batch = z.number().int().min(1).max(BATCH_STARTS_MAX);
const draw = z.record(z.string().min(1).max(ID_CHARS_MAX), z.array(anyJson).min(1).max(LOAD_VALUES_MAX));

export const loadConfig = z.strictObject({
  concurrency: concurrency.meta({ description: "The number of concurrent requests at full load." }),
  duration: duration.meta({ description: "The duration of the load, including the ramp-up: one second to one hour." }),
  rampUpTime: duration.default(0).meta({ description: "The time until full concurrency is reached." }),
  requestsPerSecond: perSecond
    .optional()
    .meta({ description: "The maximum number of requests per second. Default: as many as answers arrive." }),
  batch: batch
    .default(defaults.loadBatchActions)
    .meta({ description: "The number of actions per request of the scenario `batch`." }),
  draw: draw.optional().meta({ description: "Variables by name. Each has a list of values that are used in turn." }),
  scenarios: z
    .array(z.enum(scenarioNames))
    .min(1)
    .optional()
    .meta({ description: "The scenarios to plan. Default: all scenarios that fit the action." }),
});
export type LoadConfig = z.infer<typeof loadConfig>;

const ms = z.number().int().nonnegative();
const count = z.number().int().nonnegative();

export const loadStage = z.strictObject({ atMs: ms, concurrency });
export type LoadStage = z.infer<typeof loadStage>;

/** A script for the sandbox, with the URL of the sandbox. */
const sandboxScript = z.strictObject({
  origin: z.url().meta({ description: "The address of the sandbox, which is always on this machine." }),
  script: anyObject.meta({ description: "The body for the sandbox's PUT /_control/scripts." }),
});

const expectation = z.strictObject({
  status: z.array(z.number().int().min(100).max(599)).min(1).meta({ description: "HTTP statuses of the answer." }),
  repeated: count.meta({
    description: "The number of copies that the engine answers as repeats of an existing action.",
  }),
  ends: z
    .array(z.string())
    .meta({ description: "The statuses in which an action may end. An empty list means that no action is created." }),
});

export const loadScenario = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9_]{0,49}$/, { message: "must be lower-case letters, digits and _" }),
  /** The weight of this scenario. Its share of all requests is its weight divided by the sum of all weights. */
  weight: z.number().int().min(1).max(1_000),
  description: z.string(),
  batch: batch
    .nullable()
    .meta({
      description: "The number of actions per request. null: one action per request, through POST /v1/actions.",
    }),
  copies: z
    .number()
    .int()
    .min(1)
    .max(10)
    .meta({ description: "How many times the same request is sent at the same time." }),
  dispatch: anyObject.meta({
    description:
      "The body of POST /v1/actions. The sender fills in `{{ n }}` (this request's number) and `{{ load }}` (a word for this run of the plan) in `variables`, `correlationId` and `dedupKey`; templates in `config` are the engine's.",
  }),
  expect: expectation,
  sandbox: sandboxScript.nullable(),
});
export type LoadScenario = z.infer<typeof loadScenario>;

export const loadPlan = z
  .strictObject({
    v: z.literal(1),
    actionId: z.string(),
    concurrency,
    duration: ms.min(1).meta({ description: "Milliseconds." }),
    rampUpTime: ms.meta({ description: "Milliseconds." }),
    stages: z.array(loadStage).min(1),
    draw,
    scenarios: z.array(loadScenario).min(1),
    limits: z.strictObject({
      requestsPerSecond: perSecond.nullable(),
      followedAtOnce: count.meta({ description: "The number of actions whose progress is read at the same time." }),
      drainMs: ms.meta({ description: "How long the progress of the last actions is read after the load has ended." }),
    }),
    notes: z.array(z.string()),
  })
  .meta({ id: "LoadPlan" });
export type LoadPlan = z.infer<typeof loadPlan>;
