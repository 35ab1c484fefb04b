// An operation over executions first collects the ids of all matching executions. It acts on none before that, so that
// later changes of the catalog cause no skips.
import type { OperationRequest } from "#schema/operation.ts";
import type { MatchedPage } from "#schema/engine/execution-command.ts";
import { openOperation, type OperationState } from "./pace.ts";

/** The progress of the collection. `rows`: the rows of ids stored by the operation's object. */
export type CollectingProgress = {
  readonly rows: number;
  readonly count: number;
  readonly cursor: string | null;
  readonly isAll: boolean;
};

export function openControlOperation(terms: OperationRequest): OperationState {
  return { ...openOperation(terms), finding: { rows: 0, count: 0, cursor: null, isAll: false } };
}

/** Adds a page of found ids. At the end the exact number replaces the catalog's count. */
export function addFound(state: OperationState, { found, cursor }: MatchedPage): OperationState {
  const before = state.finding ?? { rows: 0, count: 0 };
  const count = before.count + found.length;
  const finding = { rows: before.rows + (found.length > 0 ? 1 : 0), count, cursor, isAll: cursor === null };
  const terms = finding.isAll ? { ...state.terms, matched: count } : state.terms;
  return { ...state, terms, finding, trouble: null };
}
