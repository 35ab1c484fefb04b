// Action tests: API shapes.
import { z } from "zod";
import { eventType } from "#schema/engine/event.ts";
import { ID_CHARS_MAX } from "#schema/limits/api-requests.ts";
import { REHEARSAL_ATTEMPTS_MAX } from "#schema/limits/planning/rehearsal-attempts.ts";
import { actionError } from "#schema/engine/outcome.ts";
import { attemptMocks } from "#schema/rehearsal.ts";
import { finding } from "../problem.ts";
import { anyJson, anyObject, correlationId } from "#schema/values.ts";

const message = z.strictObject({
  id: z.string().min(1).max(ID_CHARS_MAX).default("evt_test"),
  type: eventType,
  payload: anyJson.default(null),
  source: z.string().min(1).max(200).default("test"),
  correlationId: correlationId.nullable().default(null),
});

const state = z.string().min(1).max(1_000);

const context = z.strictObject({
  variables: anyObject.optional().meta({ description: "Values that templates see as `execution.variables`." }),
  message: message.optional().meta({ description: "The event that starts the action." }),
  previousState: state.optional(),
  currentState: state.optional(),
  now: z.iso.datetime({ offset: true }).optional().meta({ description: "The start. Default: now." }),
});

/** The action to test. /openapi.json inserts the schema of an action here (routes/reference/). */
const triedAction = anyObject.meta({ id: "TriedAction", type: "object" });

export const testActionBody = z
  .strictObject({
    action: triedAction,
    context: context.optional(),
    mocks: z
      .array(attemptMocks)
      .max(REHEARSAL_ATTEMPTS_MAX)
      .optional()
      .meta({
        description:
          "Imitated answers, one per attempt. The last answer also answers all further attempts. Instead of one answer, a list can answer the requests of one attempt in order.",
      }),
    maxAttempts: z.number().int().min(1).max(REHEARSAL_ATTEMPTS_MAX).optional(),
  })
  .meta({
    id: "TestAction",
    examples: [
      {
        action: {
          type: "slack",
          config: { channel: "#orders", text: "Order {{ message.payload.orderId }} is paid" },
          retryPolicy: { maxAttempts: 3, baseDelay: 1000 },
        },
        context: { message: { type: "paid", payload: { orderId: "o-17" } } },
        mocks: [{ status: 503 }, { status: 200 }],
      },
    ],
  });
export type TestActionBody = z.input<typeof testActionBody>;
export type ReadTestAction = z.output<typeof testActionBody>;

const happened = {
  attempt: z.number().int(),
  atMs: z.number().meta({ description: "Milliseconds since the start of the test, on the virtual clock." }),
  durationMs: z.number(),
  error: z.string().nullable(),
  mocked: z.literal(true),
  assumed: z.boolean().meta({ description: "true: no mock was given, so a success was assumed." }),
};
const headers = z.record(z.string(), z.string());
const httpInteraction = z
  .object({
    ...happened,
    method: z.string(),
    url: z.string(),
    headers,
    body: anyJson,
    bodyBytes: z.number().int(),
    response: z.object({ status: z.number().int(), headers, body: anyJson }).nullable(),
  })
  .meta({ id: "HttpInteraction", description: "A request that would be sent, without its secrets." });
const portInteraction = z
  .object({
    ...happened,
    port: z.enum(["database", "email", "files", "signer", "task", "start_execution", "send_event", "worker"]),
    call: z.string(),
    arguments: anyJson,
    answer: anyJson,
  })
  .meta({ id: "PortInteraction", description: "A call to the engine or platform that would be made." });
const interactions = z.array(z.union([httpInteraction, portInteraction]));

/** An error. Its details may be any JSON object. */
const error = actionError.extend({ details: anyObject.optional() });

const attempt = z.object({
  attempt: z.number().int(),
  atMs: z.number(),
  durationMs: z.number(),
  outcome: z.enum(["ok", "failed", "held", "skipped"]),
  error: error.nullable(),
  waitedMs: z
    .object({ min: z.number(), max: z.number() })
    .nullable()
    .meta({
      description: "The shortest and longest delay before the next attempt. Jitter chooses a value between the two.",
    }),
  interactions,
});

export const testedAction = z
  .object({
    success: z.boolean(),
    result: z
      .object({
        status: z.enum(["ok", "failed", "skipped", "waiting"]),
        reason: z.string().nullable(),
        result: anyJson,
        error: error.nullable(),
        events: z.array(z.object({ type: z.string(), payload: anyJson })),
        attempts: z.array(attempt),
      })
      .nullable()
      .meta({ description: "The result; null if the action is not valid and was not run." }),
    validation: z.object({ valid: z.boolean(), findings: z.array(finding) }),
    interactions: interactions.meta({ description: "The requests and answers of all attempts." }),
    recommendations: z.array(z.object({ code: z.string(), message: z.string(), hint: z.string() })),
    wouldTakeMs: z.number().nullable(),
    costEstimate: z.number().nullable(),
  })
  .meta({ id: "TestedAction" });
export type ApiTestedAction = z.infer<typeof testedAction>;
