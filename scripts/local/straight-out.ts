// Direct plain-HTTP calls: the local runtime sends them straight to the network. Miniflare otherwise routes every call
// through its own Worker, which costs as much CPU as the call. HTTPS calls still use that Worker, because it knows the
// certificates. Calls to the sandbox use no connection: the runtime's client and its server both close a connection after
// five idle seconds, so that a call at this moment would fail. Deployed Workers are unaffected.

/** The name of the network binding. Only the local host has it. */
export const NETWORK_BINDING = "LOCAL_OUTSIDE";
/** The names of the sandbox's binding, and of the list of its addresses. */
export const SANDBOX_BINDING = "LOCAL_SANDBOX";
const SANDBOX_ORIGINS = "LOCAL_SANDBOX_ORIGINS";

/** The networks that Miniflare also allows. */
export const networkService = { network: { allow: ["public", "private", "240.0.0.0/4"], deny: [] } };

/** The bindings of a Worker that calls the sandbox `name` at this port without a connection. */
export function sandboxBindings(name: string, port: number) {
  return {
    serviceBindings: { [SANDBOX_BINDING]: name },
    bindings: { [SANDBOX_ORIGINS]: [`http://127.0.0.1:${port}`, `http://localhost:${port}`] },
  };
}

type Fetch = typeof fetch;
type Fetcher = { readonly fetch: Fetch };

export function sendHttpDirectly(scope: { fetch: Fetch }, env: { readonly [name: string]: unknown }): void {
  const { [NETWORK_BINDING]: network, [SANDBOX_BINDING]: sandbox, [SANDBOX_ORIGINS]: origins } = env;
  if (!isFetcher(network)) return;
  const { fetch: defaultFetch } = scope;
  const known: readonly unknown[] = isFetcher(sandbox) && Array.isArray(origins) ? origins : [];
  const targetOf = (url: string): Fetcher =>
    isFetcher(sandbox) && known.some((origin) => url.startsWith(`${String(origin)}/`)) ? sandbox : network;
  scope.fetch = (input, init) =>
    typeof input === "string" && input.startsWith("http:")
      ? targetOf(input).fetch(input, init)
      : defaultFetch.call(scope, input, init);
}

function isFetcher(bound: unknown): bound is Fetcher {
  return typeof bound === "object" && bound !== null && "fetch" in bound;
}
