// Drafts: one turn's work before it is committed. Each touched execution with its new state, journal entries and
// effects.
import { settlementName } from "#kernel/execution/attempts.ts";
import { step } from "#kernel/execution/step.ts";
import type { Effect } from "#schema/engine/effect.ts";
import type { Command, Input } from "#schema/engine/input.ts";
import type { RepeatedRun, JournalEntry, UnmovedItem, TimerMove } from "#schema/engine/journal.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { Claimant, Ticket } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Heads } from "./heads/heads.ts";
import { stepSubjectOf, type StepContext } from "./heads/step-subject.ts";
import { attemptResult } from "./intake.ts";
import type { Ports } from "./ports.ts";
import { ticketOf } from "./ticket.ts";

export type Draft = {
  readonly state: ExecutionState;
  readonly entries: readonly JournalEntry[];
  readonly effects: readonly Effect[];
  /** Direct calls, claimed in the same commit that dispatches them. */
  readonly tickets: readonly Ticket[];
  readonly definition: string | null;
};

/** The execution has ended, and this commit deletes its history. */
export function hasPurge(effects: readonly Effect[]): boolean {
  return effects.some(({ kind }) => kind === "purge");
}

/** The result of stepping one command. */
export type AppliedCommand = {
  readonly state: ExecutionState;
  /** The seq of the command's own entries; the state may have advanced since. */
  readonly seq: number | null;
  readonly moves: readonly TimerMove[];
  readonly notMoved?: readonly UnmovedItem[];
  readonly cameBack?: readonly RepeatedRun[];
  readonly repeated: boolean;
  /** No slot was free for its direct calls, so it was not stepped. */
  readonly waits?: true;
};

type Settlement = { readonly run: string; readonly attempt: number };
type NextWanted = { readonly by?: Claimant; readonly slow: boolean };

export type Drafts = {
  /** `direct` lets the runs it starts take the direct lane, as far as slots are free. */
  readonly apply: (execution: string, command: Command, direct: boolean, more?: StepContext) => Result<AppliedCommand>;
  /** Claims the first message that this execution would send, in the same commit; the message is never sent. */
  readonly claimNext: (execution: string, wanted: NextWanted, settled: Settlement) => Ticket | null;
  /** The state as drafted in this turn, else as committed. */
  readonly stateOf: (execution: string) => ExecutionState | null;
  readonly has: (execution: string) => boolean;
  readonly all: () => readonly Draft[];
};

/** `room`: how many more runs the cell may have in flight. */
export function openDrafts(ports: Ports, heads: Heads, room: number, now: number): Drafts {
  const drafts = new Map<string, Draft>();
  let roomLeft = room;
  const suspended = ports.suspendedAt() !== null;

  const stateOf = (execution: string): ExecutionState | null =>
    drafts.get(execution)?.state ?? heads.read(execution)?.state ?? null;

  const apply: Drafts["apply"] = (execution, command, direct, more = {}) => {
    const [draft, free] = [drafts.get(execution), roomLeft];
    try {
      return stepped(execution, command, direct, more);
    } catch (fault) {
      // A failed step leaves nothing in the turn.
      if (draft) drafts.set(execution, draft);
      else drafts.delete(execution);
      roomLeft = free;
      // An execution whose every step fails can be canceled. A fault in one step alone must not end the execution.
      if (command.kind !== "cancel" || !stateOf(execution)) throw fault;
      for (const given of [{}, { isGivenUp: "whole" }] as const) {
        const again = attemptResult(() => stepped(execution, command, direct, { ...more, ...given }));
        if ("value" in again) return again.value;
      }
      return stepped(execution, command, false, { ...more, isGivenUp: "by_name" });
    }
  };

  const stepped = (execution: string, command: Command, direct: boolean, more: StepContext): Result<AppliedCommand> => {
    const subject = stepSubjectOf({ heads, ports }, stateOf(execution), execution, command, more);
    if (!subject.ok) return subject;
    const { before, program } = subject.value;
    const isTried = more.waits === true && roomLeft <= 0;
    const stamp = { now, room: direct ? roomSaid(roomLeft, isTried) : 0, ...(suspended ? { suspended } : {}) };
    const input = { ...command, ...stamp } as Input; // a spread of a union
    const result = step(program, before, input);
    if (!result.ok) return result;
    const { state, seq, effects, moves, notMoved, cameBack, repeated } = result;
    if (isTried && before !== null && effects.some(isFlight)) return inLine(before);
    ports.inspect({ program, before, input, state, effects, entries: result.entries });
    if (state !== before) drafts.set(execution, extended(drafts.get(execution), result, more.definition ?? null));
    for (const effect of effects) {
      if (isFlight(effect)) claimDirect(execution, effect);
    }
    return accept({ state: drafts.get(execution)?.state ?? state, seq, moves, notMoved, cameBack, repeated });
  };

  /** The direct lane claims at once: arming, dispatch and claim are one commit. */
  const claimDirect = (execution: string, { run, attempt }: { run: string; attempt: number }): void => {
    roomLeft -= 1;
    apply(execution, { kind: "claim", run, attempt, lane: "direct" }, true);
    const draft = drafts.get(execution);
    const ticket = draft && ticketOf(draft.state, run, attempt);
    if (ticket) drafts.set(execution, { ...draft, tickets: [...draft.tickets, ticket] });
    else roomLeft += 1;
  };

  const claimNext: Drafts["claimNext"] = (execution, { by, slow }, settled) => {
    const message = drafts.get(execution)?.effects.find((effect) => isMessage(effect) && (slow || !effect.timeoutMs));
    if (message?.kind !== "dispatch") return null;
    const { run, attempt } = message;
    const whose = by ? { by: { ...by, after: settlementName(settled.run, settled.attempt) } } : {};
    if (!apply(execution, { kind: "claim", run, attempt, lane: "queue", ...whose }, false).ok) return null;
    const draft = drafts.get(execution);
    if (!draft) return null;
    drafts.set(execution, { ...draft, effects: draft.effects.filter((effect) => effect !== message) });
    return ticketOf(draft.state, run, attempt);
  };

  return { apply, claimNext, stateOf, has: (execution) => drafts.has(execution), all: () => [...drafts.values()] };
}

/** Whether a step needs a slot is unknown before it runs, so the first try assumes that one is free. */
function roomSaid(left: number, isTried: boolean): number {
  return isTried ? 1 : left;
}

function inLine(state: ExecutionState): Result<AppliedCommand> {
  return accept({ state, seq: null, moves: [], repeated: false, waits: true });
}

function isFlight(effect: Effect): effect is Extract<Effect, { kind: "dispatch" }> {
  return effect.kind === "dispatch" && effect.lane === "direct";
}

function isMessage(effect: Effect): effect is Extract<Effect, { kind: "dispatch" }> {
  return effect.kind === "dispatch" && effect.lane === "queue";
}

function extended(
  draft: Draft | undefined,
  { state, entries, effects }: Pick<Draft, "state" | "entries" | "effects">,
  definition: string | null,
): Draft {
  return {
    state,
    entries: [...(draft?.entries ?? []), ...entries],
    effects: [...(draft?.effects ?? []), ...effects],
    tickets: draft?.tickets ?? [],
    definition: definition ?? draft?.definition ?? null,
  };
}
