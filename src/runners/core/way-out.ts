// Every way out of a run, watched for secrets that may go to certain hosts only: a run that was given one calls these hosts
// and nobody else. Which part of a request holds it is not asked: a value can be anywhere, and spelled in many ways.
import { boundElsewhere, type BoundSecret } from "#schema/outgoing/bound-secret.ts";
import type { Failure } from "./classify.ts";
import type { RunnerContext } from "./runner.ts";

type Ports = Pick<RunnerContext, "fetch" | "email" | "databases" | "tasks" | "engine">;
type Watched = Ports & {
  /** Why nothing left, where that was so: it goes before whatever the runner made of it. */
  readonly refused: () => Failure | null;
};

/** `bounds` grows while a run opens connections. */
export function watched(ports: Ports, bounds: readonly BoundSecret[]): Watched {
  let refused: Failure | null = null;
  const refusal = (host: string | null, to: string): Failure | null => {
    const found = host === null ? (bounds[0] ?? null) : boundElsewhere(host, bounds);
    if (found === null) return null;
    refused ??= elsewhere(found, to);
    return refused;
  };
  const stop = (host: string | null, to: string): void => {
    const failure = refusal(host, to);
    if (failure !== null) throw new WentElsewhere(failure);
  };
  const { fetch, email, databases, tasks, engine } = ports;
  return {
    refused: () => refused,
    fetch: async (url, init) => {
      // Most runs were given nothing that is bound.
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

/** What `fetch` and the platform's ports throw. */
export class WentElsewhere extends Error {
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
  const message = `the secret ${secret} may go to ${hosts.join(", ")} only, and this would call ${to}`;
  const details = { secret, to, hosts: [...hosts] };
  return {
    error: { type: "invalid_configuration", message, retryable: false, code: "secret_bound_elsewhere", details },
  };
}
