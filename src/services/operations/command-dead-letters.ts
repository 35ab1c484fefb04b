// Dead-letter operations: retries or archives a slice of dead letters. Each command's id is derived from the operation
// and the dead letter. So a repeated slice changes nothing and gets the same answers.
import type { ControlCommand, Reply } from "#schema/engine/cell.ts";
import type { DeadLetterName } from "#schema/dead-letter-filter.ts";
import { parseDeadLetterId } from "#schema/ids.ts";
import type { ItemOutcome, OperationRequest } from "#schema/operation.ts";
import type { Result } from "#schema/refusal.ts";
import type { Run } from "#schema/engine/run.ts";
import { readOrRemove } from "../dead-letters/find-dead-letter.ts";
import { retryVerb, noEdit } from "../dead-letters/retry-run.ts";
import { failedItem, callWithRetry } from "../cells/call-cell.ts";
import type { ControlVerb } from "../executions/control-execution.ts";
import type { Deps } from "../deps.ts";
import { fingerprint } from "../caller/fingerprint.ts";
import { callItemCells, unreached } from "./call-item-cells.ts";
import { actorOf } from "./operations.ts";

export type CommandDeps = Pick<Deps, "db" | "cell" | "log">;
type DeadLetterItem = DeadLetterName & { readonly id: string };

export async function commandDeadLetters(
  deps: CommandDeps,
  operation: OperationRequest,
  ids: readonly string[],
): Promise<readonly ItemOutcome[]> {
  const outcomes: ItemOutcome[] = [];
  const items = ids.flatMap((id) => {
    const name = parseDeadLetterId(id);
    if (name === null) outcomes.push({ id, kind: "gone" });
    return name === null ? [] : [{ id, ...name }];
  });
  const answers = await callItemCells(deps, operation, items, (cell, ofCell) =>
    commandCell(deps, operation, cell, ofCell),
  );
  return [...outcomes, ...answers];
}

async function commandCell(
  deps: CommandDeps,
  operation: OperationRequest,
  cell: string,
  items: readonly DeadLetterItem[],
): Promise<readonly ItemOutcome[]> {
  const commands = await Promise.all(
    items.map(async (item) => ({
      execution: item.execution,
      command: await commandOf(operation, item),
      dryRun: false,
    })),
  );
  const answers = await callWithRetry(() => deps.cell(cell).control(commands));
  if (!answers.ok) return unreached(items, answers.refusal.message);
  const outcomes = items.map((item, n) =>
    outcomeOf(deps, operation, item, answers.value[n]).catch((fault: unknown) => {
      failedItem(deps, { operation: operation.id, deadLetter: item.id }, fault);
      return { id: item.id, kind: "unreached", error: String(fault) } as const;
    }),
  );
  return Promise.all(outcomes);
}

async function commandOf(operation: OperationRequest, { id, run }: DeadLetterItem): Promise<ControlCommand> {
  const verb = verbOf(operation, run);
  return { ...verb, inputId: `${operation.id}/${id}`, fingerprint: await fingerprint(verb), actor: actorOf(operation) };
}

function verbOf({ id, verb, reason, heal }: OperationRequest, run: string): ControlVerb {
  switch (verb) {
    case "retry":
      return { ...retryVerb(run, noEdit, reason), ...(heal === undefined ? {} : { heal: { times: heal.times } }) };
    case "archive":
      return { kind: "archive", run, reason };
    case "enroll":
    case "steer":
  }
  // A newer version of the engine may have begun the operation, before a rollback or during a deploy. The exception
  // keeps the slice unfinished until that version runs again.
  throw new Error(`operation ${id} has a verb that this version does not know: ${String(verb)}`);
}

async function outcomeOf(
  deps: CommandDeps,
  { tenant, verb }: OperationRequest,
  { id, execution, run }: DeadLetterItem,
  answer: Result<Reply> | undefined,
): Promise<ItemOutcome> {
  if (answer === undefined) return { id, kind: "unreached", error: "the dead letter's cell returned no answer" };
  if (answer.ok) {
    const redriven = answer.value.state.runs.find((each) => each.id === run);
    return verb === "retry" && redriven !== undefined ? redriveOutcome(id, redriven) : { id, kind: "released" };
  }
  const { code, message, details } = answer.refusal;
  // The fault concerns this item only and may be transient, so the item is retried. After some attempts the operation
  // gives the item up.
  if (code === "internal_error") return { id, kind: "unreached", error: message, isBroken: true };
  if (code === "unavailable") return { id, kind: "unreached", error: message };
  if (code === "not_found") {
    await readOrRemove(deps, tenant, { execution, run });
    return { id, kind: "gone" };
  }
  if (details?.["handled"] !== undefined) return { id, kind: "skipped", reason: "handled" };
  const heal = details?.["heal"];
  if (typeof heal === "string") return { id, kind: "skipped", reason: heal };
  // If the refusal has `details.run`, the run is no longer a dead letter. Otherwise it still is one.
  return details?.run === undefined ? { id, kind: "refused", code } : { id, kind: "gone" };
}

export function redriveOutcome(id: string, { status, reason, error, attempt, redriven }: Run): ItemOutcome {
  if (status === "skipped") return { id, kind: "skipped", reason: reason ?? "skipped" };
  // The run failed again without an attempt, because a template or rule of its action could not be evaluated.
  const isUntried = status === "failed" && redriven !== undefined && attempt === redriven.attemptsBefore;
  return isUntried ? { id, kind: "refused", code: error?.type ?? "unknown_error" } : { id, kind: "released" };
}
