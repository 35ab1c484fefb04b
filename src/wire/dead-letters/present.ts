// Dead letters as API objects.
import { deadLetterId } from "#schema/ids.ts";
import type { Destination } from "#schema/destination.ts";
import type { IdempotencySupport } from "#schema/idempotency-support.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { JsonObject } from "#schema/json.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import type { Interaction } from "#schema/rehearsal.ts";
import { isHandled, type Attempt, type FailureReaction, type Run } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { ApiDeadLetter, ApiDeadLetterSummary } from "./shape.ts";
import { presentStoredError, type ApiActionError } from "../action-error.ts";
import { durationOf } from "../history/present.ts";
import { presentReaction } from "./reaction.ts";
import { standingOf } from "./redriven.ts";
import { redact } from "../redact.ts";
import { toInstant } from "#schema/values.ts";

/**
 * The dead letter's summary as the use case returns it. Code in `wire` must not import types of `services`, so the type
 * is repeated.
 */
type Summary = Omit<ApiDeadLetterSummary, "id" | "actionId" | "failedAt" | "error" | keyof Fix> & {
  readonly error: { readonly type: string | null; readonly code: string | null; readonly message: string | null };
  readonly action: string;
  readonly failedAt: number | null;
  readonly fix: Fix;
};
type Fix = Pick<ApiDeadLetterSummary, "recoverable" | "manualReviewRequired" | "suggestedFix">;

type View = {
  readonly summary: Summary;
  readonly state: ExecutionState;
  readonly run: Run;
  readonly sends: { readonly kind: "frozen" | "template" | "unknown"; readonly config: JsonObject | null };
  readonly would: { readonly interactions: readonly Interaction[]; readonly error: ActionError | null } | null;
  readonly destination: Destination | null;
  readonly repeats: IdempotencySupport;
  readonly repeatSafe: ApiDeadLetter["repeatSafe"];
  readonly ifRetried: {
    readonly outcome: NonNullable<ApiDeadLetter["lateness"]>["ifRetriedNow"];
    readonly reason: string | null;
  } | null;
  readonly reaction: readonly JournalEntry[] | null;
  readonly expiresAt: number | null;
  readonly next: readonly Readonly<ApiDeadLetter["next"][number]>[];
};

export function presentDeadLetterSummary(summary: Summary): ApiDeadLetterSummary {
  const { execution, run, action, type, definition, namespace, correlationId, priority, critical, attempts } = summary;
  const { recoverable, manualReviewRequired, suggestedFix } = summary.fix;
  return {
    id: deadLetterId(execution, run),
    execution,
    run,
    actionId: action,
    type,
    definition,
    namespace,
    correlationId,
    priority,
    critical,
    attempts,
    failedAt: toInstant(summary.failedAt),
    handled: summary.handled,
    connection: summary.connection,
    error: presentStoredError(summary.error),
    recoverable,
    manualReviewRequired,
    suggestedFix,
  };
}

export function presentDeadLetter(view: View): ApiDeadLetter {
  const { state, run, repeats, ifRetried, reaction } = view;
  const { redriven = null } = run;
  return {
    ...presentDeadLetterSummary(view.summary),
    standing: standingOf(run),
    handledBy: isHandled(run) && run.heard ? presentHeard(run.heard) : null,
    expiresAt: toInstant(view.expiresAt),
    destination: view.destination === null ? null : { ...view.destination, to: [...view.destination.to] },
    sends: presentSends(view),
    idempotencyKey: `${state.id}/${run.id}`,
    providerDropsRepeats: {
      honoured: repeats.mode === "provider",
      windowMs: repeats.mode === "provider" ? repeats.windowMs : null,
    },
    repeatSafe: view.repeatSafe,
    lateness: ifRetried === null ? null : { ifRetriedNow: ifRetried.outcome, reason: ifRetried.reason },
    attemptsMade: run.attempts.map(presentAttempt),
    redriven: redriven === null ? null : { ...redriven, at: toInstant(redriven.at) },
    context: contextOf(state, run),
    machineReaction: reaction === null ? null : reaction.map(presentReaction),
    executionNow: { id: state.id, status: state.status, states: [...state.position.states], reason: state.reason },
    next: view.next.map((step) => ({ ...step })),
  };
}

function presentHeard({ event, state, at, by }: FailureReaction): NonNullable<ApiDeadLetter["handledBy"]> {
  return { event, state, at: toInstant(at), parent: by ?? null };
}

function presentSends({ sends, would, run }: View): ApiDeadLetter["sends"] {
  return {
    frozen: sends.kind === "frozen",
    config: sends.config === null ? null : redact(sends.config),
    why: sendsWhy(sends.kind, run),
    requests: would?.interactions.map(outgoing) ?? null,
    hindrance: would?.error ? presentError(would.error) : null,
  };
}

/** Presents the call that a retry would send. A rehearsal's mocked answer to the call is left out. */
function outgoing(interaction: Interaction): NonNullable<ApiDeadLetter["sends"]["requests"]>[number] {
  if ("port" in interaction) {
    const { port, call, arguments: given } = interaction;
    return { port, call, arguments: given };
  }
  const { method, url, headers, body } = interaction;
  return { method, url, headers: { ...headers }, body };
}

/** Presents an error without its details, which `provider` shows. */
function presentError({ details: _details, ...error }: ActionError): ApiActionError {
  return error;
}

function sendsWhy(kind: View["sends"]["kind"], { edit, attempt }: Run): string {
  switch (kind) {
    case "frozen":
      return "The config was rendered at the first attempt. Every attempt sends these bytes.";
    case "unknown":
      return "The config was never rendered, and the definition cannot be read now.";
    case "template":
      if (edit !== undefined) return "A retry changed the config. It is rendered at the next attempt.";
      return attempt === 0
        ? "The config was never rendered, because the run failed before it was sent."
        : "The config is not rendered: rendering failed, as the error shows, or the config is to be rendered again.";
  }
}

function presentAttempt(attempt: Attempt): ApiDeadLetter["attemptsMade"][number] {
  const { startedAt, endedAt, error } = attempt;
  return {
    attempt: attempt.attempt,
    lane: attempt.lane,
    startedAt: toInstant(startedAt),
    endedAt: toInstant(endedAt),
    durationMs: durationOf(attempt),
    error: error === null ? null : presentError(error),
    provider: error === null ? null : presentProvider(error),
    nextAttemptAt: toInstant(attempt.nextAttemptAt),
    possiblyRepeated: attempt.possiblyRepeated,
    costEstimate: attempt.costEstimate ?? null,
  };
}

function presentProvider({ details }: ActionError): ApiDeadLetter["attemptsMade"][number]["provider"] {
  if (details === undefined) return null;
  const { status = null, body = null, ...more } = details;
  return {
    status: typeof status === "number" ? status : null,
    body: typeof body === "string" ? body : null,
    details: more,
  };
}

function contextOf({ variables, triggers }: ExecutionState, { trigger: seq }: Run): ApiDeadLetter["context"] {
  const trigger = triggers.find((each) => each.seq === seq);
  return {
    variables,
    message: trigger?.message ?? null,
    previousState: trigger?.previousState ?? null,
    currentState: trigger?.currentState ?? null,
  };
}
