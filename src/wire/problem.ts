// Problems: the body of a refusal (RFC 9457), and its codes.
import { z } from "zod";
import { refusalCodes } from "#schema/refusal.ts";
import { anyJson, anyObject } from "#schema/values.ts";

/** Codes of refusals that precede the use case, for example for a missing API key. */
export const edgeCodes = [
  "body_unreadable",
  "malformed_json",
  "method_not_allowed",
  "unsupported_media_type",
  "upgrade_required",
] as const;

export const problemCode = z.enum([...refusalCodes, ...edgeCodes]);
export type ProblemCode = z.infer<typeof problemCode>;

export const finding = z
  .object({
    pointer: z
      .string()
      .meta({
        description:
          "The place of the problem: a JSON pointer into the body, `?name` for a query parameter, `{name}` for a path parameter, or the name of a header.",
      }),
    code: z.string(),
    message: z.string(),
    hint: z.string().optional(),
  })
  .meta({ id: "Finding" });

export const change = z
  .union([
    z.object({ op: z.enum(["add", "replace"]), path: z.string(), value: anyJson }),
    z.object({ op: z.literal("remove"), path: z.string() }),
  ])
  .meta({ id: "Change", description: "One operation of a JSON Patch (RFC 6902)." });

export const warning = z
  .object({
    severity: z
      .enum(["warning", "hint"])
      .meta({ description: "hint: the part may be intended. warning: the part is probably wrong." }),
    pointer: z.string(),
    places: z
      .array(z.string())
      .optional()
      .meta({ description: "All pointers with this warning. Absent if `pointer` is the only one." }),
    code: z.string(),
    message: z.string(),
    fix: z.string().meta({ description: "How to fix the problem." }),
    patch: z
      .array(change)
      .optional()
      .meta({ description: "The fix as a JSON Patch of the definition, if there is only one possible fix." }),
  })
  .meta({ id: "Warning" });

export const problem = z
  .object({
    type: z.string().meta({ description: "A link to the description of this code." }),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    code: problemCode,
    errors: z.array(finding),
    requestId: z.string(),
    retryable: z.boolean().meta({ description: "true: a retry of the same request may succeed." }),
    error: z.string().meta({ description: "The problem in one sentence." }),
    hint: z.string().optional(),
    details: anyObject.optional(),
    success: z.literal(false).optional().meta({ description: "Always false. Only in answers of `/api/execution/`." }),
  })
  .meta({ id: "Problem" });
export type Problem = z.infer<typeof problem>;
