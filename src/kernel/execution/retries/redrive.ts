// Redrive of dead letters: an operator retries a dead letter, unchanged or edited, or archives it. The engine archives
// dead letters that are too old. A retried run keeps its id, so its idempotency key stays the same.
import type { Actor, Command } from "#schema/engine/input.ts";
import { CONFIG_BYTES_MAX, VARIABLES_BYTES_MAX } from "#schema/limits/executions.ts";
import { refuse } from "#schema/refusal.ts";
import {
  currentHold,
  isHandled,
  latenessStart,
  nodeOfRun,
  waitsForPerson,
  type Redrive,
  type Run,
} from "#schema/engine/run.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import { assert } from "../../assert.ts";
import { sendResultEvent } from "../run-endings.ts";
import { withoutHandling, refuseAutoRetry } from "./handled.ts";
import { patch, type RefusalOrNull } from "../control.ts";
import { refuseBusy } from "../reconciling/action-status.ts";
import { deadLetterUntil, expiringDeadLetters, notDecidedError, waitsForDecision } from "../../waiting/deadlines.ts";
import { mergePatch, byteLength } from "../../language/json-values.ts";
import { waitUntil } from "../runs.ts";
import { resolveFor } from "../timers.ts";
import {
  actionOf,
  changeState,
  changeRun,
  currentState,
  iso,
  addEntry,
  requestVerdict,
  runOf,
  type Step,
} from "../current-step.ts";

type Of<Kind extends Command["kind"]> = Extract<Command, { kind: Kind }>;
type FoundRun = { readonly ok: true; readonly run: Run } | Exclude<RefusalOrNull, null>;

/**
 * Retries a dead letter. An unchanged retry sends the stored config again, and an edited retry renders the config
 * again. If the run is later than its action's limit allows, it is skipped.
 */
export function retry(step: Step, input: Of<"retry">): RefusalOrNull {
  const found = findDeadLetter(step, input.run, "retried");
  if (!found.ok) return found;
  if (isHandled(found.run) && !input.force) return refuse(handledRefusal(step, found.run));
  if (!step.program.actions.has(found.run.action)) return refuse(unreadableActionRefusal(found.run));
  const refused = refuseAutoRetry(step, found.run, input) ?? refuseBusy(step) ?? applyVariables(step, input);
  if (refused) return refused;
  const { run } = found;
  const edit = editedConfig(step, run, input.config);
  if (!edit.ok) return edit;
  const isEdited = input.config !== null || input.variables !== null;
  const redriven = changeRun(step, run, {
    status: "scheduled",
    // In a journey, the run stays bound to its node, whose end cancels it like any other run. A machine has already
    // left the run's state, so the run is bound to no state.
    boundTo: step.program.nodes === undefined ? null : run.boundTo,
    dueAt: step.now,
    // Delays after the run count from the retry. Its lateness still counts from its own planned instant.
    planned: step.now,
    firstDueAt: latenessStart(run),
    lane: null,
    sentAt: null,
    resends: 0,
    claimedAt: null,
    deadlineAt: null,
    config: isEdited ? null : run.config,
    error: null,
    reason: null,
    deadLetter: false,
    unwanted: false,
    finishedAt: null,
    held: null,
    ...withoutHandling(run),
    redriven: redriveOf(step, run, isEdited, input),
    ...(edit.config === null ? {} : { edit: edit.config }),
  });
  const { actor, reason, once } = input;
  const how = { ...(isHandled(run) ? { forced: true as const } : {}), ...(once ? { once } : {}) };
  addEntry(step, { kind: "run_redriven", run: run.id, action: run.action, edited: isEdited, ...how, actor, reason });
  return awaitDelay(step, run, redriven);
}

/** The record of the redrive, which replaces the record of the run's previous redrive. */
function redriveOf(step: Step, { redriven, attempt }: Run, isEdited: boolean, { once, heal }: Of<"retry">): Redrive {
  const { once: _once, ...before } = redriven ?? {};
  return {
    ...before,
    at: step.now,
    times: (redriven?.times ?? 0) + 1,
    attemptsBefore: attempt,
    ...(isEdited ? { attemptsBeforeEdit: attempt } : {}),
    ...(once ? { once } : {}),
    ...(heal ? { healed: (redriven?.healed ?? 0) + 1 } : {}),
  };
}

export function archive(step: Step, { run: id, actor, reason }: Of<"archive">): RefusalOrNull {
  const found = findDeadLetter(step, id, "archived");
  if (!found.ok) return found;
  archiveRun(step, found.run, { actor, reason });
  return null;
}

/**
 * Archives dead letters that no operator has decided about in time. If the journey was paused by such a failure, the
 * journey fails.
 */
export function expireDeadLetters(step: Step): void {
  const isPaused = waitsForDecision(step.state);
  for (const run of expiringDeadLetters(step.state)) {
    if (deadLetterUntil(run) > step.now) continue;
    archiveRun(step, run, { actor: ENGINE, reason: "archive_date_reached", expired: true });
    if (isPaused) requestVerdict(step, { kind: "fail", error: notDecidedError(nodeOfRun(run)) });
  }
}

const ENGINE = { kind: "engine", id: "engine" } as const;

/** True while a finished execution has unfinished runs, or dead letters that an operator must decide about. */
export function isUnresolved({ runs }: ExecutionState): boolean {
  return runs.some((run) => waitsForPerson(run) || run.finishedAt === null);
}

/** `expired`: true if no operator has decided about the dead letter in time. */
type Archiving = { readonly actor: Actor; readonly reason: string | null; readonly expired?: true };

