// Bindings and variables of the Worker. The entrypoints and the objects read them; all other code gets its dependencies
// as arguments.
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
  /** The queue for actions that may take long, so that short actions do not wait for them. */
  readonly SLOW_ACTIONS: Queue<QueueMessage>;
  readonly PROJECTIONS: Queue<ProjectionMessage>;
  /** The root key, which creates tenants and API keys. */
  readonly ROOT_KEY: string;
  /**
   * The key from which receivers' webhook signing keys are derived, or two keys as "new,old". Without it, webhooks are
   * not signed.
   */
  readonly SIGNING_KEY?: string;
  /** The keys that encrypt secrets: "id:base64key[,id:base64key…]". Without them, no secret can be stored. */
  readonly SECRETS_KEYS?: string;
  /** The base URL at which clients reach this Worker. Alerts link to it. Without it, alerts show paths of the API. */
  readonly PUBLIC_URL?: string;
  /** The platform's e-mail binding, for e-mail actions with the provider cloudflare. */
  readonly EMAIL?: SendEmail;
  /** The bucket with files that actions may send. The key of a file begins with its tenant's id. */
  readonly ATTACHMENTS?: R2Bucket;
  /** The databases that database actions may use: "name=BINDING[,name=BINDING…]". */
  readonly ACTION_DATABASES?: string;
  /** The Workers whose methods worker actions may call: "name=BINDING[,name=BINDING…]". */
  readonly ACTION_SERVICES?: string;
  /** "false": recurring actions are disabled in this installation. */
  readonly ENABLE_RECURRING_ACTIONS?: string;
  /** "info" or "debug": each attempt is logged in two lines at this level. */
  readonly LOG_ACTIONS?: string;
  /** The lowest level of log lines, by component: "default=info,reconciler=debug". */
  readonly LOG_LEVELS?: string;
  /** "true": actions may call http: URLs and loopback addresses. For local development only. */
  readonly ALLOW_LOOPBACK?: string;
};
