// The local runtime's way out. Miniflare puts a Worker of its own before the network, which resizes images and names the
// Worker that calls, and takes as much CPU as the call itself. What goes over plain HTTP, as only local work does, goes
// straight out; everything else goes the way it always did, by the certificates that Miniflare knows of. A deployed
// Worker has nothing of all this.

/** The host's own, which a deployed Worker does not have. */
export const OUTSIDE = "LOCAL_OUTSIDE";

/** As far out as Miniflare lets go. */
export const outside = { network: { allow: ["public", "private", "240.0.0.0/4"], deny: [] } };

type Fetch = typeof fetch;

export function goStraightOut(scope: { fetch: Fetch }, env: { readonly [name: string]: unknown }): void {
  const way = env[OUTSIDE];
  if (!isWay(way)) return;
  const { fetch: around } = scope;
  scope.fetch = (input, init) =>
    typeof input === "string" && input.startsWith("http:") ? way.fetch(input, init) : around.call(scope, input, init);
}

function isWay(bound: unknown): bound is { readonly fetch: Fetch } {
  return typeof bound === "object" && bound !== null && "fetch" in bound;
}
