// Unknown paths and methods: answers 404 or 405, with a suggestion.
import type { RouterRoute } from "hono/types";
import { didYouMean } from "#schema/suggest.ts";
import { methodsAt, patternsOf } from "./addresses.ts";
import type { AppContext } from "./context.ts";
import { answerProblem } from "./problem.ts";

export function notFound(routes: readonly RouterRoute[]): (c: AppContext) => Response {
  const addresses = patternsOf(routes);
  const starts = [...new Set(addresses.map((route) => firstSegments(route.path)))];
  return (c) => {
    const { method, path } = c.req;
    const allowed = methodsAt(addresses, path);
    if (allowed.length > 0) return methodNotAllowed(c, allowed);
    const hint = hintFor(path, addresses, starts);
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

function hintFor(path: string, addresses: readonly { readonly pattern: RegExp }[], starts: readonly string[]): string {
  const withoutSlash = path.replace(/\/+$/, "");
  if (withoutSlash !== path && addresses.some((route) => route.pattern.test(withoutSlash)))
    return "Omit the slash at the end of the path.";
  const similar = didYouMean(firstSegments(path), starts);
  return similar === null ? "See /docs for all paths." : `Did you mean ${similar}? See /docs for all paths.`;
}

/**
 * Returns the first two segments of a path. Later segments are mostly ids, so they do not help to find a similar path.
 */
function firstSegments(path: string): string {
  return path.split("/").slice(0, 3).join("/");
}
