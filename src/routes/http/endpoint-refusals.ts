// Endpoint refusals: the codes with which each endpoint may refuse, for /openapi.json. Some follow from the endpoint's
// properties (a key, a body); the table has those of its use case. Tests check that each refusal sent is listed
// (test/support/endpoints.ts), and that each use case can give each code listed (endpoint-refusals.test.ts).
import type { ProblemCode } from "#wire/problem.ts";
import { isHeeded } from "./conditions.ts";
import type { EndpointId } from "./endpoint-access.ts";

/** Codes of changes whose response the catalog stores by Idempotency-Key. */
const once = ["answer_lost", "idempotency_conflict"] as const;
/** A code of every endpoint that calls an execution's object. */
const cell = ["execution_unreadable"] as const;
const verb = [...cell, "execution_final", "idempotency_conflict", "receipts_full"] as const;
/** Codes of dead-letter retries. They do not include `execution_final`: a dead letter outlives its execution. */
const redrive = [...cell, "idempotency_conflict", "receipts_full", "run_not_startable"] as const;
const starts = [
  "already_enrolled",
  "already_exists",
  "cell_full",
  "execution_unreadable",
  "idempotency_conflict",
  "rule_too_costly",
] as const;
const start = [...starts, "quota_exceeded", "tenant_suspended"] as const;
const event = [
  "event_buffer_full",
  "event_not_accepted",
  "event_too_late",
  "event_unknown",
  "payload_invalid",
] as const;

/** Codes of long computations, which are limited in number and in cost. */
const computes = ["computations_full", "limit_exceeded"] as const;

