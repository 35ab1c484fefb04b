// Ways out of the Worker that the API and the runs share: to the objects before connections, and to the outside world
// for calls of the engine's own.
import type { Env } from "#env";
import { callOut } from "#runners/outbound.ts";
import type { Gate } from "#schema/gate.ts";
import type { Deps } from "#services/deps.ts";

export function gatePort(env: Env): Deps["gate"] {
  return (name) => env.CONNECTIONS.getByName(name) as unknown as Gate; // RPC stubs answer what the class declares
}

export function callOutPort(env: Env, now: () => number): Deps["callOut"] {
  const allowLoopback = env.ALLOW_LOOPBACK === "true";
  return (call) => callOut(call, { fetch: (url, init) => fetch(url, init), now, allowLoopback });
}
