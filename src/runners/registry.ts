// Every action type the engine can perform. A new runner is one file beside this one and one line here.
import type { Outcome } from "#schema/outcome.ts";
import { apiCall } from "./api-call.ts";
import { database } from "./database.ts";
import { delay } from "./delay.ts";
import { email } from "./email.ts";
import { push } from "./push.ts";
import type { Idempotency, Runner, RunnerContext } from "./runner.ts";
import { slack } from "./slack.ts";
import { sms } from "./sms.ts";
import { webhook } from "./webhook.ts";

/** A runner whose config type is its own business: only its own schema can give what its `run` takes. */
export type AnyRunner = Omit<Runner<unknown>, "run" | "idempotencyOf"> & {
  readonly idempotencyOf?: (config: never) => Idempotency;
  readonly run: (config: never, context: RunnerContext) => Promise<Outcome>;
};

export const runners = { api_call: apiCall, database, delay, email, push, slack, sms, webhook } satisfies {
  readonly [type: string]: AnyRunner;
};

type ActionType = Pick<AnyRunner, "config" | "timeoutMs" | "retryPolicy">;

/** What definitions are checked against; the runners themselves stay in this room. */
export const actionTypes: { readonly [type: string]: ActionType } = runners;

export function runnerFor(type: string): AnyRunner | null {
  const known: { readonly [type: string]: AnyRunner } = runners;
  return Object.hasOwn(known, type) ? (known[type] ?? null) : null;
}
