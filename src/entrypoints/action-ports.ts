// Ports of actions besides HTTP: the platform's e-mail binding, the tenant's files, and the databases and Workers that
// the operator made available.
import type { Env } from "#env";
import { NO_BOUND_DATABASE } from "#runners/database/errors.ts";
import { NO_BOUND_SERVICE } from "#runners/worker/errors.ts";
import type { BindingNames } from "#schema/outgoing/bound-names.ts";
import type { InstalledPorts } from "#runners/rehearsal/rehearse.ts";
import type { Json } from "#schema/json.ts";
import type { DatabasePort, EmailMailbox, RunnerContext, ServicePort } from "#runners/core/runner.ts";

export function emailPort({ EMAIL }: Env): RunnerContext["email"] {
  if (EMAIL === undefined) return undefined;
  return {
    send: ({ from, to, cc, bcc, replyTo, attachments, ...rest }) =>
      EMAIL.send({
        ...rest,
        from: mailbox(from),
        to: to.map(mailbox),
        ...(cc === undefined ? {} : { cc: cc.map(mailbox) }),
        ...(bcc === undefined ? {} : { bcc: bcc.map(mailbox) }),
        ...(replyTo === undefined ? {} : { replyTo: mailbox(replyTo) }),
        attachments: (attachments ?? []).map(({ contentId, ...file }) =>
          contentId === null
            ? { ...file, disposition: "attachment" as const }
            : { ...file, disposition: "inline" as const, contentId },
        ),
        headers: { ...rest.headers },
      }),
  };
}

function mailbox({ email, name }: EmailMailbox): string | EmailAddress {
  return name === null ? email : { email, name };
}

/**
 * Reads a tenant's files. The prefix of every file's key is the tenant's id, so that no key in a config reaches another
 * tenant's files.
 */
export function filesPort({ ATTACHMENTS }: Env, tenant: string): RunnerContext["files"] {
  if (ATTACHMENTS === undefined) return undefined;
  return {
    read: async (key) => {
      const found = await ATTACHMENTS.get(`${tenant}/${key}`);
      if (found === null) return null;
      const { contentType = null, contentDisposition = null } = found.httpMetadata ?? {};
      return { body: found.body, bytes: found.size, type: contentType, disposition: contentDisposition };
    },
  };
}

/**
 * Returns the databases that ACTION_DATABASES lists, such as "crm=CRM_DB, orders=ORDERS_DB". The engine's own database
 * is never included.
 */
export function databasePorts(env: Env): { readonly [name: string]: DatabasePort } {
  return listedPorts(env, env.ACTION_DATABASES, databasePort);
}

/** Returns the bound Workers that ACTION_SERVICES lists, such as "shop=SHOP". */
export function servicePorts(env: Env): { readonly [name: string]: ServicePort } {
  return listedPorts(env, env.ACTION_SERVICES, servicePort);
}

type MakePort<Port> = (bound: unknown, binding: string) => Port;

/** Makes a port for each binding that a variable lists as "name=BINDING[,name=BINDING…]". */
function listedPorts<Port>(env: Env, list = "", makePort: MakePort<Port>): { readonly [name: string]: Port } {
  const pairs = list
    .split(",")
    .map((pair) => pair.trim())
    .filter(Boolean);
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = "", binding = name] = pair.split("=").map((part) => part.trim());
      // The operator chooses the names of these bindings, so the binding's type is unknown; `makePort` checks it.
      return [name, makePort((env as unknown as { readonly [binding: string]: unknown })[binding], binding)];
    }),
  );
}

/**
 * Returns the ports of this installation, for a rehearsal. A rehearsal assumes the ports that a real run would have.
 */
export function installedPorts(env: Env): InstalledPorts {
  const { databases, services } = bindingNames(env);
  const bound = { email: env.EMAIL !== undefined, files: env.ATTACHMENTS !== undefined };
  return { allowLoopback: env.ALLOW_LOOPBACK === "true", ...bound, databases, services };
}

/** Returns the names of the databases and Workers that actions may use. */
export function bindingNames(env: Env): BindingNames {
  return { databases: Object.keys(databasePorts(env)), services: Object.keys(servicePorts(env)) };
}

function databasePort(bound: unknown, binding: string): DatabasePort {
  const isOpen = binding !== "DB" && isD1Database(bound);
  return {
    query: async (sql, params) => {
      if (!isOpen) throw new Error(`ACTION_DATABASES names ${binding}, but ${NO_BOUND_DATABASE}`);
      const { results, meta } = await bound
        .prepare(sql)
        .bind(...params)
        .all();
      return { rows: results, rowsRead: meta.rows_read, rowsWritten: meta.rows_written };
    },
  };
}

function servicePort(bound: unknown, binding: string): ServicePort {
  return {
    call: async (method, input, { signal: _unsent, ...call }) => {
      if (!isService(bound)) throw new Error(`ACTION_SERVICES names ${binding}, but ${NO_BOUND_SERVICE}`);
      // The platform passes an AbortSignal over RPC only with a compatibility flag, so the method gets the deadline.
      return bound[method]?.(input, call);
    },
  };
}

/** A stub of a Worker's entrypoint. It has every name as a method; the Worker refuses those that it does not have. */
type ServiceStub = { readonly [method: string]: (input: Json, call: object) => Promise<unknown> };

function isService(bound: unknown): bound is ServiceStub {
  return bound !== null && typeof bound === "object" && "fetch" in bound && typeof bound.fetch === "function";
}

function isD1Database(bound: unknown): bound is D1Database {
  return bound !== null && typeof bound === "object" && "prepare" in bound;
}
