// The typed client: one method per API operation. It needs only `fetch`, so it works in Workers, Node and browsers.
import type { ApiAuditEntry } from "#wire/audit/shape.ts";
import type { ApiHealth } from "#wire/health/shape.ts";
import type { ApiPolicy } from "#wire/policies/shape.ts";
import type * as alert from "#wire/alerts/shape.ts";
import type * as calendar from "#wire/calendars/shape.ts";
import type { ApiArchived } from "#wire/definitions/shape.ts";
import type * as asked from "#wire/executions/bodies.ts";
import type * as account from "#wire/connections/shape.ts";
import type * as dead from "#wire/dead-letters/shape.ts";
import type { ApiCreatedKey, ApiKey, ApiSigningSecret, CreateKeyBody } from "#wire/keys/shape.ts";
import type * as operation from "#wire/operations/shape.ts";
import type { ApiCommandPreview, CommandOperationBody } from "#wire/operations/command-operation.ts";
import type { ApiConfigView, ApiMetricsSnapshot } from "#wire/metrics/shape.ts";
import type { PlanLoadBody } from "#wire/load/shape.ts";
import type * as price from "#wire/prices/shape.ts";
import type * as retry from "#wire/retry/shape.ts";
import type * as task from "#wire/tasks/shape.ts";
import type * as message from "#wire/templates/shape.ts";
import type { Page } from "#wire/query.ts";
import type { JsonObject } from "#schema/json.ts";
import type { LoadPlan } from "#schema/load.ts";
import type { RetryPreset } from "#schema/definition/retry.ts";
import { actions } from "./actions.ts";
import { configuration } from "./configuration.ts";
import { definitions } from "./definitions.ts";
import { events } from "./events.ts";
import { executions, type ExecutionFilters } from "./executions.ts";
import { connectLive } from "./live.ts";
import { monitorView } from "./monitor.ts";
import { pages } from "./pages.ts";
import { reconcilers } from "./reconcilers.ts";
import { recurring } from "./recurring.ts";
import { secrets } from "./secrets.ts";
import { suppressions } from "./suppressions.ts";
import { signers } from "./signers.ts";
import { access } from "./access.ts";
import { signing } from "./signing.ts";
import { subjects } from "./subjects.ts";
import { tenants } from "./tenants.ts";
import { triggers } from "./triggers.ts";
import { workerView } from "./worker.ts";
import { sender, type CallOptions, type ClientOptions, type Send } from "./request.ts";

export { ProblemError } from "./problem-error.ts";
export { pages };
export type { CallOptions, ClientOptions, ExecutionFilters, Page };
export type Client = ReturnType<typeof createClient>;

export type PageOptions = { readonly cursor?: string; readonly limit?: number };
type AuditFilters = PageOptions & { readonly actor?: string; readonly verb?: string; readonly target?: string };
export type TaskFilters = PageOptions & {
  readonly status?: task.ApiTask["status"];
  readonly assignee?: string;
  readonly execution?: string;
  readonly dueAfter?: string;
  readonly dueBefore?: string;
};
export type OperationFilters = PageOptions & {
  readonly verb?: operation.ApiOperation["verb"];
  readonly status?: operation.ApiOperation["status"];
};
export type DeadLetterFilters = PageOptions & {
  readonly execution?: string;
  readonly definition?: string;
  readonly namespace?: string;
  readonly correlationId?: string;
  readonly action?: string;
  readonly type?: string;
  readonly errorType?: string;
  readonly errorCode?: string;
  /** The id of the connection of the last failed attempt. */
  readonly connection?: string;
  /** true: only failures that the definition handled. false: only failures that wait for an operator. */
  readonly handled?: boolean;
  readonly minPriority?: number;
  readonly critical?: boolean;
  readonly failedAfter?: string;
  readonly failedBefore?: string;
};
type LadderOptions = { readonly startAt?: string; readonly timezone?: string };

