// HTTP responses: turns a use case's result into JSON, or its refusal into a problem.
import type { Json } from "#schema/json.ts";
import type { Result } from "#schema/refusal.ts";
import type { WriteOutcome } from "#services/named/put-named.ts";
import type { Precondition } from "#schema/configuration/precondition.ts";
import { hidePayloads } from "#wire/hidden-payloads.ts";
import type { Caller } from "#services/deps.ts";
import { type EndpointId, showsConfiguration } from "./endpoint-access.ts";
import { readPrecondition } from "./conditions.ts";
import type { AppContext } from "./context.ts";
import { answerProblem } from "./problem.ts";

type Status = 200 | 201 | 202;

export function answer<T>(
  c: AppContext,
  result: Result<T>,
  present: (value: T) => object,
  status: Status | ((value: T) => Status) = 200,
): Response {
  if (!result.ok) return answerProblem(c, result.refusal);
  return c.json(present(result.value), typeof status === "function" ? status(result.value) : status);
}

/**
 * Carries out a write by name under the request's precondition, and responds with the item, its `result` and its ETag.
 * `createdStatus`: the status if the item was created.
 */
export async function answerPut<View>(
  c: AppContext,
  write: (precondition: Precondition) => Promise<Result<WriteOutcome<View>>>,
  present: (view: View) => object,
  createdStatus: 200 | 201,
): Promise<Response> {
  const precondition = readPrecondition(c);
  if (!precondition.ok) return answerProblem(c, precondition.refusal);
  const put = await write(precondition.value);
  if (put.ok) setTag(c, put.value.tag);
  const presentPut = ({ result, view }: WriteOutcome<View>) => ({ ...present(view), result });
  return answer(c, put, presentPut, ({ result }) => (result === "created" ? createdStatus : 200));
}

/** Sets ETag to the tag of the item's content, which the client sends as If-Match with its next write. */
export function setTag(c: AppContext, tag: string): void {
  c.header("ETag", `"${tag}"`);
}

export function seesPayloads(caller: Caller): boolean {
  return caller.scopes.includes("payloads");
}

/** Returns the response without payloads, if the caller may not read them. Refusals contain no payloads. */
export async function withoutPayloads(endpoint: EndpointId, caller: Caller, response: Response): Promise<Response> {
  if (seesPayloads(caller) || showsConfiguration.has(endpoint) || !response.ok) return response;
  if (!(response.headers.get("Content-Type") ?? "").startsWith("application/json")) return response;
  const body: Json = await response.json();
  return new Response(JSON.stringify(hidePayloads(body)), response);
}
