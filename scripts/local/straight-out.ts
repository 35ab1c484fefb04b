// Direct plain-HTTP calls: the local runtime sends them straight to the network. Miniflare otherwise routes every call
// through its own Worker, which costs as much CPU as the call. HTTPS calls still use that Worker, because it knows the
// certificates. Deployed Workers are unaffected.

/** The name of the network binding. Only the local host has it. */
export const NETWORK_BINDING = "LOCAL_OUTSIDE";

/** The networks that Miniflare also allows. */
export const networkService = { network: { allow: ["public", "private", "240.0.0.0/4"], deny: [] } };

type Fetch = typeof fetch;

export function sendHttpDirectly(scope: { fetch: Fetch }, env: { readonly [name: string]: unknown }): void {
  const network = env[NETWORK_BINDING];
  if (!isFetcher(network)) return;
  const { fetch: defaultFetch } = scope;
  scope.fetch = (input, init) =>
    typeof input === "string" && input.startsWith("http:")
      ? network.fetch(input, init)
      : defaultFetch.call(scope, input, init);
}

function isFetcher(bound: unknown): bound is { readonly fetch: Fetch } {
  return typeof bound === "object" && bound !== null && "fetch" in bound;
}
