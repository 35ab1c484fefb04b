// An operation over executions first collects all their ids, before it acts on any of them, so that later changes of
// the lists skip none.
import type { OperationTerms } from "#schema/operation.ts";
import type { FoundPage } from "#schema/engine/steering.ts";
import { openOperation, type OperationState } from "./pace.ts";

/** The progress of the collection: rows of ids in its object. */
export type Finding = {
  readonly rows: number;
  readonly count: number;
  readonly cursor: string | null;
  readonly isAll: boolean;
};

export function openControlOperation(terms: OperationTerms): OperationState {
  return { ...openOperation(terms), finding: { rows: 0, count: 0, cursor: null, isAll: false } };
}

/** The exact number is known at the end; before that, the count of the lists. */
export function takeFound(state: OperationState, { found, cursor }: FoundPage): OperationState {
  const before = state.finding ?? { rows: 0, count: 0 };
  const count = before.count + found.length;
  const finding = { rows: before.rows + (found.length > 0 ? 1 : 0), count, cursor, isAll: cursor === null };
  const terms = finding.isAll ? { ...state.terms, matched: count } : state.terms;
  return { ...state, terms, finding, trouble: null };
}
