// Errors of the sandbox: RFC 9457 problems that name the field and the fix.
import type { z } from "zod";

type Parsed<T> = { ok: true; value: T } | { ok: false; response: Response };

type Hints = Readonly<Record<string, string>>;

function parse<S extends z.ZodType>(schema: S, input: unknown, hints: Hints): Parsed<z.infer<S>> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return { ok: true, value: parsed.data };
  const errors = parsed.error.issues.flatMap((issue) => errorsOf(issue, hints));
  return {
    ok: false,
    response: problem(400, "invalid_input", "The input does not match this endpoint's schema.", errors),
  };
}

export async function parseJson<S extends z.ZodType>(
  schema: S,
  request: Request,
  hints: Hints,
): Promise<Parsed<z.infer<S>>> {
  try {
    return parse(schema, await request.json(), hints);
  } catch (cause) {
    const hint = `Send a JSON object with Content-Type: application/json (${String(cause)}).`;
    const errors = [{ pointer: "", message: "The body is not JSON.", hint }];
    return { ok: false, response: problem(400, "invalid_json", "The body is not JSON.", errors) };
  }
}

export const parseQuery = <S extends z.ZodType>(schema: S, request: Request, hints: Hints) =>
  parse(schema, Object.fromEntries(new URL(request.url).searchParams), hints);

export const notFound = (request: Request) =>
  problem(
    404,
    "not_found",
    `${request.method} ${new URL(request.url).pathname} does not exist; GET / lists the endpoints.`,
  );

export const broken = (cause: unknown) =>
  problem(500, "broken", cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));

interface FieldError {
  readonly pointer: string;
  readonly message: string;
  readonly hint: string;
}

function problem(status: number, code: string, detail: string, errors: readonly FieldError[] = []): Response {
  const body = { type: "about:blank", title: code.replaceAll("_", " "), status, code, detail, errors };
  return Response.json(body, { status, headers: { "Content-Type": "application/problem+json" } });
}

/**
 * Returns one error for each unknown field. Its pointer names the unknown field itself, not the object that contains
 * the field.
 */
function errorsOf(issue: z.core.$ZodIssue, hints: Hints): FieldError[] {
  if (issue.code === "unrecognized_keys") {
    const known = Object.keys(hints).join(", ");
    return issue.keys.map((key) => ({
      pointer: pointerTo([...issue.path, key]),
      message: `Unknown field "${key}".`,
      hint: `Remove the field or correct its name. Known fields: ${known}.`,
    }));
  }
  const field = issue.path.findLast((part) => typeof part === "string" && part in hints);
  const hint = hints[String(field)] ?? `Send an object with ${Object.keys(hints).join(", ")}.`;
  return [{ pointer: pointerTo(issue.path), message: issue.message, hint }];
}

const pointerTo = (path: readonly PropertyKey[]) =>
  path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
