// Reads a page of an execution's history from its object.
import type { JournalPage } from "#schema/engine/cell.ts";
import { limits } from "#schema/limits.ts";
import type { Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { cellName } from "../cells/placement.ts";
import { reach } from "../cells/reach.ts";
import { sayRetired } from "./retired.ts";

export type GetJournal = {
  readonly execution: string;
  readonly cursor: string | null;
  readonly limit: number;
  /** Only what this one input set off. */
  readonly seq?: number;
};

export async function getJournal(deps: Deps, caller: TenantCaller, input: GetJournal): Promise<Result<JournalPage>> {
  const limit = Math.min(input.limit, limits.journalPageEntriesMax);
  const ofStep = input.seq === undefined ? {} : { seq: input.seq };
  const query = { execution: input.execution, after: input.cursor, limit, ...ofStep };
  const answer = await reach(() => deps.cell(cellName(caller.tenant, input.execution)).journal(query));
  return sayRetired(deps, caller.tenant, input.execution, answer.ok ? answer.value : answer);
}
