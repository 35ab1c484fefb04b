// An execution's runs, live and recently finished, as its object has them at hand. Older ones are in the journal.
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { Run, RunStatus } from "#schema/engine/run.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { readState } from "../cells/read-state.ts";
import { sayRetired } from "./retired.ts";
import { withDoubtfulAttempts } from "./doubtful-attempts.ts";

export type ListRuns = {
  readonly execution: string;
  readonly status: RunStatus | null;
  /** The last run of the page before. */
  readonly cursor: string | null;
  readonly limit: number;
};
export type RunPage = { readonly runs: readonly Run[]; readonly nextCursor: string | null };

export async function listRuns(deps: Deps, caller: TenantCaller, input: ListRuns): Promise<Result<RunPage>> {
  const state = await sayRetired(deps, caller.tenant, input.execution, await readState(deps, caller, input));
  if (!state.ok) return state;
  const after = input.cursor === null ? null : orderOf(input.cursor);
  if (after !== null && !Number.isFinite(after)) return refuse(unknownCursor);
  const left = state.value.runs
    .filter((run) => input.status === null || run.status === input.status)
    .filter((run) => after === null || orderOf(run.id) > after)
    .sort((a, b) => orderOf(a.id) - orderOf(b.id));
  const runs = left.slice(0, input.limit).map((run) => withDoubtfulAttempts(deps, run));
  return accept({ runs, nextCursor: left.length > runs.length ? (runs.at(-1)?.id ?? null) : null });
}

const unknownCursor = {
  code: "invalid_input",
  message: "The cursor is not one of this list.",
  errors: [{ pointer: "?cursor", code: "invalid", message: "is not a cursor of this list" }],
} as const;

/** `<seq>.<n>` as one number that sorts like the pair; n stays far below the million. */
function orderOf(id: string): number {
  const parts = /^(\d{1,9})\.(\d{1,6})$/.exec(id);
  return parts === null ? Number.NaN : Number(parts[1]) * 1_000_000 + Number(parts[2]);
}