function archiveRun(step: Step, run: Run, { actor, reason, ...expiry }: Archiving): void {
  const archived = changeRun(step, run, { deadLetter: false });
  addEntry(step, { kind: "dead_letter_archived", run: run.id, action: run.action, actor, reason });
  sendResultEvent(step, archived, "archived", { reason, ...expiry });
}

function findDeadLetter(step: Step, id: string, done: string): FoundRun {
  const run = runOf(step, id);
  if (!run) return refuse({ code: "not_found", message: `the execution has no run ${id}` });
  if (run.deadLetter) return { ok: true, run };
  const message = `run ${id} has the status ${run.status}: only a dead letter can be ${done}`;
  const hint = hintFor(step, run);
  // The details contain the run's status, from which a bulk operation sees that the run is already finished.
  return refuse({ code: "run_not_startable", message, hint, details: { run: run.status } });
}

function hintFor({ state }: Step, run: Run): string {
  const { status, finishedAt, dueAt } = run;
  if (status === "failed") return "The run was archived.";
  if (finishedAt !== null) return "The run has ended and is no dead letter. To start its action again, use run-now.";
  if (currentHold(run) !== null) return "An operator holds the run. Release the run first.";
  if (status === "retry" && dueAt !== null)
    return `The next attempt is at ${iso(dueAt)}. To start this attempt immediately, use run-now.`;
  if (status === "scheduled")
    return "The run is waiting and has not failed. To start the run immediately, use run-now.";
  return `The run has not ended yet: GET /v1/executions/${state.id}/runs shows its progress.`;
}

/**
 * The refusal to retry a run whose failure is handled. The machine has already reacted, for example with a refund, so a
 * retry could do the work twice.
 */
function handledRefusal({ state: now }: Step, { id, heard }: Run) {
  assert(heard, `the handled run ${id} must have a result event that the definition received`);
  const { event, state, at, by } = heard;
  const who = by === undefined ? "the execution" : `the parent execution ${by}`;
  const since = by !== undefined || currentState(now) === state ? "" : ` (now ${currentState(now)})`;
  return {
    code: "run_not_startable",
    message: `the failure of run ${id} is already handled: at ${iso(at)} ${who} received the event ${event} and moved to ${state}${since}`,
    hint: 'To retry the run anyway, set "force": true.',
    details: { handled: { event, state, at: iso(at), states: [...now.position.states], status: now.status } },
  } as const;
}

/**
 * Changes the variables that the retry reads. A live execution is patched. In an ended execution the state is changed
 * directly.
 */
function applyVariables(step: Step, input: Of<"retry">): RefusalOrNull {
  const { variables, actor, reason } = input;
  if (variables === null) return null;
  if (!isFinalStatus(step.state.status)) return patch(step, { ...input, kind: "patch", variables });
  const patched = mergePatch(step.state.variables, variables);
  const size = byteLength(JSON.stringify(patched));
  if (size > VARIABLES_BYTES_MAX) return refuseTooLarge("variables", size, VARIABLES_BYTES_MAX, "VARIABLES_BYTES_MAX");
  changeState(step, { variables: patched });
  addEntry(step, { kind: "patched", variables, moves: [], actor, reason });
  return null;
}

type EditedConfig = { readonly ok: true; readonly config: Run["config"] } | Exclude<RefusalOrNull, null>;

/** The edited config that the retry renders, merged over earlier edits. null if the retry does not edit the config. */
function editedConfig(step: Step, run: Run, config: Of<"retry">["config"]): EditedConfig {
  if (config === null) return { ok: true, config: null };
  const edited = mergePatch(run.edit ?? actionOf(step, run.action).config, config);
  const size = byteLength(JSON.stringify(edited));
  return size > CONFIG_BYTES_MAX
    ? refuseTooLarge("config", size, CONFIG_BYTES_MAX, "CONFIG_BYTES_MAX")
    : { ok: true, config: edited };
}

function refuseTooLarge(field: string, size: number, limit: number, limitName: string) {
  const message = `the ${field} state would have ${size} bytes; the limit is ${limit} (${limitName})`;
  return refuse({ code: "limit_exceeded", message, errors: [{ pointer: `/${field}`, code: "too_large", message }] });
}

/**
 * If the run failed because its delay could not be resolved, the retry waits for that delay. All other runs start
 * immediately.
 */
function awaitDelay(step: Step, before: Run, run: Run): RefusalOrNull {
  const action = actionOf(step, run.action);
  const { delay } = action;
  if (delay === undefined || before.attempt > 0 || before.firstDueAt !== before.createdAt) return null;
  const due = resolveFor(step, delay, run.trigger, { action });
  if (!due.ok) return refuse({ code: "run_not_startable", message: due.message });
  if (due.at === null && isFinalStatus(step.state.status)) return refuse(neverDueRefusal);
  waitUntil(step, run, due);
  return null;
}

/** The refusal to retry a run whose execution was canceled because its definition could not be read. */
function unreadableActionRefusal({ id, action }: Run) {
  const message = `run ${id} of the action ${action} cannot be retried, because the definition of its execution cannot be read`;
  return { code: "run_not_startable", message, hint: "Archive the dead letter." } as const;
}

/**
 * The refusal to retry a run that would wait forever for a missing variable. The execution has ended and cannot be
 * patched, and a waiting run cannot be archived.
 */
const neverDueRefusal = {
  code: "run_not_startable",
  message: "the execution has ended, and the delay of the run depends on a variable that is missing",
  hint: 'Retry the run, and send the missing variable in "variables".',
} as const;
