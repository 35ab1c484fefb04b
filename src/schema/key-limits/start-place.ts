// Start place: the progress of an execution at the limits by key on its start. An execution without such limits stores
// none of this.
import type { LimitHoldReason, LimitPlace, LimitSkipReason, TicketLimit } from "./calls.ts";
import type { StartCommand } from "../engine/input.ts";
import { isFinalStatus, type ExecutionStatus } from "../engine/state.ts";

/** The parts of the start command that the first move needs. */
export type DeferredStart = Pick<StartCommand, "desired" | "restart" | "trigger">;

/** The limit that the execution waits for. `until`: when the execution asks again, in epoch ms. */
export type StartHold = {
  readonly limit: string;
  readonly key: string;
  readonly reason: LimitHoldReason;
  readonly until: number;
  /** How many executions with this key were before it. */
  readonly ahead: number;
};

/** Why the execution was skipped. `nextAt`: when the next start with this key may be admitted; null if unknown. */
export type StartSkip = {
  readonly limit: string;
  readonly key: string;
  readonly reason: LimitSkipReason;
  readonly nextAt: number | null;
};

export type StartPlace = {
  readonly limits: readonly TicketLimit[];
  readonly places: readonly LimitPlace[];
  /** Null if the limits have not answered yet, or after the admission. */
  readonly hold: StartHold | null;
  /** When the limits admitted the execution, in epoch ms. Null before. */
  readonly admittedAt: number | null;
  /** Present until the first move is made. */
  readonly deferred?: DeferredStart;
  /** Present if the limits skipped the execution. */
  readonly skipped?: StartSkip;
};

/** The answer of the limits to an execution. released: they have no slot or place of the execution any more. */
export type StartPlaceResult = {
  readonly answer:
    | { readonly kind: "admitted" | "released" }
    | ({ readonly kind: "held" } & StartHold)
    | ({ readonly kind: "skipped" } & StartSkip);
  readonly places: readonly LimitPlace[];
};

/** True until the execution makes its first move. It is false if the definition has no limits on starts. */
export function isBeforeFirstMove({ startPlace }: { readonly startPlace?: StartPlace }): boolean {
  return startPlace?.deferred !== undefined;
}

type Placed = { readonly status: ExecutionStatus; readonly startPlace?: StartPlace };

/** True while the execution waits for the limits on its start: it has neither been admitted nor ended. */
export function waitsForPlace(state: Placed): boolean {
  return isBeforeFirstMove(state) && !isFinalStatus(state.status) && state.startPlace?.admittedAt === null;
}
