// Problem details (RFC 9457): turns refusals into HTTP responses.
import type { Problem, ProblemCode } from "#wire/problem.ts";
import type { Refusal } from "#schema/refusal.ts";
import type { AppContext } from "./context.ts";
import { setQuotaExceededHeaders } from "./rate-limit.ts";
import { refusalStatus } from "./refusal-status.ts";

/** A refusal of a use case, or of the routes themselves. */
export type HttpRefusal = Omit<Refusal, "code"> & { readonly code: ProblemCode };

export function answerProblem(c: AppContext, refusal: HttpRefusal, headers: Record<string, string> = {}): Response {
  const { status, retryAfterS } = refusalStatus(refusal.code);
  if (retryAfterS !== undefined) c.header("Retry-After", String(refusal.retryAfterS ?? retryAfterS));
  if (refusal.code === "quota_exceeded") setQuotaExceededHeaders(c, refusal);
  if (status === 401) c.header("WWW-Authenticate", 'Bearer realm="escapement"');
  const problem = problemOf(refusal, c.var.requestId);
  // The pointers of a GET's findings name query parameters, because a GET has no body.
  const errors = problem.errors.map((finding) =>
    c.req.method === "GET" ? { ...finding, pointer: finding.pointer.replace(/^\//, "?") } : finding,
  );
  // Clients that were written for a journey's executor expect the field `success` in every response.
  const envelope = c.req.path.startsWith("/api/execution/") ? ({ success: false } as const) : {};
  return c.json({ ...envelope, ...problem, errors }, status, {
    ...headers,
    "Content-Type": "application/problem+json",
  });
}

export function problemOf(refusal: HttpRefusal, requestId: string): Problem {
  const { status, title, retryAfterS } = refusalStatus(refusal.code);
  return {
    type: `/docs#${refusal.code}`,
    title,
    status,
    detail: refusal.message,
    code: refusal.code,
    errors: (refusal.errors ?? []).map((finding) => ({ ...finding })),
    requestId,
    retryable: retryAfterS !== undefined,
    error: refusal.message,
    ...(refusal.hint === undefined ? {} : { hint: refusal.hint }),
    ...(refusal.details === undefined ? {} : { details: refusal.details }),
  };
}
