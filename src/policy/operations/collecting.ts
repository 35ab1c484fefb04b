// An operation over executions first collects the ids of all executions that match. Only then does it process them. A
// change of the catalog during the operation therefore leaves none of them out.
import type { OperationRequest } from "#schema/operation.ts";
import type { MatchedPage } from "#schema/engine/execution-command.ts";
import { openOperation, type OperationState } from "./pace.ts";

/** The progress of the collection. `rows`: how many rows of ids the operation's object has stored. */
export type CollectingProgress = {
  readonly rows: number;
  readonly count: number;
  readonly cursor: string | null;
  readonly isAll: boolean;
};

export function openControlOperation(terms: OperationRequest): OperationState {
  return { ...openOperation(terms), finding: { rows: 0, count: 0, cursor: null, isAll: false } };
}

/** Adds a page of ids. After the last page, the exact number replaces the number that the catalog has estimated. */
export function addFound(state: OperationState, { found, cursor }: MatchedPage): OperationState {
  const before = state.finding ?? { rows: 0, count: 0 };
  const count = before.count + found.length;
  const finding = { rows: before.rows + (found.length > 0 ? 1 : 0), count, cursor, isAll: cursor === null };
  const terms = finding.isAll ? { ...state.terms, matched: count } : state.terms;
  return { ...state, terms, finding, trouble: null };
}
