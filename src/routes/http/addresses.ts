// Known paths: lists the paths of the API, and the methods that each path accepts.
import type { RouterRoute } from "hono/types";

export type Address = { readonly path: string; readonly method: string; readonly pattern: RegExp };

export function patternsOf(routes: readonly RouterRoute[]): readonly Address[] {
  return routes
    .filter(({ method }) => method !== "ALL")
    .map(({ path, method }) => ({ path, method, pattern: patternOf(path) }));
}

/** Returns the methods of the routes that match the path; empty if no route matches. */
export function methodsAt(addresses: readonly Address[], path: string): readonly string[] {
  const methods = [...new Set(addresses.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))];
  return methods.includes("GET") ? [...methods, "HEAD"] : methods;
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/:[A-Za-z]+/g, "[^/]+")}$`);
}
