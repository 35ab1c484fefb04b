// Router: finds the handlers of a request. For a path without parameters the handlers never change, so they are cached.
// Most requests use a few such paths.
import type { Result, Router } from "hono/router";
import { TrieRouter } from "hono/router/trie-router";

export function openRouter<Handler>(): Router<Handler> {
  const trie = new TrieRouter<Handler>();
  // The cache has only methods and paths that routes declare. Otherwise clients could fill it with paths of their own.
  const methods = new Set<string>();
  const staticPaths = new Set<string>();
  const cache = new Map<string, Result<Handler>>();
  return {
    name: "KnownPaths",
    add: (method, path, handler) => {
      trie.add(method, path, handler);
      methods.add(method);
      if (STATIC_PATH.test(path)) staticPaths.add(path);
      cache.clear();
    },
    match: (method, path) => {
      if (!staticPaths.has(path) || !methods.has(method)) return trie.match(method, path);
      const key = `${method} ${path}`;
      const result = cache.get(key) ?? trie.match(method, path);
      cache.set(key, result);
      return result;
    },
  };
}

/** Matches a path without parameters and wildcards. */
const STATIC_PATH = /^[\w./-]+$/;
