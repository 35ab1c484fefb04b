// Every limit of what comes in by name, with its unit last. They are checked at the edge; an error about one names
// the field, the size it had and the limit. The platform's own ceilings are given where they are the reason.
// Durations and sizes that the engine decides by itself stand by noun in `limits/`, and what holds when nobody says
// anything in `defaults.ts`.

const KIB = 1024;

export const limits = {
  statesMax: 500,
  stateDepthMax: 12,
  /** Of parallel states, all that may be active at once, nested ones too. */
  regionsMax: 32,
  actionsMax: 200,
  transitionsPerEventMax: 50,
  /** A definition is stored in one row (2 MB) and travels in one start call. */
  definitionBytesMax: 256 * KIB,
  /** State, with variables and live runs, is one row of at most 2 MB; these keep it well below. */
  variablesBytesMax: 256 * KIB,
  payloadBytesMax: 64 * KIB,
  configBytesMax: 128 * KIB,
  stateBytesMax: 1536 * KIB,
  /** What the engine itself adds, outcomes above all, may take some more; with the tail of the journal it is the row. */
  stateRowBytesMax: 1792 * KIB,
  eventsBufferedMax: 100,
  /** Requests an execution remembers whole: the latest ones. */
  receiptsMax: 200,
  /** Digests of those before them, twelve bytes each, of a day at most: they are a part of every row the execution writes. */
  olderReceiptsMax: 10_000,
  runsLiveMax: 1_000,
  /** Finished runs the object keeps at hand; older ones are in the journal and the catalog. */
  runsFinishedKept: 50,
  /** One more failure for good pauses the execution: somebody should look before it goes on failing. */
  deadLettersMax: 100,
  microstepsMax: 1_000,
  /** Buffered events and internal events one input may set off, one after another. */
  macrostepsMax: 1_000,
  journalPageBytes: 16 * KIB,
  journalPageEntriesMax: 100,
  /** Rules nest and cost at most this much; a rule is data somebody else wrote. */
  logicDepthMax: 32,
  logicNodesMax: 2_000,
  /** What a definition declares of one start or one type of event: subschemas, how deep they nest, and what they list. */
  eventTypesDeclaredMax: 200,
  schemaNodesMax: 500,
  schemaDepthMax: 16,
  schemaChoicesMax: 50,
  schemaValuesMax: 500,
  schemaPatternCharsMax: 500,
  /** Parts of a pattern, repetitions written out: for each letter of a text all may have to be asked. */
  schemaPatternPartsMax: 1_000,
  templateBytesMax: 64 * KIB,
  templateOutputBytesMax: 256 * KIB,
  templateSteps: 100_000,
  /** One part (subject, html, text) of a message template. */
  messagePartBytesMax: 128 * KIB,
  templateVariablesMax: 100,
  /** Room for a private key or a service account's file. */
  secretBytesMax: 16 * KIB,
  /** Shorter ones cannot be told from ordinary text, and so not be taken out of what receivers say back. */
  secretCharsMin: 4,
  /** For how long an old signing key may go on signing: whoever has it can forge messages that long. */
  signingOverlapMsMax: 90 * 24 * 60 * 60_000,
  /** Receivers whose signing key was rotated by itself: isolates keep all of a tenant's at hand. */
  signingEndpointsMax: 200,
  /** Hosts that one secret may go to. */
  secretHostsMax: 20,
  batchStartMax: 100,
  attemptsMax: 100,
  retryRulesMax: 20,
  pricesMax: 500,
  concurrencyMax: 100,
  timeoutMsMax: 14 * 60_000,
  responseBytesKept: 16 * KIB,
  idLengthMax: 100,
  /** A definition as callers name it: name, name@version, or id. */
  referenceCharsMax: 220,
  /** In a query: the names of the fields that are asked for. */
  fieldsCharsMax: 1_000,
  descriptionCharsMax: 2_000,
  urlCharsMax: 2_000,
  /** From so many origins browsers may call with one tenant's keys. */
  originsMax: 20,
  /** A request's body, and a callback's. */
  bodyBytesMax: 1024 * KIB,
  /** The deepest definition with the deepest rule stays well below. */
  bodyDepthMax: 200,
  /** Each value is read, checked and copied, and all requests wait meanwhile: 1 MB may have half a million. */
  bodyValuesMax: 100_000,
  /** Findings in one answer. A body of 1 MB may have a hundred thousand unknown fields. */
  findingsMax: 100,
  bearerCharsMax: 512,
  /** A hostile sender of callbacks may send any number of them: each costs a comparison. */
  hookSignaturesMax: 20,
  pageRowsMax: 200,
  tenantRetentionDaysMax: 3_650,
  dedupWindowMsMin: 1_000,
  dedupWindowMsMax: 30 * 24 * 60 * 60_000,
  /** Attempts that one rehearsal of an action plays through, and mocked answers for one attempt. */
  rehearsalAttemptsMax: 25,
  rehearsalRequestsMax: 50,
  connectionBytesMax: 16 * KIB,
  connectionConcurrencyMax: 1_000,
  /** Calls per second or minute, and how many of them at once. */
  connectionRateMax: 10_000,
  /** A breaker's window, and how long it stays open. */
  breakerMsMin: 100,
  breakerMsMax: 60 * 60_000,
  /** All that is asked to recur: it travels in one message to the catalog. */
  recurringBytesMax: 64 * KIB,
  /** Each has an object that wakes every second; more at once would only stand in each other's way. */
  operationsRunningMax: 20,
  operationPerSecondMax: 500,
  /** Namespaces or definitions that an alert channel names. */
  alertFilterMax: 50,
  alertChannelBytesMax: 16 * KIB,
  /** A load plan is run by one machine; more than this measures that machine. */
  loadConcurrencyMax: 500,
  loadRequestsPerSecondMax: 10_000,
  loadDurationMsMin: 1_000,
  loadDurationMsMax: 60 * 60_000,
  /** Values that one variable of a load plan takes in turn. */
  loadDrawMax: 1_000,
} as const;

/** How long a direct flight may take; longer actions go through the queue. */
export const DIRECT_TIMEOUT_MS_MAX = 30_000;
/**
 * In-flight direct work per cell. The platform's six connections do not bound it: the object calls the Worker's own
 * entrypoint, and each of those calls has connections of its own. It bounds what a restart has to send again.
 */
export const DIRECT_IN_FLIGHT_MAX = 24;
/** The same in a pool cell, because a quiet tenant has only one. */
export const POOLED_IN_FLIGHT_MAX = 384;
/** Of the key under which events find the execution that they concern. */
export const CORRELATION_KEY_CHARS_MAX = 200;
/** Gaps after which a run that was queued and never claimed is sent again. */
export const RESEND_GAPS_MS = [60_000, 5 * 60_000, 15 * 60_000, 60 * 60_000] as const;
/** How long a dead letter waits for a person. Its execution keeps its history as long. */
export const DEAD_LETTER_KEPT_MS = 30 * 24 * 60 * 60_000;
/** A run of this type, or above this priority, is critical: its failure is an alert. */
export const CRITICAL_TYPE = "blockchain_mint";
export const CRITICAL_ABOVE_PRIORITY = 90;
/** What a claimed run may overrun its timeout by before it counts as timed out: the settle call's own time. */
export const SETTLE_GRACE_MS = 5_000;
/** A busy execution shows up in lists at the latest after this long, as does one that tries again within it. */
export const PROJECT_BUSY_AFTER_MS = 2_000;