const own: { readonly [id in EndpointId]: readonly ProblemCode[] } = {
  createTenant: [...once, "already_exists"],
  listTenants: [],
  getTenant: [],
  changeTenant: [],
  suspendTenant: [],
  resumeTenant: [],
  getUsage: [],
  createKey: [...once, "quota_exceeded"],
  listKeys: [],
  revokeKey: [],
  getSigningSecret: [],
  getSigning: [],
  getSigningKeys: [],
  rotateSigningKeys: [...once, "rotation_under_way"],
  createDefinition: [...once, ...computes, "definition_invalid", "definition_rolled_back", "quota_exceeded"],
  validateDefinition: computes,
  testDefinition: computes,
  testInlineDefinition: [...computes, "definition_invalid"],
  previewDefinition: [...computes, "definition_invalid"],
  previewInlineDefinition: [...computes, "definition_invalid"],
  forecastDefinition: computes,
  forecastInlineDefinition: [...computes, "definition_invalid"],
  listDefinitions: [],
  getDefinition: [],
  listDefinitionVersions: [],
  getDefinitionVersion: [],
  archiveDefinition: once,
  publishDefinition: [
    ...once,
    ...computes,
    "definition_archived",
    "definition_invalid",
    "nothing_to_publish",
    "revision_mismatch",
  ],
  rollBackDefinition: [...once, "nothing_to_roll_back", "revision_mismatch"],
  listPublications: [],
  diffDefinition: [],
  diffInlineDefinition: [...computes, "definition_invalid"],
  createTemplate: [...once, "quota_exceeded", "template_invalid"],
  previewTemplate: [],
  listTemplates: [],
  getTemplate: [],
  listTemplateVersions: [],
  archiveTemplate: once,
  getSubject: [],
  eraseSubject: [...cell, "execution_live"],
  openEnrolment: ["definition_archived", "definition_unpublished", "idempotency_conflict"],
  appendEnrolmentPart: ["idempotency_conflict", "operation_begun"],
  startEnrolment: ["operation_final"],
  listEnrolmentTroubles: [],
  setSecret: ["not_configured", "quota_exceeded"],
  bindSecret: [],
  listSecrets: [],
  deleteSecret: [],
  reencryptSecrets: [...once, "not_configured"],
  createConnection: [...once, "already_exists", "quota_exceeded"],
  listConnections: [],
  getConnection: [],
  updateConnection: ["already_exists"],
  deleteConnection: [],
  testConnection: ["not_configured", "tenant_suspended"],
  createTrigger: [...once, "already_exists", "not_configured", "quota_exceeded"],
  listTriggers: [],
  getTrigger: [],
  getTriggerAddress: ["not_configured"],
  updateTrigger: ["already_exists"],
  deleteTrigger: [],
  enableTrigger: once,
  disableTrigger: once,
  pollTrigger: [...once, "not_a_poller", "trigger_closed"],
  rotateTriggerToken: [...once, "not_configured"],
  rotateTriggerSecret: once,
  listDeliveries: [],
  getDelivery: [],
  replayDelivery: [...once, "delivery_not_replayable"],
  replayDeliveries: once,
  createAlertChannel: [...once, "already_exists", "quota_exceeded"],
  listAlertChannels: [],
  getAlertChannel: [],
  updateAlertChannel: ["already_exists"],
  deleteAlertChannel: [],
  testAlertChannel: [...start, "action_invalid"],
  testAction: computes,
  startExecution: [...start, "definition_archived", "definition_unpublished", "variables_invalid"],
  startExecutions: [],
  listExecutions: [],
  getExecution: cell,
  explainExecution: [],
  executionTree: [],
  eraseExecution: [...cell, "execution_live"],
  getJournal: cell,
  listRuns: cell,
  watchExecution: ["upgrade_required"],
  dispatchAction: [...start, "action_invalid"],
  dispatchActions: [],
  listActions: [],
  getAction: cell,
  cancelAction: [...cell, "execution_final", "idempotency_conflict"],
  retryAction: [...redrive, "config_invalid", "execution_final"],
  sendEvent: [...verb, ...event, "rule_too_costly"],
  postEvent: ["event_buffer_full", "idempotency_conflict"],
  listPostedEvents: [],
  patchExecution: [...verb, "rule_too_costly"],
  pauseExecution: [...verb, "execution_paused"],
  resumeExecution: [...verb, "execution_not_paused"],
  restartExecution: [
    ...start,
    ...["already_enrolled", "definition_archived", "execution_live", "idempotency_conflict", "verb_not_applicable"],
  ] as const,
  cancelExecution: [...cell, "execution_final", "idempotency_conflict"],
  pokeExecution: cell,
  runNow: [...verb, "action_queue_full", "execution_paused", "run_not_startable"],
  retryRun: [...redrive, "config_invalid"],
  getDesired: [...cell, "verb_not_applicable"],
  setDesired: [...verb, "revision_mismatch", "rule_too_costly", "verb_not_applicable"],
  getObserved: [...cell, "verb_not_applicable"],
  setObserved: [...verb, "revision_mismatch", "rule_too_costly", "verb_not_applicable"],
  skipInExecution: [...verb, "verb_not_applicable", "rule_too_costly"],
  reschedule: [...verb, "verb_not_applicable"],
  holdRun: [...verb, "verb_not_applicable"],
  releaseRun: [...verb, "verb_not_applicable"],
  completeWait: [...verb, "verb_not_applicable", "rule_too_costly", "event_buffer_full", "payload_invalid"],
  listDeadLetters: [],
  getDeadLetter: cell,
  retryDeadLetter: [...redrive, "config_invalid"],
  archiveDeadLetter: redrive,
  listRetryPolicies: [],
  getRetryLadder: [],
  showRetryLadder: [],
  planLoad: ["action_invalid"],
  listTasks: [],
  getTask: [],
  completeTask: [...once, "task_closed"],
  cancelTask: [...once, "task_closed"],
  reassignTask: [...once, "task_closed"],
  retryAllDeadLetters: ["idempotency_conflict"],
  archiveAllDeadLetters: ["idempotency_conflict"],
  startOperation: ["idempotency_conflict"],
  listOperations: [],
  getOperation: [],
  abortOperation: ["operation_final"],
  getSigner: [],
  reconcileSigner: ["not_configured", "tenant_suspended"],
  getPrices: [],
  setPrices: [],
  getMetrics: [],
  getMetricsSnapshot: [],
  getConfig: [],
  createRecurring: ["already_exists", "idempotency_conflict", "not_configured", "quota_exceeded"],
  listRecurring: [],
  getRecurring: [],
  updateRecurring: [],
  deleteRecurring: [],
  pauseRecurring: ["idempotency_conflict"],
  resumeRecurring: ["idempotency_conflict"],
  triggerRecurring: ["idempotency_conflict"],
  skipRecurring: ["idempotency_conflict"],
  getRecurringHistory: [],
  getRecurringOccurrences: [],
  listAudit: [],
  getWorkerStatus: [],
  getWorkerStatistics: [],
  getStreamInfo: [],
  initializeStream: ["not_configured"],
  sendTestEvent: ["deliveries_full", "trigger_closed"],
  listWorkerExecutions: [],
  getWorkerExecution: cell,
  cancelWorkerExecution: [...cell, "execution_final", "idempotency_conflict"],
  processExecutions: [],
  getMonitorStatus: cell,
  retryQueueItem: redrive,
  getMonitorMetrics: [],
  pauseJourney: [...verb, "execution_paused"],
  resumeJourney: [...verb, "execution_not_paused"],
  getModuleHistory: cell,
  listMetricsDays: [],
  listMetricsTypes: [],
};

export type Asked = {
  readonly id: string;
  /** The HTTP method, in any case: OpenAPI uses lower case. */
  readonly method: string;
  readonly hasKey: boolean;
  readonly hasBody: boolean;
};

export function refusalsOf(asked: Asked): readonly ProblemCode[] {
  const mine = Object.hasOwn(own, asked.id) ? own[asked.id as EndpointId] : []; // hasOwn has checked that the table has this id
  const elsewhere = isHeeded(asked.id, "If-State") ? (["state_changed"] as const) : [];
  return [...new Set([...commonTo(asked), ...elsewhere, ...mine])];
}

function commonTo({ method, hasKey, hasBody }: Asked): readonly ProblemCode[] {
  return [
    "invalid_input",
    "internal_error",
    ...(hasKey ? guarded : []),
    // The guard reads the body even if the endpoint requires none.
    ...(hasKey && /^(post|put|patch)$/i.test(method) ? bodied : []),
    ...(hasBody ? (["unsupported_media_type"] as const) : []),
  ];
}

/**
 * `not_found` includes the tenant that a request names. `unavailable`: the catalog, or an object that is being moved.
 */
const guarded = ["unauthenticated", "scope_missing", "origin_not_allowed", "not_found", "unavailable"] as const;
const bodied = ["body_unreadable", "malformed_json", "body_too_large", "limit_exceeded"] as const;
