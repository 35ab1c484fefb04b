// What an execution waits for, each in one or two sentences.
import { iso } from "#kernel/execution/current-step.ts";
import type { Explanation, ObservedBy, Wait } from "#schema/engine/explanation.ts";
import type { Meeting } from "#schema/explanation/meets.ts";
import { meetsSays } from "./meets.ts";
import { refusedBy, words } from "./words.ts";

type Of<For extends Wait["for"]> = Extract<Wait, { for: For }>;

export function waitSays(about: Explanation, wait: Wait): string {
  const { meets = [] } = wait as Meeting; // of most kinds there are none
  return `${plainly(about, wait)}${meetsSays(meets)}`;
}

function plainly(about: Explanation, wait: Wait): string {
  switch (wait.for) {
    case "timer": {
      const does = wait.action === null ? "fires" : `starts ${wait.action}`;
      return `The timer ${wait.timer} ${does} at ${at(wait)}${onceFree(about)}.${refusedBy(wait.guards, "guard")}`;
    }
    case "run":
      return runSays(about, wait);
    case "anchor":
      return anchorSays(wait);
    case "slot": {
      const { run, action, concurrency, takenBy, ahead } = wait;
      const line = ahead > 0 ? `, and ${ahead} more before it` : "";
      const taken = takenBy.length > 0 ? `: ${takenBy.join(", ")} under way${line}` : line;
      return `Run ${run} of ${action} waits for one of ${concurrency} slots${taken}.`;
    }
    case "connection":
      return connectionSays(wait);
    case "quota":
      return `Run ${wait.run} of ${wait.action} is held until ${at(wait)}: the tenant has used up a quota.`;
    case "window":
      return `Run ${wait.run} of ${wait.action} is held until ${at(wait)}: its window is closed.`;
    case "cap": {
      const { cap, subject, max } = wait;
      const which = cap === null ? "the cap" : `the cap ${cap} (${max}) for ${subject}`;
      return `Run ${wait.run} of ${wait.action} is held until ${at(wait)}: ${which} lets no more through before.`;
    }
    case "receipt":
      return `Run ${wait.run} of ${wait.action} has set something going, and looks again at ${at(wait)} what became of it.`;
    case "event":
      return eventSays(wait);
    case "variables":
      return `It goes on by itself once its variables let it.${refusedBy(wait.guards, "guard")}`;
    case "person":
      return `Run ${wait.run} of ${wait.action} has failed for good${because(wait.error)} and waits for a person until ${at(wait)}.`;
    case "task":
      return `The task of ${wait.action} (run ${wait.run}) is open${nextOfTask(wait)}.`;
    case "child":
      return `It waits for the end of ${wait.execution}, which ${wait.action} has started.`;
    case "release":
      return releaseSays(wait);
    case "parting":
      return partingSays(wait);
    case "resume":
      return `It is paused since ${iso(wait.since)}${wait.reason === null ? "" : ` (${words(wait.reason)})`}${because(wait.error)}, until somebody resumes it.`;
    case "tenant":
      return "Its tenant is suspended: nothing goes out and no timer fires until it goes on.";
    case "parent":
      return `${wait.execution}, which waits for its end, has still to hear of it; it is told again at ${at(wait)}.`;
    case "directory":
      return `The directory has still to confirm its correlation key${wait.key === null ? "" : ` ${wait.key}`}; it is told again at ${at(wait)}.`;
    case "subject":
      return `Its subject ${wait.key} has still to be told of its end; that is told again at ${at(wait)}.`;
    case "join": {
      const { node, needs, taken, dead, from } = wait;
      const gone = dead > 0 ? `, ${dead} will not come` : "";
      return `The node ${node} waits for ${needs} of the ways to it: ${taken} came${gone}, open are those from ${from.join(", ")}.`;
    }
    case "observation":
      return observationSays(wait);
    case "desired":
      return `What it is to bring about is at revision ${wait.revision}, and may be changed at any time.`;
    case "tick":
      return `Its rules are looked at next at ${at(wait)}.`;
    case "engine":
      return `It stands apart since ${iso(wait.since)} (${wait.kind}): ${wait.reason.replace(/\.$/, "")}. It is looked at again at ${at(wait)}.`;
  }
}

function at({ until }: Wait): string {
  return until === null ? "a moment nobody knows" : iso(until);
}

function because(error: { readonly type: string; readonly message: string } | null): string {
  return error === null ? "" : ` with ${error.type} (${error.message.replace(/\.$/, "")})`;
}

function releaseSays({ run, action, since, by, reason, dueAt }: Of<"release">): string {
  const why = reason === null ? "" : ` (${words(reason)})`;
  const due = dueAt === null ? "" : ` It was due at ${iso(dueAt)}.`;
  return `Run ${run} of ${action} is held by hand since ${iso(since)} by ${by}${why}, until somebody releases it.${due}`;
}

