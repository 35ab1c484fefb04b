// Writes one or two sentences about each wait of an execution.
import { iso } from "#kernel/execution/current-step.ts";
import type { Explanation, ObservedBy, Wait } from "#schema/engine/explanation.ts";
import type { RunPreconditions } from "#schema/explanation/pending-limits.ts";
import { pendingLimitSentences } from "./pending-limits.ts";
import { falseRulesSentence, spacedCode } from "./words.ts";

type Of<For extends Wait["for"]> = Extract<Wait, { for: For }>;

/** Returns the sentence about a wait, followed by its pending limits. */
export function waitSentence(about: Explanation, wait: Wait): string {
  const { meets = [] } = wait as RunPreconditions; // most kinds of wait have no pending limits
  return `${sentenceOf(about, wait)}${pendingLimitSentences(meets)}`;
}

function sentenceOf(about: Explanation, wait: Wait): string {
  switch (wait.for) {
    case "timer":
      return timerSentence(about, wait);
    case "run":
      return runSentence(about, wait);
    case "anchor":
      return anchorSentence(wait);
    case "slot":
      return slotSentence(wait);
    case "connection":
      return heldSentence(wait, connectionCause(wait));
    case "quota":
      return heldSentence(wait, "the tenant's quota is used up");
    case "queue_share":
      return heldSentence(wait, "other runs of the tenant fill the tenant's share of the queues");
    case "window":
      return heldSentence(wait, "the time is outside the run's opening hours");
    case "quiet_hours":
      return heldSentence(wait, `quiet hours apply${wait.policy === null ? "" : ` (policy ${wait.policy})`}`);
    case "cap":
      return heldSentence(wait, capCause(wait));
    case "limit":
      return heldSentence(wait, limitCause(wait));
    case "start_limit":
      return startLimitSentence(wait);
    case "receipt":
      return `Run ${wait.run} of ${wait.action} has started work outside the engine. The engine checks the result at ${at(wait)}.`;
    case "event":
      return eventSentence(wait);
    case "variables":
      return `The execution continues automatically after its variables make a guard true.${falseRulesSentence(wait.guards, "guard")}`;
    case "person":
      return `Run ${wait.run} of ${wait.action} failed permanently${withError(wait.error)} and waits for an operator until ${at(wait)}.`;
    case "task":
      return `The task${wait.title === null ? "" : ` "${wait.title}"`} of ${wait.action} (run ${wait.run}) is open${nextOfTask(wait)}.`;
    case "child":
      return `The execution waits for the end of the child ${wait.execution}, which the action ${wait.action} started.`;
    case "release":
      return releaseSentence(wait);
    case "children":
      return childEndSentence(wait);
    case "resume":
      return `The execution has been paused since ${iso(wait.since)}${wait.reason === null ? "" : ` (${spacedCode(wait.reason)})`}${withError(wait.error)}. The execution continues after an operator resumes it.`;
    case "tenant":
      return "The tenant is suspended: the engine sends nothing and fires no timer until an operator resumes the tenant.";
    case "parent":
      return `The parent ${wait.execution} has not confirmed the end of this execution. The engine sends the message again at ${at(wait)}.`;
    case "directory":
      return `The directory has not confirmed the correlation key${wait.key === null ? "" : ` ${wait.key}`}. The engine sends the message again at ${at(wait)}.`;
    case "subject":
      return `The subject ${wait.key} has not confirmed the end of this execution. The engine sends the message again at ${at(wait)}.`;
    case "join":
      return joinSentence(wait);
    case "observation":
      return observationSentence(wait);
    case "desired":
      return `The rules wait for a change of the desired state, which has the revision ${wait.revision}.`;
    case "tick":
      return `The engine evaluates the rules next at ${at(wait)}.`;
    case "engine":
      return `The execution has been quarantined since ${iso(wait.since)} (${wait.kind}): ${wait.reason.replace(/\.$/, "")}. The engine checks the execution again at ${at(wait)}.`;
  }
}

function at({ until }: Pick<Wait, "until">): string {
  return until === null ? "an unknown instant" : iso(until);
}

function withError(error: { readonly type: string; readonly message: string } | null): string {
  return error === null ? "" : ` with ${error.type} (${error.message.replace(/\.$/, "")})`;
}

