// Input limits by name, with the unit last, checked at the edge; an error names the field, its size and the limit.
// Platform limits are noted where they are the reason. The engine's own durations and sizes are by noun in `limits/`,
// and defaults in `defaults.ts`.

const KIB = 1024;

export const limits = {
  statesMax: 500,
  stateDepthMax: 12,
  /** The maximum of parallel states that are active at once, including nested ones. */
  regionsMax: 32,
  actionsMax: 200,
  transitionsPerEventMax: 50,
  /** A definition is stored in one row (2 MB) and sent in one start call. */
  definitionBytesMax: 256 * KIB,
  /** The state, with variables and live runs, is one row of at most 2 MB; these keep it well below. */
  variablesBytesMax: 256 * KIB,
  payloadBytesMax: 64 * KIB,
  configBytesMax: 128 * KIB,
  stateBytesMax: 1536 * KIB,
  /** The engine's own additions, mainly outcomes, may need more; with the tail of the journal it is the row. */
  stateRowBytesMax: 1792 * KIB,
  eventsBufferedMax: 100,
  /** Receipts that an execution stores in full: the latest ones. */
  receiptsMax: 200,
  /**
   * Digests of older ones, twelve bytes each, for a day at most: they are a part of every row that the execution
   * writes.
   */
  olderReceiptsMax: 10_000,
  runsLiveMax: 1_000,
  /** Finished runs in the object's state; older ones are in the journal and the catalog. */
  runsFinishedKept: 50,
  /** The maximum of dead letters: one more permanent failure pauses the execution, so that an operator checks it. */
  deadLettersMax: 100,
  microstepsMax: 1_000,
  /** Buffered and internal events that one input may trigger, one after another. */
  macrostepsMax: 1_000,
  journalPageBytes: 16 * KIB,
  journalPageEntriesMax: 100,
  /** The maximum depth and cost of rules, because clients write them. */
  logicDepthMax: 32,
  logicNodesMax: 2_000,
  /** Limits of the input schema for one start or one event type: subschemas, depth, and lists. */
  eventTypesDeclaredMax: 200,
  schemaNodesMax: 500,
  schemaDepthMax: 16,
  schemaChoicesMax: 50,
  schemaValuesMax: 500,
  schemaPatternCharsMax: 500,
  /** Parts of a pattern, with repetitions expanded: each letter of a text may be compared with all of them. */
  schemaPatternPartsMax: 1_000,
  templateBytesMax: 64 * KIB,
  templateOutputBytesMax: 256 * KIB,
  templateSteps: 100_000,
  /** The maximum size of one part (subject, html, text) of a message template. */
  messagePartBytesMax: 128 * KIB,
  templateVariablesMax: 100,
  /** Enough for a private key or a service account's file. */
  secretBytesMax: 16 * KIB,
  /** The engine cannot distinguish a shorter secret from ordinary text, so it could not redact it from receivers' answers. */
  secretCharsMin: 4,
  /** How long an old signing key may still sign: an attacker with the key can forge messages that long. */
  signingOverlapMsMax: 90 * 24 * 60 * 60_000,
  /** Receivers with their own rotation: isolates cache all of a tenant's. */
  signingEndpointsMax: 200,
  /** Hosts that one secret may be sent to. */
  secretHostsMax: 20,
  batchStartMax: 100,
  attemptsMax: 100,
  retryRulesMax: 20,
  pricesMax: 500,
  concurrencyMax: 100,
  timeoutMsMax: 14 * 60_000,
  responseBytesKept: 16 * KIB,
  idLengthMax: 100,
  /** A reference to a definition: name, name@version, or id. */
  referenceCharsMax: 220,
  /** The maximum length of a query's list of requested fields. */
  fieldsCharsMax: 1_000,
  descriptionCharsMax: 2_000,
  urlCharsMax: 2_000,
  /** Origins from which browsers may call with one tenant's keys. */
  originsMax: 20,
  /** A request's body, and a callback's. */
  bodyBytesMax: 1024 * KIB,
  /** The deepest definition with the deepest rule stays well below. */
  bodyDepthMax: 200,
  /** Each value is read, checked and copied, and all requests wait meanwhile: 1 MB may contain half a million. */
  bodyValuesMax: 100_000,
  /** Findings in one answer. A body of 1 MB may have a hundred thousand unknown fields. */
  findingsMax: 100,
  bearerCharsMax: 512,
  /** An attacker may send any number of signatures: each costs a comparison. */
  hookSignaturesMax: 20,
  pageRowsMax: 200,
  tenantRetentionDaysMax: 3_650,
  dedupWindowMsMin: 1_000,
  dedupWindowMsMax: 30 * 24 * 60 * 60_000,
  /** Attempts simulated in one rehearsal of an action, and mocked answers for one attempt. */
  rehearsalAttemptsMax: 25,
  rehearsalRequestsMax: 50,
  connectionBytesMax: 16 * KIB,
  connectionConcurrencyMax: 1_000,
  /** Calls per second or minute, and how many of them at once. */
  connectionRateMax: 10_000,
  /** A breaker's window, and how long it stays open. */
  breakerMsMin: 100,
  breakerMsMax: 60 * 60_000,
  /** The whole payload of a recurring action: it is sent in one message to the catalog. */
  recurringBytesMax: 64 * KIB,
  /** Each has an object that wakes every second; more at once would only slow each other down. */
  operationsRunningMax: 20,
  operationPerSecondMax: 500,
  /** Namespaces or definitions that an alert channel names. */
  alertFilterMax: 50,
  alertChannelBytesMax: 16 * KIB,
  /** A load plan is run by one machine; a higher value would measure that machine. */
  loadConcurrencyMax: 500,
  loadRequestsPerSecondMax: 10_000,
  loadDurationMsMin: 1_000,
  loadDurationMsMax: 60 * 60_000,
  /** Values of one variable of a load plan, used in turn. */
  loadDrawMax: 1_000,
} as const;

/** The maximum duration of a direct call; longer actions use the queue. */
export const DIRECT_TIMEOUT_MS_MAX = 30_000;
/**
 * Direct calls in progress per cell. The platform's six connections do not limit it: the object calls the Worker's own
 * entrypoint, and each of those calls has its own connections. It limits what a restart must send again.
 */
export const DIRECT_IN_FLIGHT_MAX = 24;
/** The same in a pool cell, because a small tenant has only one. */
export const POOLED_IN_FLIGHT_MAX = 384;
/** The longest key that routes events to an execution. */
export const CORRELATION_KEY_CHARS_MAX = 200;
/** Gaps after which a queued run that was never claimed is sent again. */
export const RESEND_GAPS_MS = [60_000, 5 * 60_000, 15 * 60_000, 60 * 60_000] as const;
/** How long a dead letter waits for an operator. Its execution keeps its history as long. */
export const DEAD_LETTER_KEPT_MS = 30 * 24 * 60 * 60_000;
/** A run of this type, or above this priority, is critical: its failure is an alert. */
export const CRITICAL_TYPE = "blockchain_mint";
export const CRITICAL_ABOVE_PRIORITY = 90;
/** How long after its timeout a claimed run counts as timed out: the settle call's own time. */
export const SETTLE_GRACE_MS = 5_000;
/** Maximum delay of a busy execution's projection, or of one that retries within this time. */
export const PROJECT_BUSY_AFTER_MS = 2_000;
