// Validation problems: turns a schema's errors into findings with the field, the reason, and a similar field name.
import type { z } from "zod";
import { zodFindings } from "#schema/findings.ts";
import type { Finding } from "#schema/refusal.ts";
import type { AppContext, RequestSchemas } from "./context.ts";
import { answerProblem } from "./problem.ts";

type Checked = {
  readonly target: string;
  readonly success: boolean;
  readonly error?: z.ZodError;
  readonly data?: unknown;
};

export function refuseInvalid(checked: Checked, c: AppContext): Response | undefined {
  if (checked.success || checked.error === undefined) return undefined;
  const errors = zodFindings(checked.error, schemaOf(c.var.schemas, checked.target), checked.data).map((finding) =>
    locate(finding, checked.target),
  );
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  const message =
    first === undefined ? "The request is not valid." : `${first.pointer || "The body"}: ${first.message}${more}`;
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