export function createClient(options: ClientOptions) {
  const send = sender(options);
  return {
    health: () => send<ApiHealth>({ method: "GET", path: ["health"] }),
    tenants: tenants(send),
    keys: {
      create: (body: CreateKeyBody, call?: CallOptions) => post<ApiCreatedKey>(send, ["keys"], body, call),
      list: (query?: PageOptions) => get<Page<ApiKey>>(send, ["keys"], query),
      revoke: (id: string, reason?: string, call?: CallOptions) =>
        send<ApiKey>({ method: "DELETE", path: ["v1", "keys", id], query: { reason } }, call),
      /** Returns the tenant's webhook signing secret. Only for a tenant whose receivers all share one signing key. */
      signingSecret: () => get<ApiSigningSecret>(send, ["signing-secret"]),
    },
    access: access(send),
    signing: signing(send),
    definitions: definitions(send),
    templates: templates(send),
    secrets: secrets(send),
    suppressions: suppressions(send),
    connections: connections(send),
    alertChannels: alertChannels(send),
    calendars: calendars(send),
    /** `configuration.put` creates and replaces a policy. */
    policies: {
      list: (query?: PageOptions) => get<Page<ApiPolicy>>(send, ["policies"], query),
      get: (ref: string) => get<ApiPolicy>(send, ["policies", ref]),
      delete: (ref: string, reason?: string, call?: CallOptions) =>
        send<ApiPolicy>({ method: "DELETE", path: ["v1", "policies", ref], query: { reason } }, call),
    },
    configuration: configuration(send),
    triggers: triggers(send),
    executions: executions(send, (id) => connectLive(options, id)),
    reconcilers: reconcilers(send),
    events: events(send),
    actions: actions(send),
    tasks: tasks(send),
    signers: signers(send),
    subjects: subjects(send),
    worker: workerView(send),
    monitor: monitorView(send),
    operations: operations(send),
    recurring: recurring(send),
    /** Returns the engine's configuration for the tenant of the API key. */
    config: () => get<ApiConfigView>(send, ["config"]),
    metrics: () => get<ApiMetricsSnapshot>(send, ["metrics", "snapshot"]),
    deadLetters: deadLetters(send),
    retryPolicies: {
      list: () => get<retry.ApiNamedPolicies>(send, ["retry-policies"]),
      ladder: (policy: RetryPreset, query: LadderOptions = {}) =>
        get<retry.ApiRetryTimetable>(send, ["retry-policies", "ladder"], { policy, ...query }),
      ladderOf: (body: retry.RetryTimetableBody) =>
        post<retry.ApiRetryTimetable>(send, ["retry-policies", "ladder"], body),
    },
    /** Plans a load test of one action. No action is sent. */
    planLoad: (body: PlanLoadBody) => post<LoadPlan>(send, ["actions", "load-plan"], body),
    prices: {
      get: () => get<price.ApiPrices>(send, ["prices"]),
      /** Replaces the whole list of prices. */
      set: (body: price.SetPricesBody, call?: CallOptions) =>
        send<price.ApiChangedPrices>({ method: "PUT", path: ["v1", "prices"], body }, call),
    },
    audit: (query?: AuditFilters) => get<Page<ApiAuditEntry>>(send, ["audit"], query),
  };
}

function templates(send: Send) {
  return {
    create: (body: message.TemplateBody, call?: CallOptions) =>
      post<message.ApiCreatedTemplate>(send, ["templates"], body, call),
    preview: (ref: string, body: message.PreviewBody = {}) =>
      post<message.ApiPreview>(send, ["templates", ref, "preview"], body),
    list: (query?: PageOptions) => get<Page<message.ApiTemplateSummary>>(send, ["templates"], query),
    get: (ref: string) => get<message.ApiTemplate>(send, ["templates", ref]),
    versions: (name: string, query?: PageOptions) =>
      get<Page<message.ApiTemplateSummary>>(send, ["templates", name, "versions"], query),
    archive: (ref: string, body: { readonly reason?: string } = {}, call?: CallOptions) =>
      post<ApiArchived>(send, ["templates", ref, "archive"], body, call),
  };
}

function connections(send: Send) {
  return {
    create: (body: account.CreateConnectionBody, call?: CallOptions) =>
      post<account.ApiConnection>(send, ["connections"], body, call),
    list: (query?: PageOptions & { readonly provider?: string }) =>
      get<Page<account.ApiConnection>>(send, ["connections"], query),
    get: (ref: string) => get<account.ApiConnectionInUse>(send, ["connections", ref]),
    /** Merges the body into the connection's settings. A field with the value null is removed. */
    update: (ref: string, body: JsonObject, reason?: string, call?: CallOptions) =>
      send<account.ApiConnection>({ method: "PATCH", path: ["v1", "connections", ref], query: { reason }, body }, call),
    delete: (ref: string, reason?: string, call?: CallOptions) =>
      send<account.ApiConnection>({ method: "DELETE", path: ["v1", "connections", ref], query: { reason } }, call),
    test: (ref: string) => post<account.ApiTestedConnection>(send, ["connections", ref, "test"], {}),
  };
}

