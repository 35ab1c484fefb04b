// Bindings and vars, parsed once: the rest of the code is given what it needs and never sees this.
import type { QueueMessage } from "#schema/engine/message.ts";
import type { ProjectionMessage } from "#schema/engine/projection.ts";
import type { ConnectionObject } from "#objects/connection/connection.ts";
import type { DirectoryObject } from "#objects/directory/directory.ts";
import type { ExecutionObject } from "#objects/execution/execution.ts";
import type { RecurringObject } from "#objects/recurring/recurring.ts";
import type { OperationObject } from "#objects/operation/operation.ts";
import type { SignerObject } from "#objects/signer/signer.ts";
import type { SubjectObject } from "#objects/subject/subject.ts";
import type { TenantObject } from "#objects/tenant/tenant.ts";
import type { TriggerObject } from "#objects/trigger/trigger.ts";

export type Env = {
  readonly DB: D1Database;
  readonly EXECUTIONS: DurableObjectNamespace<ExecutionObject>;
  readonly CONNECTIONS: DurableObjectNamespace<ConnectionObject>;
  readonly SIGNERS: DurableObjectNamespace<SignerObject>;
  readonly OPERATIONS: DurableObjectNamespace<OperationObject>;
  readonly RECURRING: DurableObjectNamespace<RecurringObject>;
  readonly TENANTS: DurableObjectNamespace<TenantObject>;
  readonly TRIGGERS: DurableObjectNamespace<TriggerObject>;
  readonly DIRECTORIES: DurableObjectNamespace<DirectoryObject>;
  readonly SUBJECTS: DurableObjectNamespace<SubjectObject>;
  readonly ACTIONS: Queue<QueueMessage>;
  /** For actions that may take long, so that none that is short has to wait for them. */
  readonly SLOW_ACTIONS: Queue<QueueMessage>;
  readonly PROJECTIONS: Queue<ProjectionMessage>;
  /** Creates tenants and keys. */
  readonly ROOT_KEY: string;
  /** Receivers' webhook signing keys are derived from this; without it nothing is signed. Several: new,old. */
  readonly SIGNING_KEY?: string;
  /** What secrets are sealed with: "id:base64key[,id:base64key…]"; without it none can be kept. */
  readonly SECRETS_KEYS?: string;
  /** The platform's e-mail binding, for e-mail actions with the provider cloudflare. */
  readonly EMAIL?: SendEmail;
  /** Files that actions may send, each tenant's under its own id. */
  readonly ATTACHMENTS?: R2Bucket;
  /** The databases that database actions may use: "name=BINDING[,name=BINDING…]". */
  readonly ACTION_DATABASES?: string;
  /** "false": nothing recurs in this installation. */
  readonly ENABLE_RECURRING_ACTIONS?: string;
  /** "info" or "debug": two log lines for each attempt, at that level. */
  readonly LOG_ACTIONS?: string;
  /** "true" opens http and loopback for actions: local work only. */
  readonly ALLOW_LOOPBACK?: string;
};
