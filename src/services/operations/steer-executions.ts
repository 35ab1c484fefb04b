// Asks a slice of executions for what an operation wants of each. Every command's id follows from the operation, so that a slice that
// comes twice changes nothing and gets the same answers; who is no longer one of those that are meant is left alone.
import type { ControlItem, Reply } from "#schema/engine/cell.ts";
import { isHandled, type Run } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { ItemOutcome, OperationTerms } from "#schema/operation.ts";
import type { Refusal, Result } from "#schema/refusal.ts";
import type { FoundExecution, Steer, StillMeant } from "#schema/engine/steering.ts";
import type { NumberedLine } from "#schema/subject/enrolling.ts";
import { retryVerb, unchanged } from "../dead-letters/retry-run.ts";
import { brokenItem } from "../cells/broken-item.ts";
import { reach } from "../cells/reach.ts";
import { fingerprint } from "../caller/fingerprint.ts";
import { cancelExecution } from "../executions/cancel-execution.ts";
import type { ControlVerb } from "../executions/control-execution.ts";
import type { Deps } from "../deps.ts";
import { sentAgain } from "./act-for-operation.ts";
import { askCells, unreached, type CellItem } from "./ask-cells.ts";
import { actorOf } from "./operation-view.ts";

type Item = CellItem & { readonly life: number };
/** `run`: of a retry, which dead letter it is about. */
type Asked = { readonly item: ControlItem; readonly run: string | null };
type Answered = Asked & { readonly answer: Result<Reply> | undefined };

export async function steerExecutions(
  deps: Deps,
  terms: OperationTerms,
  lines: readonly NumberedLine[],
): Promise<readonly ItemOutcome[]> {
  const { steer } = terms;
  if (steer === undefined) throw new Error(`operation ${terms.id} does not say what it does to executions`);
  const items = lines.map(({ id, line }): Item => {
    const [execution, life] = line as unknown as FoundExecution; // as it was found
    return { id, execution, life };
  });
  return askCells(deps, terms, items, (cell, theirs) => steerCell(deps, { ...terms, steer }, cell, theirs));
}

type Steering = Pick<OperationTerms, "id" | "tenant" | "actor" | "filter" | "reason" | "createdAt"> & {
  readonly steer: Steer;
};

async function steerCell(
  deps: Deps,
  terms: Steering,
  cell: string,
  items: readonly Item[],
): Promise<readonly ItemOutcome[]> {
  const asked = await Promise.all(items.map((item) => asksOf(deps, terms, cell, item)));
  const asks = asked.flat();
  const answers = await reach(() => deps.cell(cell).control(asks.map(({ item }) => item)));
  if (!answers.ok) return unreached(items, answers.refusal.message);
  let next = 0;
  const outcomes = items.map((item, n) => {
    const mine = (asked[n] ?? []).map((each): Answered => ({ ...each, answer: answers.value[next++] }));
    return outcomeOf(deps, terms, item, mine).catch((fault: unknown): ItemOutcome => {
      brokenItem(deps, { operation: terms.id, execution: item.execution }, fault);
      return { id: item.id, kind: "unreached", error: String(fault) };
    });
  });
  return Promise.all(outcomes);
}

export async function asksOf(
  deps: Pick<Deps, "cell">,
  terms: Steering,
  cell: string,
  item: Item,
): Promise<readonly Asked[]> {
  const { steer } = terms;
  if (steer.verb !== "retry") return [await askOf(terms, item, verbOf(terms, steer), null)];
  const read = await reach(() => deps.cell(cell).read(item.execution));
  const state = read.ok && read.value.ok ? read.value.value : null;
  // What is not there, or cannot be read, says so itself.
  const runs = state === null ? ["none"] : deadLettersOf(terms, steer.action, state.runs);
  return Promise.all(runs.map((run) => askOf(terms, item, retryVerb(run, unchanged, terms.reason), run)));
}

/** Also those that it has sent again before: a slice that comes twice is answered as it was. */
function deadLettersOf({ createdAt }: Steering, action: string | null, runs: readonly Run[]): readonly string[] {
  const isMeant = (run: Run): boolean =>
    (run.deadLetter && !isHandled(run)) || (run.redriven !== undefined && run.redriven.at >= createdAt);
  return runs.filter((run) => (action === null || run.action === action) && isMeant(run)).map(({ id }) => id);
}