function releaseSentence({ run, action, since, by, reason, dueAt }: Of<"release">): string {
  const why = reason === null ? "" : ` (${spacedCode(reason)})`;
  const due = dueAt === null ? "" : ` The run was due at ${iso(dueAt)}.`;
  return `Run ${run} of ${action} has been held by the operator ${by} since ${iso(since)}${why}, until an operator releases it.${due}`;
}

function observationSentence(wait: Of<"observation">): string {
  const { revision, observedAt, isStale, collector, fault, guards } = wait;
  const known =
    observedAt === null ? "There is no observation yet" : `The reconciler uses the observation of ${iso(observedAt)}`;
  const stale = observedAt === null ? "There is no observation yet" : `The observation of ${iso(observedAt)} is stale`;
  const held = isStale ? `${stale}: the rules wait for an observation` : `${known} (revision ${revision})`;
  const until = wait.until === null ? "" : `, which is fresh until ${at(wait)}`;
  const subject = collector === null ? "" : ` ${collectorSentence(collector)}`;
  const broken = fault === null ? "" : ` Its rules cannot be evaluated: ${fault.replace(/\.$/, "")}.`;
  return `${held}${until}.${subject}${broken}${isStale ? "" : falseRulesSentence(guards, "rule")}`;
}

export function collectorSentence({ action, nextAt, failures, error }: ObservedBy): string {
  const next =
    nextAt === null
      ? `The collector ${action} is running now.`
      : `The collector ${action} runs next at ${iso(nextAt)}.`;
  return failures === 0
    ? next
    : `${next} Its last attempt failed${withError(error)}; its consecutive failures are ${failures}.`;
}

function afterResume({ status, waits }: Explanation): string {
  if (status === "paused") return ", after the execution is resumed";
  return waits.some((each) => each.for === "tenant") ? ", after the tenant is resumed" : "";
}

function runSentence(about: Explanation, wait: Of<"run">): string {
  const { run, action, status, attempt, attemptsMax, error, expiresAt, conditions } = wait;
  const subject = `Run ${run} of ${action}`;
  const tries = `attempt ${status === "retry" ? attempt + 1 : Math.max(1, attempt)} of ${attemptsMax}`;
  switch (status) {
    case "queued":
      return `${subject} is queued (${tries}). If no queue consumer claims the attempt, the engine sends it again at ${at(wait)}.`;
    case "running":
      return `${subject} is in progress (${tries}). If the attempt has no result by ${at(wait)}, it times out.`;
    case "retry":
      return `${subject} failed${withError(error)} and is retried at ${at(wait)} (${tries})${afterResume(about)}.`;
    case "scheduled":
    case "ok":
    case "failed":
    case "canceled":
    case "skipped": {
      const end = expiresAt === null ? "" : ` The run expires at ${iso(expiresAt)}.`;
      return `${subject} is due at ${at(wait)}${afterResume(about)}.${falseRulesSentence(conditions, "condition")}${end}`;
    }
  }
}

function anchorSentence({ timer, run, values }: Of<"anchor">): string {
  const subject = timer === null ? `Run ${run ?? ""}` : `The timer ${timer}`;
  const missing = Object.entries(values).flatMap(([path, value]) => (value === null ? [path] : []));
  const what =
    missing.length > 0
      ? `the values that its date depends on are missing: ${missing.join(", ")}`
      : "its date is missing";
  return `${subject} has no instant yet, because ${what}.`;
}

function timerSentence(about: Explanation, wait: Of<"timer">): string {
  const does = wait.action === null ? "fires" : `starts ${wait.action}`;
  return `The timer ${wait.timer} ${does} at ${at(wait)}${afterResume(about)}.${falseRulesSentence(wait.guards, "guard")}`;
}

function joinSentence({ node, needs, taken, dead, from }: Of<"join">): string {
  const gone = dead > 0 ? ` Edges that can no longer be taken: ${dead}.` : "";
  return `The node ${node} needs ${needs} of its incoming edges. Edges taken so far: ${taken}.${gone} Edges may still come from: ${from.join(", ")}.`;
}

function slotSentence({ run, action, concurrency, takenBy, ahead }: Of<"slot">): string {
  const taken = takenBy.length > 0 ? ` Runs in progress: ${takenBy.join(", ")}.` : "";
  const before = ahead > 0 ? ` The number of runs before this run is ${ahead}.` : "";
  return `Run ${run} of ${action} waits for a slot; the concurrency of the execution is ${concurrency}.${taken}${before}`;
}

