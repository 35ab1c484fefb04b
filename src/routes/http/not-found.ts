// Unknown addresses and methods: answers 404 or 405, with a suggestion.
import type { RouterRoute } from "hono/types";
import { didYouMean } from "#schema/suggest.ts";
import { methodsAt, patternsOf } from "./addresses.ts";
import type { AppContext } from "./context.ts";
import { answerProblem } from "./problem.ts";

export function notFound(routes: readonly RouterRoute[]): (c: AppContext) => Response {
  const known = patternsOf(routes);
  const starts = [...new Set(known.map((route) => startOf(route.path)))];
  return (c) => {
    const { method, path } = c.req;
    const allowed = methodsAt(known, path);
    if (allowed.length > 0) return methodNotAllowed(c, allowed);
    const hint = hintFor(path, known, starts);
    return answerProblem(c, { code: "not_found", message: `${method} ${path.slice(0, 200)} does not exist.`, hint });
  };
}

function methodNotAllowed(c: AppContext, allowed: readonly string[]): Response {
  const allow = allowed.join(", ");
  const refusal = {
    code: "method_not_allowed",
    message: `${c.req.path} accepts ${allow}, not ${c.req.method}.`,
  } as const;
  return answerProblem(c, refusal, { Allow: allow });
}

function hintFor(path: string, known: readonly { readonly pattern: RegExp }[], starts: readonly string[]): string {
  const bare = path.replace(/\/+$/, "");
  if (bare !== path && known.some((route) => route.pattern.test(bare))) return "Omit the slash at the end.";
  const near = didYouMean(startOf(path), starts);
  return near === null ? "See /docs for all paths." : `Did you mean ${near}? See /docs for all paths.`;
}

/** Returns the first two segments of a path. The later segments are mostly ids, which no suggestion can match. */
function startOf(path: string): string {
  return path.split("/").slice(0, 3).join("/");
}