function observationSays(wait: Of<"observation">): string {
  const { revision, observedAt, isStale, collector, fault, guards } = wait;
  const known = observedAt === null ? "Nothing was observed yet" : `It goes by what was observed at ${iso(observedAt)}`;
  const stale =
    observedAt === null ? "Nothing was observed yet" : `What was observed at ${iso(observedAt)} is too old to go by`;
  const held = isStale ? `${stale}: its rules wait for an observation` : `${known} (revision ${revision})`;
  const until = wait.until === null ? "" : `, which holds until ${at(wait)}`;
  const who = collector === null ? "" : ` ${collectorSays(collector)}`;
  const broken = fault === null ? "" : ` Its rules cannot be looked at: ${fault.replace(/\.$/, "")}.`;
  return `${held}${until}.${who}${broken}${isStale ? "" : refusedBy(guards, "rule")}`;
}

function collectorSays({ action, nextAt, failures, error }: ObservedBy): string {
  const next = nextAt === null ? `${action} observes just now.` : `${action} observes next at ${iso(nextAt)}.`;
  return failures === 0 ? next : `${next} It has failed ${failures} times in a row${because(error)}.`;
}

function onceFree({ status, waits }: Explanation): string {
  if (status === "paused") return ", once it is resumed";
  return waits.some((each) => each.for === "tenant") ? ", once its tenant goes on" : "";
}

function runSays(about: Explanation, wait: Of<"run">): string {
  const { run, action, status, attempt, attemptsMax, error, expiresAt, conditions } = wait;
  const who = `Run ${run} of ${action}`;
  const tries = `attempt ${status === "retry" ? attempt + 1 : Math.max(1, attempt)} of ${attemptsMax}`;
  switch (status) {
    case "queued":
      return `${who} is on its way (${tries}); if nobody takes it, it is sent again at ${at(wait)}.`;
    case "running":
      return `${who} is being carried out (${tries}); without an answer by ${at(wait)} it counts as timed out.`;
    case "retry":
      return `${who} failed${because(error)} and is tried again at ${at(wait)} (${tries})${onceFree(about)}.`;
    case "scheduled":
    case "ok":
    case "failed":
    case "canceled":
    case "skipped": {
      const end = expiresAt === null ? "" : ` After ${iso(expiresAt)} it is not wanted any more.`;
      return `${who} is due at ${at(wait)}${onceFree(about)}.${refusedBy(conditions, "condition")}${end}`;
    }
  }
}

function anchorSays({ timer, run, values }: Of<"anchor">): string {
  const who = timer === null ? `Run ${run ?? ""}` : `The timer ${timer}`;
  const missing = Object.entries(values).flatMap(([path, value]) => (value === null ? [path] : []));
  const what =
    missing.length > 0 ? `${missing.join(", ")}, which ${missing.length === 1 ? "is" : "are"} not there` : "a date";
  return `${who} has no instant yet: it hangs on ${what}.`;
}

function connectionSays(wait: Of<"connection">): string {
  const { run, action, connection, reason, gate } = wait;
  const who = `Run ${run} of ${action} is held until ${at(wait)}`;
  const name = connection ?? "its provider";
  switch (reason) {
    case "rate_limited":
      return `${who}: ${name} has reached its rate limit.`;
    case "retry_after":
      return `${who}: the provider behind ${name} asked for quiet.`;
    case "concurrency":
      return `${who}: all that ${name} lets through at once is under way${gate ? ` (${gate.inUse})` : ""}.`;
    case "circuit_open":
      return `${who}: too many calls over ${name} failed, and its breaker is open.`;
    case "needs_attention":
      return `${who}: the provider refuses the account of ${name}${gate?.attention ? `: ${gate.attention.reason.replace(/\.$/, "")}` : ""}.`;
    case "unavailable":
    case "awaiting_receipt":
    case "quota":
    case "cap":
    case "window":
    case "suspended":
      return `${who}: ${connection === null ? "the catalog" : name} could not be asked (${words(reason)}).`;
  }
}

function eventSays({ event, states, would, guards, to }: Of<"event">): string {
  const where = to.length > 0 ? ` and lead to ${to.join(" or ")}` : "";
  const what = event === "*" ? "Any event" : event;
  switch (would) {
    case "taken":
      return `${what} would be taken now${where}.`;
    case "depends":
      return `${what} is listened for in ${states.join(", ") || "any state"}; what it carries decides whether it is taken.`;
    case "refused":
      return `${what} would be refused now: no guard lets it pass.${refusedBy(guards, "guard")}`;
    case "kept":
      return `${what} would be kept until it is resumed.`;
  }
}

function partingSays(wait: Of<"parting">): string {
  const { execution, run, action, how } = wait;
  const which = execution ?? `the execution that run ${run} may have started`;
  if (how === "canceling")
    return `${which}, a child by ${action}, is to be canceled with it; that is asked again at ${at(wait)}.`;
  return `It ends once ${which}, a child by ${action}, has; it looks again at ${at(wait)}.`;
}

function nextOfTask({ remindAt, escalateAt }: Of<"task">): string {
  const reminded = remindAt === null ? "" : `; it is reminded of at ${iso(remindAt)}`;
  return `${reminded}${escalateAt === null ? "" : `; it is escalated at ${iso(escalateAt)}`}`;
}