async function askOf(terms: Steering, item: Item, verb: ControlVerb, run: string | null): Promise<Asked> {
  const inputId = run === null ? terms.id : `${terms.id}/${run}`;
  const command = { ...verb, inputId, fingerprint: await fingerprint(verb), actor: actorOf(terms) };
  const { execution, life } = item;
  return { item: { execution, life, command, dryRun: false, only: onlyFor(terms) }, run };
}

function onlyFor({ filter: { status, state } }: Pick<OperationTerms, "filter">): StillMeant {
  return { ...(status === undefined ? {} : { status }), ...(state === undefined ? {} : { state }) };
}

/** Of a verb that needs to know nothing of the execution. */
function verbOf({ id, reason }: Pick<OperationTerms, "id" | "reason">, steer: OneForAll): ControlVerb {
  switch (steer.verb) {
    case "pause":
    case "resume":
    case "cancel":
      return { kind: steer.verb, reason };
    case "patch":
      return { kind: "patch", variables: steer.variables, reason };
    case "event": {
      const { type, payload, source } = steer;
      return { kind: "event", event: { id, type, payload, source: source ?? SOURCE, correlationId: null } };
    }
  }
}

type OneForAll = Exclude<Steer, { readonly verb: "retry" }>;
const SOURCE = "operation";

async function outcomeOf(deps: Deps, terms: Steering, item: Item, answered: readonly Answered[]): Promise<ItemOutcome> {
  const { id } = item;
  const outcomes = await Promise.all(answered.map((each) => outcomeOfOne(deps, terms, item, each)));
  const first = (...kinds: readonly ItemOutcome["kind"][]) => outcomes.find(({ kind }) => kinds.includes(kind));
  // Of several runs: what has still to be asked comes again, and what has been done before is answered as it was.
  return first("unreached") ?? first("released") ?? first("refused") ?? outcomes[0] ?? nothing(id);
}

function nothing(id: string): ItemOutcome {
  return { id, kind: "skipped", reason: "nothing_to_retry" };
}

async function outcomeOfOne(
  deps: Deps,
  terms: Steering,
  { id, execution }: Item,
  { answer, run, item }: Answered,
): Promise<ItemOutcome> {
  if (answer === undefined) return { id, kind: "unreached", error: "its cell answered nothing" };
  if (!answer.ok && answer.refusal.code === "execution_unreadable" && item.command.kind === "cancel") {
    const { inputId, fingerprint: _digest, actor, ...verb } = item.command;
    const caller = { tenant: terms.tenant, actor, scopes: ["operate"] } as const;
    const given = await cancelExecution(deps, caller, {
      execution,
      verb,
      key: inputId,
      dryRun: false,
      life: item.life,
    });
    return given.ok ? { id, kind: "released" } : outcomeOfRefusal(id, given.refusal);
  }
  if (!answer.ok) return outcomeOfRefusal(id, answer.refusal);
  return sentAgainBy(id, run, answer.value.state);
}

/** It was done; of a retry, what has become of that run says more. */
export function sentAgainBy(id: string, run: string | null, { runs }: Pick<ExecutionState, "runs">): ItemOutcome {
  const found = run === null ? undefined : runs.find((each) => each.id === run);
  return found === undefined ? { id, kind: "released" } : sentAgain(id, found);
}

/** Nothing has gone wrong where there was nothing to be done any more. */
export function outcomeOfRefusal(id: string, { code, message, details }: Refusal): ItemOutcome {
  if (details?.["notMeant"] !== undefined) return { id, kind: "skipped", reason: "no_longer_matching", message };
  if (code === "internal_error") return { id, kind: "unreached", error: message, isBroken: true };
  if (code === "unavailable") return { id, kind: "unreached", error: message };
  if (code === "not_found") return { id, kind: "gone" };
  const reason = needless.get(code);
  return reason === undefined ? { id, kind: "refused", code, message } : { id, kind: "skipped", reason, message };
}

const needless: ReadonlyMap<Refusal["code"], string> = new Map([
  ["execution_final", "ended"],
  ["execution_paused", "paused"],
  ["execution_not_paused", "not_paused"],
  ["run_not_startable", "nothing_to_retry"],
]);
