// Previews of operations: predicts what a bulk verb or an enrolment would do.
import type { DeadLetterFilters, DeadLetterSurvey } from "#schema/dead-letter-filter.ts";
import type { MatchedExecution } from "#schema/engine/execution-command.ts";
import { ENROLMENT_FAILURE_CHARS_MAX, ENROLMENT_SAMPLE_MAX } from "#schema/limits/subjects/enrolment-lists.ts";
import { COMMAND_KINDS_SHOWN, COMMAND_SAMPLE_MAX } from "#schema/limits/upkeep/bulk-operations.ts";
import type { OperationVerb } from "#schema/operation.ts";
import { accept, type Result, refuse } from "#schema/refusal.ts";
import { callWithRetry } from "../cells/call-cell.ts";
import { sampleRetries, type RetrySample } from "../dead-letters/sample-dead-letters.ts";
import { countDeadLetters, surveyDeadLetters } from "../dead-letters/dead-letters.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { countMatching, findMatching } from "../executions/matching-executions.ts";
import { tryLines } from "./enroll-lines.ts";
import { deadLettersOf, executionsOf, noOperation } from "./operations.ts";
import { checkCommand, type StartExecutionOperation } from "./start-execution-operation.ts";
import { tryCommand, type TriedCommand } from "./try-command.ts";

export type PreviewOperation = {
  readonly verb: OperationVerb;
  readonly filter: DeadLetterFilters;
  readonly perSecond: number;
};
export type PreviewedOperation = DeadLetterSurvey & {
  readonly estimatedSeconds: number;
  /** The number of matching dead letters that the operation would skip without a command, by reason. */
  readonly skipped: { readonly [reason: string]: number };
  /** The predicted results of some of the dead letters. Null if the operation sends nothing. */
  readonly sample: RetrySample | null;
};

export async function previewOperation(
  deps: Deps,
  caller: TenantCaller,
  { verb, filter, perSecond }: PreviewOperation,
): Promise<Result<PreviewedOperation>> {
  const selected = deadLettersOf({ filter, createdAt: deps.now() });
  const [survey, handled, sample] = await Promise.all([
    surveyDeadLetters(deps, caller.tenant, selected),
    filter.handled === undefined ? countDeadLetters(deps, caller.tenant, { ...selected, handled: true }) : 0,
    verb === "retry" ? sampleRetries(deps, caller, selected) : null,
  ]);
  const skipped = handled > 0 ? { handled } : {};
  return accept({ ...survey, skipped, sample, estimatedSeconds: Math.ceil(survey.matching / perSecond) });
}

type Tally = { readonly [what: string]: number };
export type PreviewedCommand = {
  readonly matching: number;
  readonly estimatedSeconds: number;
  readonly oldest: number | null;
  readonly newest: number | null;
  readonly byStatus: Tally;
  /** The number of executions by definition (name@version), the largest number first. */
  readonly byDefinition: Tally;
  readonly sample: { readonly of: number; readonly outcomes: Tally; readonly items: readonly TriedCommand[] };
};

export async function previewCommand(
  deps: Deps,
  caller: TenantCaller,
  { steer, filter, perSecond, reason, ifState }: StartExecutionOperation,
): Promise<Result<PreviewedCommand>> {
  const sized = checkCommand(deps, steer);
  if (!sized.ok) return sized;
  const selected = executionsOf({ filter, createdAt: deps.now() });
  const [counts, page] = await Promise.all([
    countMatching(deps, caller.tenant, selected, steer),
    findMatching(deps, caller.tenant, selected, steer, { cursor: null, limit: COMMAND_SAMPLE_MAX }),
  ]);
  const tryOne = (found: MatchedExecution) =>
    tryCommand(deps, caller, { steer, filter, reason, ...(ifState === null ? {} : { ifState }) }, found);
  const items = await Promise.all(page.found.map(tryOne));
  const matching = counts.reduce((sum, { count }) => sum + count, 0);
  return accept({
    matching,
    estimatedSeconds: Math.ceil(matching / perSecond),
    oldest: counts.length === 0 ? null : Math.min(...counts.map(({ oldest }) => oldest)),
    newest: counts.length === 0 ? null : Math.max(...counts.map(({ newest }) => newest)),
    byStatus: tally(counts.map(({ status, count }) => [status, count])),
    byDefinition: largest(tally(counts.map(({ definition, version, count }) => [`${definition}@${version}`, count]))),
    sample: { of: items.length, outcomes: tally(items.map(({ outcome }) => [outcome, 1])), items },
  });
}

function tally(counted: readonly (readonly [what: string, count: number])[]): Tally {
  const sums = new Map<string, number>();
  for (const [what, count] of counted) sums.set(what, (sums.get(what) ?? 0) + count);
  return Object.fromEntries(sums);
}

function largest(all: Tally): Tally {
  const sorted = Object.entries(all).toSorted(([, one], [, other]) => other - one);
  return Object.fromEntries(sorted.slice(0, COMMAND_KINDS_SHOWN));
}

export type SampledLine = {
  readonly part: number;
  readonly line: number;
  /** The code of the refusal; null if the line would be enrolled. */
  readonly code: string | null;
  readonly message: string | null;
  readonly subject: string | null;
};
export type PreviewedEnrolment = {
  readonly lines: number;
  readonly estimatedSeconds: number;
  readonly sampled: number;
  readonly enrolled: number;
  readonly refused: { readonly [code: string]: number };
  readonly items: readonly SampledLine[];
};

export async function previewEnrolment(
  deps: Deps,
  { tenant }: TenantCaller,
  { operation: id }: { readonly operation: string },
): Promise<Result<PreviewedEnrolment>> {
  const object = deps.operation(`${tenant}/${id}`);
  const read = await callWithRetry(() => object.read(), "operation");
  if (!read.ok) return read;
  const operation = read.value;
  if (operation === null || operation.verb !== "enroll") return refuse(noOperation(id));
  const sampled = await callWithRetry(() => object.sample(ENROLMENT_SAMPLE_MAX), "operation");
  if (!sampled.ok) return sampled;
  const answers = await tryLines(deps, operation, sampled.value, true);
  const items = sampled.value.map(({ id: lineId }, n) => {
    const answer = answers[n];
    const [part = 0, line = 0] = lineId.split(".").map(Number);
    if (answer === undefined || answer.ok) {
      return { part, line, code: null, message: null, subject: answer?.value.state.subject?.key ?? null };
    }
    const { code, message } = answer.refusal;
    return { part, line, code, message: message.slice(0, ENROLMENT_FAILURE_CHARS_MAX), subject: null };
  });
  const refused: Record<string, number> = {};
  for (const { code } of items) if (code !== null) refused[code] = (refused[code] ?? 0) + 1;
  return accept({
    lines: operation.matched,
    estimatedSeconds: Math.ceil(operation.matched / operation.perSecond),
    sampled: items.length,
    enrolled: items.filter(({ code }) => code === null).length,
    refused,
    items,
  });
}
