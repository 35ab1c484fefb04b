// Endpoint refusals: the codes with which each endpoint may refuse, for /openapi.json. Some codes follow from the
// endpoint's properties (a key, a body); the table lists the codes of its use case. test/support/endpoints.ts checks
// that each refusal sent is listed. endpoint-refusals.test.ts checks that a use case can return each listed code.
import type { ProblemCode } from "#wire/problem.ts";
import { isHeaderSupported } from "./conditions.ts";
import type { EndpointId } from "./endpoint-access.ts";

/** Codes of changes whose response the catalog stores by Idempotency-Key. */
const storedResponse = ["answer_lost", "idempotency_conflict"] as const;
/** A code of every endpoint that calls an execution's object. */
const cellCall = ["execution_unreadable"] as const;
/** Codes of writes by name. */
const put = ["precondition_failed", "quota_exceeded"] as const;
const controlVerb = [...cellCall, "execution_final", "idempotency_conflict", "receipts_full"] as const;
/** Codes of dead-letter retries. They do not include `execution_final`: a dead letter outlives its execution. */
const redrive = [...cellCall, "idempotency_conflict", "receipts_full", "run_not_startable"] as const;
const startCodes = [
  "already_enrolled",
  "already_exists",
  "cell_full",
  "execution_unreadable",
  "idempotency_conflict",
  "rule_too_costly",
] as const;
const start = [...startCodes, "quota_exceeded", "tenant_suspended"] as const;
const eventVerb = [
  "event_buffer_full",
  "event_not_accepted",
  "event_too_late",
  "event_unknown",
  "payload_invalid",
] as const;

/** Codes of long computations, which are limited in number and in cost. */
const computation = ["computations_full", "limit_exceeded"] as const;