type HeldRun = Pick<Of<"connection">, "run" | "action" | "until">;

/** A run that is due, but held. `cause`: why it is held, as a clause without a full stop. */
function heldSentence(wait: HeldRun, cause: string): string {
  return `Run ${wait.run} of ${wait.action} is held until ${at(wait)}: ${cause}.`;
}

function connectionCause({ connection, reason, gate }: Of<"connection">): string {
  const name = connection === null ? "the connection" : `the connection ${connection}`;
  switch (reason) {
    case "rate_limited":
      return `${name} has reached its rate limit`;
    case "retry_after":
      return `the provider of ${name} asked for a pause (Retry-After)`;
    case "concurrency":
      return `${name} has reached its limit of concurrent calls${gate ? ` (calls in progress: ${gate.inUse})` : ""}`;
    case "circuit_open":
      return `too many calls of ${name} failed, and its circuit breaker is open`;
    case "needs_attention":
      return `the provider rejects the account of ${name}${gate?.attention ? `: ${gate.attention.reason.replace(/\.$/, "")}` : ""}`;
    case "unavailable":
      return `${connection === null ? "the catalog" : name} did not respond`;
  }
}

function capCause({ cap, subject, max }: Of<"cap">): string {
  return cap === null
    ? "the subject has reached the cap"
    : `the subject ${subject} has reached the cap ${cap} (${max})`;
}

function startLimitSentence(wait: Of<"start_limit">): string {
  const { by, limit, key, ahead } = wait;
  const before = ahead === null || ahead === 0 ? "" : ` Executions before this execution: ${ahead}.`;
  return `The execution has not begun, because ${startLimitCause(by)} (limit ${limit}, key ${key}).${before}${wait.until === null ? "" : ` The engine checks again at ${at(wait)}, or when a slot becomes free.`}`;
}

function startLimitCause(by: Of<"start_limit">["by"]): string {
  switch (by) {
    case null:
      return "the limit on its starts has not answered yet";
    case "limit_concurrency":
      return "the limit on its starts has no free slot";
    case "limit_throttle":
      return "the limit on its starts admits the next execution later";
    case "limit_debounce":
      return "a newer start would replace it during the quiet time";
    case "limit_singleton":
      return "the limit on its starts allows one execution at a time";
  }
}

function limitCause({ by, limit, key, ahead }: Of<"limit">): string {
  const of = limit === null ? "a limit by key" : `the limit ${limit} for the key ${key}`;
  const before = ahead === null || ahead === 0 ? "" : ` (runs before this run: ${ahead})`;
  switch (by) {
    case "limit_concurrency":
      return `${of} has no free slot${before}`;
    case "limit_throttle":
      return `${of} admits the next run later${before}`;
    case "limit_debounce":
      return `${of} waits for a quiet time, and a newer run would replace this run`;
    case "limit_singleton":
      return `${of} allows one run at a time${before}`;
  }
}

function eventSentence({ event, states, would, guards, to }: Of<"event">): string {
  const where = to.length > 0 ? `, and the execution would move to ${to.join(" or ")}` : "";
  const what = event === "*" ? "Any event" : `The event ${event}`;
  switch (would) {
    case "accepted":
      return `${what} would be accepted now${where}.`;
    case "depends":
      return `${what} is accepted in ${states.join(", ") || "any state"} only if a guard allows its content.`;
    case "refused":
      return `${what} would be refused now, because every guard is false.${falseRulesSentence(guards, "guard")}`;
    case "kept":
      return `${what} would be stored until the execution is resumed.`;
  }
}

function childEndSentence(wait: Of<"children">): string {
  const { execution, run, action, how } = wait;
  const which = execution === null ? `child that run ${run} may have started` : `child ${execution}`;
  if (how === "canceling")
    return `The ${which} (action ${action}) has not confirmed its cancellation. The engine sends the request again at ${at(wait)}.`;
  return `The execution ends after the ${which} (action ${action}) has ended. The engine checks the child again at ${at(wait)}.`;
}

function nextOfTask({ remindAt, escalateAt }: Of<"task">): string {
  const reminded = remindAt === null ? "" : `; a reminder follows at ${iso(remindAt)}`;
  return `${reminded}${escalateAt === null ? "" : `; the task is escalated at ${iso(escalateAt)}`}`;
}
