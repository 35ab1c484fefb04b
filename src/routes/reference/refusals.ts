// Documented refusals: adds to each endpoint of /openapi.json its refusals by status, with the codes of each status.
import type { ProblemCode } from "#wire/problem.ts";
import { refusalsOf } from "../http/endpoint-refusals.ts";
import { refusalStatus } from "../http/refusal-status.ts";
import type { JsonSchema, Parts } from "./json-schema.ts";

/**
 * The number of codes that form the name of a shared response. With more codes, the name would be longer than the list
 * itself.
 */
const CODES_IN_NAME = 3;

type Operation = {
  readonly operationId?: string;
  readonly security?: readonly object[];
  readonly requestBody?: object;
  readonly responses?: object;
};

/**
 * Adds the refusals to the responses of the operation. Collects in `shared` the refusals that several endpoints use.
 */
export function withRefusals<Of extends Operation>(operation: Of, method: string, shared: Map<string, JsonSchema>): Of {
  const { operationId: id = "", security = [], requestBody } = operation;
  const refusals = refusalsOf({ id, method, hasKey: security.length > 0, hasBody: requestBody !== undefined });
  const byStatus = Map.groupBy(refusals, (code) => refusalStatus(code).status);
  const refused = [...byStatus]
    .toSorted(([one], [other]) => one - other)
    .map(([status, codes]) => [String(status), sharedResponse(codes.toSorted(), shared)]);
  return { ...operation, responses: { ...Object.fromEntries(refused), ...operation.responses } };
}

function sharedResponse(codes: readonly ProblemCode[], shared: Map<string, JsonSchema>): JsonSchema {
  const response = responseOf(codes);
  if (codes.length > CODES_IN_NAME) return response;
  const name = codes.map(pascal).join("Or");
  shared.set(name, response);
  return { $ref: `#/components/responses/${name}` };
}

function responseOf(codes: readonly ProblemCode[]): JsonSchema {
  const code = { type: "object", properties: { code: { type: "string", enum: codes } }, required: ["code"] };
  const schema = { allOf: [{ $ref: "#/components/schemas/Problem" }, code] };
  return {
    description: codes.map((each) => `\`${each}\`: ${refusalStatus(each).title}.`).join(" "),
    ...(codes.some(isRetryable) ? { headers: retryAfter } : {}),
    content: { "application/problem+json": { schema } },
  };
}

function isRetryable(code: ProblemCode): boolean {
  return refusalStatus(code).retryAfterS !== undefined;
}

const retryAfter: Parts = {
  "Retry-After": { description: "Seconds to wait before a retry.", schema: { type: "integer", minimum: 0 } },
};

function pascal(code: string): string {
  return code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