/** An endpoint without a row has no codes of its own. */
const refusalsByEndpoint: { readonly [id in EndpointId]?: readonly ProblemCode[] } = {
  createTenant: [...storedResponse, "already_exists"],
  createKey: [...storedResponse, "quota_exceeded"],
  issueToken: ["not_configured"],
  rotateSigningKeys: [...storedResponse, "rotation_in_progress"],
  createDefinition: [
    ...storedResponse,
    ...computation,
    "definition_invalid",
    "definition_rolled_back",
    "quota_exceeded",
  ],
  putDefinition: [...put, ...computation, "definition_invalid", "definition_rolled_back"],
  validateDefinition: computation,
  testDefinition: computation,
  testInlineDefinition: [...computation, "definition_invalid"],
  previewDefinition: [...computation, "definition_invalid"],
  previewInlineDefinition: [...computation, "definition_invalid"],
  forecastDefinition: computation,
  forecastInlineDefinition: [...computation, "definition_invalid"],
  archiveDefinition: storedResponse,
  publishDefinition: [
    ...storedResponse,
    ...computation,
    "definition_archived",
    "definition_invalid",
    "nothing_to_publish",
    "revision_mismatch",
  ],
  rollBackDefinition: [...storedResponse, "nothing_to_roll_back", "revision_mismatch"],
  diffInlineDefinition: [...computation, "definition_invalid"],
  createTemplate: [...storedResponse, "quota_exceeded", "template_invalid"],
  putTemplate: [...put, "template_invalid"],
  archiveTemplate: storedResponse,
  eraseSubject: [...cellCall, "execution_live"],
  openEnrolment: ["definition_archived", "definition_unpublished", "idempotency_conflict"],
  appendEnrolmentPart: ["idempotency_conflict", "operation_started"],
  startEnrolment: ["operation_final"],
  setSecret: ["not_configured", "quota_exceeded"],
  reencryptSecrets: [...storedResponse, "not_configured"],
  putPolicy: put,
  addSuppressions: ["quota_exceeded"],
  createConnection: [...storedResponse, "already_exists", "quota_exceeded"],
  putConnection: put,
  updateConnection: ["already_exists"],
  testConnection: ["not_configured", "tenant_suspended"],
  createTrigger: [...storedResponse, "already_exists", "not_configured", "quota_exceeded"],
  getTriggerAddress: ["not_configured"],
  putTrigger: [...put, "not_configured"],
  updateTrigger: ["already_exists"],
  enableTrigger: storedResponse,
  disableTrigger: storedResponse,
  pollTrigger: [...storedResponse, "not_a_poller", "trigger_closed"],
  rotateTriggerToken: [...storedResponse, "not_configured"],
  rotateTriggerSecret: storedResponse,
  replayDelivery: [...storedResponse, "delivery_not_replayable"],
  replayDeliveries: storedResponse,
  putCalendar: put,
  deleteCalendar: ["in_use"],
  createAlertChannel: [...storedResponse, "already_exists", "quota_exceeded"],
  putAlertChannel: put,
  updateAlertChannel: ["already_exists"],
  testAlertChannel: [...start, "action_invalid"],
  testAction: computation,
  startExecution: [...start, "definition_archived", "definition_unpublished", "variables_invalid"],
  getExecution: cellCall,
  eraseExecution: [...cellCall, "execution_live"],
  getJournal: cellCall,
  listRuns: cellCall,
  searchRuns: [],
  listRunners: [],
  groupDeadLetters: [],
  watchExecution: ["upgrade_required"],
  dispatchAction: [...start, "action_invalid"],
  getAction: cellCall,
  cancelAction: [...cellCall, "execution_final", "idempotency_conflict"],
  retryAction: [...redrive, "config_invalid", "execution_final"],
  sendEvent: [...controlVerb, ...eventVerb, "rule_too_costly"],
  postEvent: ["event_buffer_full", "idempotency_conflict"],
  patchExecution: [...controlVerb, "rule_too_costly"],
  pauseExecution: [...controlVerb, "execution_paused"],
  resumeExecution: [...controlVerb, "execution_not_paused"],
  restartExecution: [
    ...start,
    "already_enrolled",
    "definition_archived",
    "execution_live",
    "idempotency_conflict",
    "verb_not_applicable",
  ],
  cancelExecution: [...cellCall, "execution_final", "idempotency_conflict"],
  pokeExecution: cellCall,
  runNow: [...controlVerb, "action_queue_full", "execution_paused", "run_not_startable"],
  retryRun: [...redrive, "config_invalid"],
  getDesired: [...cellCall, "verb_not_applicable"],
  setDesired: [...controlVerb, "revision_mismatch", "rule_too_costly", "verb_not_applicable"],
  getObserved: [...cellCall, "verb_not_applicable"],
  setObserved: [...controlVerb, "revision_mismatch", "rule_too_costly", "verb_not_applicable"],
  skipInExecution: [...controlVerb, "verb_not_applicable", "rule_too_costly"],
  cancelActionOfExecution: [...controlVerb, "verb_not_applicable", "rule_too_costly"],
  reschedule: [...controlVerb, "verb_not_applicable"],
  holdRun: [...controlVerb, "verb_not_applicable"],
  releaseRun: [...controlVerb, "verb_not_applicable"],
  completeWait: [...controlVerb, "verb_not_applicable", "rule_too_costly", "event_buffer_full", "payload_invalid"],
  getDeadLetter: cellCall,
  retryDeadLetter: [...redrive, "config_invalid"],
  archiveDeadLetter: redrive,
  planLoad: ["action_invalid"],
  completeTask: [...storedResponse, "task_closed"],
  cancelTask: [...storedResponse, "task_closed"],
  reassignTask: [...storedResponse, "task_closed"],
  retryAllDeadLetters: ["idempotency_conflict"],
  archiveAllDeadLetters: ["idempotency_conflict"],
  startOperation: ["idempotency_conflict"],
  abortOperation: ["operation_final"],
  reconcileSigner: ["not_configured", "tenant_suspended"],
  setPrices: ["precondition_failed"],
  createRecurring: ["already_exists", "idempotency_conflict", "not_configured", "quota_exceeded"],
  updateRecurring: [...put, "not_configured", "state_changed", "verb_not_applicable"],
  pauseRecurring: ["idempotency_conflict"],
  resumeRecurring: ["idempotency_conflict", "verb_not_applicable"],
  triggerRecurring: ["idempotency_conflict"],
  skipRecurring: ["idempotency_conflict"],
  exportConfiguration: ["limit_exceeded"],
  applyConfiguration: [
    ...put,
    ...computation,
    "configuration_conflict",
    "definition_invalid",
    "definition_rolled_back",
    "not_configured",
    "template_invalid",
  ],
  initializeStream: ["not_configured"],
  sendTestEvent: ["deliveries_full", "trigger_closed"],
  publishExecutionEvent: ["deliveries_full", "trigger_closed"],
  createWorkerExecution: ["deliveries_full", "trigger_closed"],
  getWorkerExecution: cellCall,
  cancelWorkerExecution: [...cellCall, "execution_final", "idempotency_conflict"],
  getMonitorStatus: cellCall,
  retryQueueItem: redrive,
  pauseJourney: [...controlVerb, "execution_paused"],
  resumeJourney: [...controlVerb, "execution_not_paused"],
  getModuleHistory: cellCall,
};

export type EndpointProperties = {
  readonly id: string;
  /** The HTTP method in upper or lower case, because OpenAPI uses lower case. */
  readonly method: string;
  readonly hasKey: boolean;
  readonly hasBody: boolean;
};

export function refusalsOf(endpoint: EndpointProperties): readonly ProblemCode[] {
  const conditionCodes = isHeaderSupported(endpoint.id, "If-State") ? (["state_changed"] as const) : [];
  return [...new Set([...commonCodes(endpoint), ...conditionCodes, ...ownCodes(endpoint.id)])];
}

function ownCodes(id: string): readonly ProblemCode[] {
  const listed: { readonly [id: string]: readonly ProblemCode[] } = refusalsByEndpoint;
  return listed[id] ?? [];
}

function commonCodes({ method, hasKey, hasBody }: EndpointProperties): readonly ProblemCode[] {
  return [
    "invalid_input",
    "internal_error",
    ...(hasKey ? guardCodes : []),
    // The guard reads the body of every such request, even if the endpoint needs no body. The codes of invalid bodies
    // therefore apply.
    ...(hasKey && /^(post|put|patch)$/i.test(method) ? bodyCodes : []),
    ...(hasBody ? (["unsupported_media_type"] as const) : []),
  ];
}

/**
 * `not_found`: the tenant that the request names does not exist. `unavailable`: the catalog does not answer, or the
 * platform is moving an object.
 */
const guardCodes = ["unauthenticated", "scope_missing", "origin_not_allowed", "not_found", "unavailable"] as const;
const bodyCodes = ["body_unreadable", "malformed_json", "body_too_large", "limit_exceeded"] as const;
