// Enrolment slices: starts the executions of a slice. Each line's key is derived from the operation, so a repeated line
// finds the execution that it started. An invalid line gets its own error, and the other lines continue.
import { defaults } from "#schema/defaults.ts";
import { zodFindings } from "#schema/findings.ts";
import type { ItemOutcome, OperationRequest } from "#schema/operation.ts";
import { refuse, type Refusal, type Result } from "#schema/refusal.ts";
import type { Reply } from "#schema/engine/cell.ts";
import { enrolmentLine, type NumberedLine } from "#schema/subject/enrolling.ts";
import { failedItem } from "../cells/call-cell.ts";
import type { TenantCaller } from "../deps.ts";
import { startExecutions, type StartDeps } from "../executions/start-executions.ts";
import type { StartRequest } from "../executions/plan-start.ts";

export async function enrollLines(
  deps: StartDeps,
  operation: OperationRequest,
  lines: readonly NumberedLine[],
): Promise<readonly ItemOutcome[]> {
  const answers = await tryLines(deps, operation, lines, false);
  return lines.map(({ id }, n) => outcomeOf(id, answers[n] ?? refuse(unanswered)));
}

/**
 * Starts the lines; on a dry run, only predicts the result. Returns one answer for each line, in the order of the
 * lines.
 */
export async function tryLines(
  deps: StartDeps,
  operation: OperationRequest,
  lines: readonly NumberedLine[],
  dryRun: boolean,
): Promise<readonly Result<Reply>[]> {
  const parsed = lines.map((line) => requestOf(operation, line));
  const requests = parsed.flatMap((each) => (each.ok ? [each.value] : []));
  const started = await startEach(deps, operation, requests, dryRun);
  let next = 0;
  return parsed.map((each) => (each.ok ? (started[next++] ?? refuse(unanswered)) : each));
}

async function startEach(
  deps: StartDeps,
  { tenant, actor, id }: OperationRequest,
  requests: readonly StartRequest[],
  dryRun: boolean,
): Promise<readonly Result<Reply>[]> {
  const caller: TenantCaller = { tenant, actor, scopes: ["write"] };
  try {
    const answers = await startExecutions(deps, caller, { requests, key: null, dryRun });
    return answers.ok ? answers.value : requests.map(() => answers);
  } catch (fault) {
    // An exception for a single line is a bug of the engine. The operation retries the line a few times, and then gives
    // it up.
    return requests.map(() => failedItem(deps, { operation: id }, fault));
  }
}

function requestOf(operation: OperationRequest, { id, line }: NumberedLine): Result<StartRequest> {
  const parsed = enrolmentLine.safeParse(line);
  if (!parsed.success) {
    const [first] = zodFindings(parsed.error, enrolmentLine, line);
    const where = first === undefined || first.pointer === "" ? "" : ` at ${first.pointer}`;
    const message = `the line must have the form { variables, correlationId }${where}: ${first?.message ?? "the value is of another type"}`;
    return refuse({ code: "invalid_input", message });
  }
  const { definition = "", namespace = defaults.namespace } = operation.filter;
  const { variables = {}, correlationId = null } = parsed.data;
  const key = `enrolment/${operation.id}/${id}`;
  return { ok: true, value: { definition, namespace, variables, correlationId, id: null, key } };
}

function outcomeOf(id: string, answer: Result<Reply>): ItemOutcome {
  if (answer.ok) return { id, kind: "released" };
  const { code, message } = answer.refusal;
  if (code === "already_enrolled") return { id, kind: "skipped", reason: code, message };
  if (code === "internal_error") return { id, kind: "unreached", error: message, isBroken: true };
  return mayBeAcceptedLater(answer.refusal)
    ? { id, kind: "unreached", error: message }
    : { id, kind: "refused", code, message };
}

/** True if the line may be accepted later, because nothing was decided yet or the tenant's start quota is used up. */
function mayBeAcceptedLater({ code }: Refusal): boolean {
  return code === "unavailable" || code === "quota_exceeded" || code === "tenant_suspended" || code === "rate_limited";
}

const unanswered = { code: "unavailable", message: "The execution's object returned no answer." } as const;
