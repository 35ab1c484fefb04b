// HTTP responses: turns a use case's result into JSON, or its refusal into a problem.
import type { Result } from "#schema/refusal.ts";
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
