// Validation problems: turns a schema's errors into findings with the field, the reason, and a similar field name.
import type { z } from "zod";
import { zodFindings } from "#schema/findings.ts";
import type { Finding } from "#schema/refusal.ts";
import type { AppContext, RequestSchemas } from "./context.ts";
import { answerProblem } from "./problem.ts";

export type ParsedRequest = {
  readonly target: string;
  readonly success: boolean;
  readonly error?: z.ZodError;
  readonly data?: unknown;
};

export function refuseInvalid(checked: ParsedRequest, c: AppContext): Response | undefined {
  return checked.success || checked.error === undefined ? undefined : refuseWithMore(checked, checked.error, c, []);
}

/** `more`: further findings about the request. One at a place that has a finding already is left out. */
export function refuseWithMore(
  { target, data }: ParsedRequest,
  error: z.ZodError,
  c: AppContext,
  more: readonly Finding[],
): Response {
  const found = zodFindings(error, schemaOf(c.var.schemas, target), data).map((finding) => locate(finding, target));
  const places = new Set(found.map(({ pointer }) => pointer));
  const errors = [...found, ...more.filter(({ pointer }) => !places.has(pointer))];
  const [first] = errors;
  const others = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  const message =
    first === undefined ? "The request is not valid." : `${first.pointer || "The body"}: ${first.message}${others}`;
  return answerProblem(c, { code: "invalid_input", message, errors });
}

function schemaOf(schemas: RequestSchemas | undefined, target: string): z.ZodType | undefined {
  return target === "json" || target === "query" || target === "param" ? schemas?.[target] : undefined;
}

/**
 * Returns the finding with the parameter's name as its pointer if the fault is in the query or path. A finding in the
 * body keeps its JSON pointer.
 */
function locate(finding: Finding, target: string): Finding {
  const name = finding.pointer.slice(1);
  if (target === "query")
    return { ...finding, pointer: `?${name}`, message: finding.message.replace("field", "parameter") };
  return target === "param" ? { ...finding, pointer: `{${name}}` } : finding;
}
