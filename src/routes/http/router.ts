// Router: finds the handlers of a request. For a path without parameters the result never changes, so it is cached:
// most requests use a few such paths.
import type { Result, Router } from "hono/router";
import { TrieRouter } from "hono/router/trie-router";

export function openRouter<Handler>(): Router<Handler> {
  const tree = new TrieRouter<Handler>();
  // Only methods and paths that routes declare are cached, so that the cache contains no client's text.
  const methods = new Set<string>();
  const plain = new Set<string>();
  const found = new Map<string, Result<Handler>>();
  return {
    name: "KnownPaths",
    add: (method, path, handler) => {
      tree.add(method, path, handler);
      methods.add(method);
      if (IS_PLAIN.test(path)) plain.add(path);
      found.clear();
    },
    match: (method, path) => {
      if (!plain.has(path) || !methods.has(method)) return tree.match(method, path);
      const asked = `${method} ${path}`;
      const known = found.get(asked) ?? tree.match(method, path);
      found.set(asked, known);
      return known;
    },
  };
}

/** A path without parameters and wildcards. */
const IS_PLAIN = /^[\w./-]+$/;
