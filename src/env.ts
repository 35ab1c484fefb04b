// Bindings and vars, parsed once: the rest of the code is given what it needs and never sees this.
import type { ActionMessage } from "#schema/message.ts";
import type { ProjectionMessage } from "#schema/projection.ts";
import type { ExecutionObject } from "#objects/execution/execution.ts";

export type Env = {
  readonly DB: D1Database;
  readonly EXECUTIONS: DurableObjectNamespace<ExecutionObject>;
  readonly ACTIONS: Queue<ActionMessage>;
  readonly PROJECTIONS: Queue<ProjectionMessage>;
  /** Creates tenants and keys. */
  readonly ROOT_KEY: string;
  /** Tenants' webhook signing secrets are derived from this; without it nothing is signed. Several: new,old. */
  readonly SIGNING_KEY?: string;
  /** "true" opens http and loopback for actions: local work only. */
  readonly ALLOW_LOOPBACK?: string;
};
