// What generated types know: an action's config by its type, a refusal's codes by its endpoint, and what answers hold.
// The lines that end in `false` stand for programs that must not compile.
import { client } from "./client.ts";
import type { components, operations } from "./api.ts";

type Definition = components["schemas"]["Definition"];
type Action = components["schemas"]["DispatchAction"];
type Fits<Value, Type> = Value extends Type ? true : false;

export const reminder: Definition = {
  kind: "machine",
  name: "reminder",
  variables: { email: "ada@example.com" },
  initial: "asked",
  states: {
    asked: {
      on: { paid: { target: "done", guard: { ">": [{ var: "message.payload.amount" }, 0] } } },
      after: { P3D: "reminded" },
    },
    reminded: { on: { paid: "done" }, after: { P7D: "lost" } },
    done: { type: "final" },
    lost: { type: "final", outcome: "failed" },
  },
  actions: [
    {
      actionId: "remind",
      type: "email",
      triggerState: "reminded",
      config: {
        provider: "sendgrid",
        to: "{{ execution.variables.email }}",
        from: "shop@example.com",
        template: "due",
      },
      retryPolicy: { maxAttempts: 5, jitter: true },
    },
    { actionId: "count", type: "webhook", triggerState: "lost", config: { url: "https://example.com/lost" } },
  ],
};

export const action: Action = {
  type: "sms",
  config: { to: "+41790000000", message: "{{ execution.variables.text }}" },
};

export const mistakes: readonly false[] = [
  false satisfies Fits<{ type: "sms"; config: { url: string } }, Action>,
  false satisfies Fits<{ type: "smoke_signal"; config: { to: string } }, Action>,
  false satisfies Fits<{ type: "webhook"; config: { url: number } }, Action>,
  false satisfies Fits<{ kind: "machine"; name: string; states: { a: { on: number } } }, Definition>,
  false satisfies Fits<"task_closed", RefusalOf<"startExecution">>,
];

type Responses<Id extends keyof operations> = operations[Id]["responses"];
type BodyOf<Response> = Response extends { content: { "application/problem+json": { code: infer Code } } }
  ? Code
  : never;
type RefusalOf<Id extends keyof operations> = BodyOf<Responses<Id>[keyof Responses<Id>]>;

export const known: readonly RefusalOf<"completeTask">[] = ["task_closed", "not_found", "idempotency_conflict"];

/** Reading what came back: every name here is one that the types have. */
export async function startOne(): Promise<string> {
  const { data, error, response } = await client.POST("/v1/executions", {
    params: { header: { "Idempotency-Key": "order-17" } },
    body: { definition: "reminder", variables: { email: "ada@example.com" } },
  });
  if (error !== undefined) {
    const [first] = error.errors;
    return error.code === "definition_archived" ? error.detail : `${response.status} ${first?.pointer ?? error.code}`;
  }
  const states: readonly string[] = data.execution.states;
  return `${data.execution.id} is ${data.execution.status} in ${states.join(", ")}`;
}
