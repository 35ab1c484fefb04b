// Guarded ports: check every outbound call of a run for host-restricted secrets. A run that received such a secret may
// call only the secret's hosts. The request's content is not searched, because it can contain the secret in many
// encodings.
import { boundElsewhere, type BoundSecret } from "#schema/outgoing/bound-secret.ts";
import type { Failure } from "./classify.ts";
import type { RunnerContext } from "./runner.ts";

type Ports = Pick<RunnerContext, "fetch" | "email" | "databases" | "tasks" | "engine">;
type Watched = Ports & {
  /** Returns the failure of a blocked call, or null. It replaces the runner's own result. */
  readonly refused: () => Failure | null;
};

/**
 * Wraps the ports. `bounds` lists the restricted secrets that the run has received, and grows while the run opens
 * connections.
 */
export function guardPorts(ports: Ports, bounds: readonly BoundSecret[]): Watched {
  let refused: Failure | null = null;
  const refusal = (host: string | null, to: string): Failure | null => {
    const found = host === null ? (bounds[0] ?? null) : boundElsewhere(host, bounds);
    if (found === null) return null;
    refused ??= elsewhere(found, to);
    return refused;
  };
  const stop = (host: string | null, to: string): void => {
    const failure = refusal(host, to);
    if (failure !== null) throw new BlockedHost(failure);
  };
  const { fetch, email, databases, tasks, engine } = ports;
  return {
    refused: () => refused,
    fetch: async (url, init) => {
      // Most runs have no host-restricted secrets, so their URLs are not parsed.
      if (bounds.length > 0) stop(new URL(url).hostname, new URL(url).hostname);
      return fetch(url, init);
    },
    email: email && { send: async (message) => (stop(null, "the e-mail binding"), email.send(message)) },
    databases:
      databases &&
      Object.fromEntries(
        Object.entries(databases).map(([name, { query }]) => [
          name,
          { query: async (sql, params) => (stop(null, `the database ${name}`), query(sql, params)) },
        ]),
      ),
    tasks: tasks && {
      create: async (task) => given(refusal(null, "a task")) ?? tasks.create(task),
      change: async (change) => given(refusal(null, "a task")) ?? tasks.change(change),
    },
    engine: engine && {
      start: async (asked) => given(refusal(null, "another execution")) ?? engine.start(asked),
      send: async (asked) => given(refusal(null, "another execution")) ?? engine.send(asked),
    },
  };
}

/** Thrown by `fetch`, the e-mail binding and the databases if a host-restricted secret forbids the call. */
export class BlockedHost extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.error.message);
    this.failure = failure;
  }
}

function given(failure: Failure | null) {
  return failure === null ? null : ({ ok: false, failure } as const);
}

function elsewhere({ secret, hosts }: BoundSecret, to: string): Failure {
  const message = `the secret ${secret} may only be sent to ${hosts.join(", ")}, and this call goes to ${to}`;
  const details = { secret, to, hosts: [...hosts] };
  return {
    error: { type: "invalid_configuration", message, retryable: false, code: "secret_bound_elsewhere", details },
  };
}
