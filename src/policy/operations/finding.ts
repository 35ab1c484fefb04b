// An operation over executions first notes down whom it is about: all that are meant, in one go, before any of them is asked. What
// moves in the lists afterwards moves nobody past its turn.
import type { OperationTerms } from "#schema/operation.ts";
import type { FoundPage } from "#schema/engine/steering.ts";
import { openOperation, type OperationState } from "./pace.ts";

/** How far it is with that: rows of ids that its object keeps. */
export type Finding = {
  readonly rows: number;
  readonly count: number;
  readonly cursor: string | null;
  readonly isAll: boolean;
};

export function openSteering(terms: OperationTerms): OperationState {
  return { ...openOperation(terms), finding: { rows: 0, count: 0, cursor: null, isAll: false } };
}

/** How many there are is known in the end; before that, how many lists counted. */
export function takeFound(state: OperationState, { found, cursor }: FoundPage): OperationState {
  const before = state.finding ?? { rows: 0, count: 0 };
  const count = before.count + found.length;
  const finding = { rows: before.rows + (found.length > 0 ? 1 : 0), count, cursor, isAll: cursor === null };
  const terms = finding.isAll ? { ...state.terms, matched: count } : state.terms;
  return { ...state, terms, finding, trouble: null };
}
