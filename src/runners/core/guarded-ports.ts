// Guarded ports: check every outbound call of a run for host-restricted secrets. A run that received such a secret may
// call only the secret's hosts. The request's content is not searched, because it can contain the secret in many
// encodings.
import { boundElsewhere, type BoundSecret } from "#schema/outgoing/bound-secret.ts";
import type { Failure } from "./classify.ts";
import type { RunnerContext } from "./runner.ts";

type Ports = Pick<RunnerContext, "fetch" | "email" | "databases" | "services" | "tasks" | "engine">;
type GuardedPorts = Ports & {
  /**
   * Returns the failure of a blocked call; null if no call was blocked. The failure replaces the runner's own result.
   */
  readonly blockedCall: () => Failure | null;
};

/**
 * Wraps the ports with the check. `bounds` lists the restricted secrets that the run has received. The list grows when
 * the run opens a connection.
 */
export function guardPorts(ports: Ports, bounds: readonly BoundSecret[]): GuardedPorts {
  let firstBlocked: Failure | null = null;
  // Returns the failure if the call is blocked, otherwise null. `host` is null for a port that calls no host; every
  // restricted secret then blocks the call.
  const check = (host: string | null, receiver: string): Failure | null => {
    const secret = host === null ? (bounds[0] ?? null) : boundElsewhere(host, bounds);
    if (secret === null) return null;
    firstBlocked ??= blockedFailure(secret, receiver);
    return firstBlocked;
  };
  const assertAllowed = (host: string | null, receiver: string): void => {
    const failure = check(host, receiver);
    if (failure !== null) throw new BlockedHost(failure);
  };
  const { fetch, email, databases, services, tasks, engine } = ports;
  return {
    blockedCall: () => firstBlocked,
    fetch: async (url, init) => {
      // Most runs have no host-restricted secrets, so the URLs of their calls are not parsed.
      if (bounds.length > 0) assertAllowed(new URL(url).hostname, new URL(url).hostname);
      return fetch(url, init);
    },
    email: email && {
      send: async (message) => {
        assertAllowed(null, "the e-mail binding");
        return email.send(message);
      },
    },
    databases:
      databases &&
      Object.fromEntries(
        Object.entries(databases).map(([name, { query }]) => {
          const guarded: typeof query = async (sql, params) => {
            assertAllowed(null, `the database ${name}`);
            return query(sql, params);
          };
          return [name, { query: guarded }];
        }),
      ),
    services:
      services &&
      Object.fromEntries(
        Object.entries(services).map(([name, port]) => {
          const guarded: typeof port.call = async (method, input, call) => {
            assertAllowed(null, `the Worker ${name}`);
            return port.call(method, input, call);
          };
          return [name, { call: guarded }];
        }),
      ),
    tasks: tasks && {
      create: async (task) => asFailedCall(check(null, "a task")) ?? tasks.create(task),
      change: async (change) => asFailedCall(check(null, "a task")) ?? tasks.change(change),
    },
    engine: engine && {
      start: async (request) => asFailedCall(check(null, "another execution")) ?? engine.start(request),
      send: async (request) => asFailedCall(check(null, "another execution")) ?? engine.send(request),
    },
  };
}

/** Thrown by `fetch`, the e-mail binding, the databases and the bound Workers if a host-restricted secret forbids the call. */
export class BlockedHost extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.error.message);
    this.failure = failure;
  }
}

function asFailedCall(failure: Failure | null) {
  return failure === null ? null : ({ ok: false, failure } as const);
}

function blockedFailure({ secret, hosts }: BoundSecret, receiver: string): Failure {
  const message = `the secret ${secret} may only be sent to ${hosts.join(", ")}, but this call goes to ${receiver}`;
  const details = { secret, to: receiver, hosts: [...hosts] };
  return { error: { type: "invalid_configuration", message, retryable: false, code: "secret_host_mismatch", details } };
}