function alertChannels(send: Send) {
  const change = (method: "PATCH" | "DELETE", id: string, more: object, call?: CallOptions) =>
    send<alert.ApiAlertChannel>({ method, path: ["v1", "alert-channels", id], ...more }, call);
  return {
    create: (body: alert.CreateAlertChannelBody, call?: CallOptions) =>
      post<alert.ApiAlertChannel>(send, ["alert-channels"], body, call),
    list: (query?: PageOptions) => get<Page<alert.ApiAlertChannel>>(send, ["alert-channels"], query),
    get: (id: string) => get<alert.ApiAlertChannel>(send, ["alert-channels", id]),
    /** Merges the body into the alert channel's settings. A field with the value null is removed. */
    update: (id: string, body: JsonObject, reason?: string, call?: CallOptions) =>
      change("PATCH", id, { query: { reason }, body }, call),
    delete: (id: string, reason?: string, call?: CallOptions) => change("DELETE", id, { query: { reason } }, call),
    /** Sends a test alert. The answer contains the action that sends it. */
    test: (id: string, call?: CallOptions) =>
      post<alert.ApiTestedAlertChannel>(send, ["alert-channels", id, "test"], {}, call),
  };
}

function calendars(send: Send) {
  return {
    list: (query?: PageOptions) => get<Page<calendar.ApiCalendar>>(send, ["calendars"], query),
    get: (name: string) => get<calendar.ApiCalendar>(send, ["calendars", name]),
    delete: (name: string, reason?: string, call?: CallOptions) =>
      send<calendar.ApiCalendar>({ method: "DELETE", path: ["v1", "calendars", name], query: { reason } }, call),
  };
}

function tasks(send: Send) {
  return {
    list: (query?: TaskFilters) => get<Page<task.ApiTask>>(send, ["tasks"], query),
    get: (id: string) => get<task.ApiTask>(send, ["tasks", id]),
    complete: (id: string, body: task.CompleteTaskBody = {}, call?: CallOptions) =>
      post<task.ApiClosedTask>(send, ["tasks", id, "complete"], body, call),
    cancel: (id: string, body: task.CancelTaskBody = {}, call?: CallOptions) =>
      post<task.ApiClosedTask>(send, ["tasks", id, "cancel"], body, call),
    reassign: (id: string, body: task.ReassignTaskBody, call?: CallOptions) =>
      post<task.ApiChangedTask>(send, ["tasks", id, "reassign"], body, call),
  };
}

/** Client calls about bulk operations. A dry run has its own methods, because its answer has another shape. */
function operations(send: Send) {
  const all = <Answer>(verb: "retry" | "archive", body: operation.ArchiveAllBody, call?: CallOptions) =>
    post<Answer>(send, ["dead-letters", `${verb}-all`], body, call);
  return {
    retryAll: (body: operation.RetryAllBody, call?: Omit<CallOptions, "dryRun">) =>
      all<operation.ApiChangedOperation>("retry", body, call),
    archiveAll: (body: operation.ArchiveAllBody, call?: Omit<CallOptions, "dryRun">) =>
      all<operation.ApiChangedOperation>("archive", body, call),
    previewRetryAll: (body: operation.RetryAllBody) =>
      all<operation.ApiOperationPreview>("retry", body, { dryRun: true }),
    previewArchiveAll: (body: operation.ArchiveAllBody) =>
      all<operation.ApiOperationPreview>("archive", body, { dryRun: true }),
    /** Starts an operation that sends a command, such as an event, a pause or a patch, to many executions. */
    start: (body: CommandOperationBody, call?: Omit<CallOptions, "dryRun">) =>
      post<operation.ApiChangedOperation>(send, ["operations"], body, call),
    preview: (body: CommandOperationBody) => post<ApiCommandPreview>(send, ["operations"], body, { dryRun: true }),
    list: (query?: OperationFilters) => get<Page<operation.ApiOperation>>(send, ["operations"], query),
    get: (id: string) => get<operation.ApiOperation>(send, ["operations", id]),
    abort: (id: string, body: operation.AbortBody = {}, call?: CallOptions) =>
      post<operation.ApiChangedOperation>(send, ["operations", id, "abort"], body, call),
  };
}

function deadLetters(send: Send) {
  return {
    list: (query?: DeadLetterFilters) => get<Page<dead.ApiDeadLetterSummary>>(send, ["dead-letters"], query),
    /** Returns a dead letter with everything that an operator needs to decide about a retry. */
    get: (id: string) => get<dead.ApiDeadLetter>(send, ["dead-letters", id]),
    retry: (id: string, body: dead.RetryDeadLetterBody = {}, call?: CallOptions) =>
      post<dead.ApiRedriven>(send, ["dead-letters", id, "retry"], body, call),
    archive: (id: string, body: asked.ControlBody = {}, call?: CallOptions) =>
      post<dead.ApiRedriven>(send, ["dead-letters", id, "archive"], body, call),
  };
}

function get<Answer>(send: Send, path: readonly string[], query: object = {}): Promise<Answer> {
  return send<Answer>({ method: "GET", path: ["v1", ...path], query: { ...query } });
}

function post<Answer>(send: Send, path: readonly string[], body: unknown, call?: CallOptions): Promise<Answer> {
  return send<Answer>({ method: "POST", path: ["v1", ...path], body }, call);
}
