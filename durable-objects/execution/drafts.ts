// Drafts: the uncommitted work of one turn. A draft holds the new state, journal entries and effects of one execution.
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
  /** The direct calls to make after the commit. The same commit dispatches and claims their runs. */
  readonly tickets: readonly Ticket[];
  /** The definition's JSON, to be stored with a start; null otherwise. */
  readonly definition: string | null;
};

/** True if the commit deletes the ended execution with its history. */
export function hasPurge(effects: readonly Effect[]): boolean {
  return effects.some(({ kind }) => kind === "purge");
}

/** The result of stepping one command. */
export type AppliedCommand = {
  readonly state: ExecutionState;
  /**
   * The seq of the command's own journal entries; null if the command wrote no entries. Later commands may have
   * advanced the state.
   */
  readonly seq: number | null;
  readonly moves: readonly TimerMove[];
  readonly notMoved?: readonly UnmovedItem[];
  readonly cameBack?: readonly RepeatedRun[];
  readonly repeated: boolean;
  /** Set if the command was not stepped, because it needs a direct slot and no slot is free. */
  readonly waitsForSlot?: true;
};

/** The attempt that a consumer settles. */
export type Settlement = { readonly run: string; readonly attempt: number };
/** `by`: the consumer that wants the next run. `slow`: whether the consumer has time for a run that may be slow. */
export type NextWanted = { readonly by?: Claimant; readonly slow: boolean };

export type Drafts = {
  /** Steps a command. `direct`: the runs that it starts use the direct lane while slots are free. */
  readonly apply: (
    execution: string,
    command: Command,
    direct: boolean,
    context?: StepContext,
  ) => Result<AppliedCommand>;
  /**
   * Claims the first run that the execution would queue, so that no message is sent for it. Returns null if no run
   * would be queued.
   */
  readonly claimNext: (execution: string, wanted: NextWanted, settled: Settlement) => Ticket | null;
  /** Returns the state with the changes of this turn, else the committed state; null if it is absent or unreadable. */
  readonly stateOf: (execution: string) => ExecutionState | null;
  readonly hasDraft: (execution: string) => boolean;
  readonly all: () => readonly Draft[];
};

/** `freeSlots`: how many direct calls the turn may start. `now`: epoch ms. */
export function openDrafts(ports: Ports, heads: Heads, freeSlots: number, now: number): Drafts {
  return new TurnDrafts(ports, heads, freeSlots, now);
}

class TurnDrafts implements Drafts {
  readonly #ports: Ports;
  readonly #heads: Heads;
  readonly #now: number;
  readonly #isSuspended: boolean;
  readonly #drafts = new Map<string, Draft>();
  #slotsLeft: number;

  constructor(ports: Ports, heads: Heads, freeSlots: number, now: number) {
    this.#ports = ports;
    this.#heads = heads;
    this.#slotsLeft = freeSlots;
    this.#now = now;
    this.#isSuspended = ports.suspendedAt() !== null;
  }

  apply(execution: string, command: Command, direct: boolean, context: StepContext = {}): Result<AppliedCommand> {
    const [draftBefore, slotsBefore] = [this.#drafts.get(execution), this.#slotsLeft];
    try {
      return this.#applyStep(execution, command, direct, context);
    } catch (fault) {
      // A failed step leaves nothing in the turn.
      if (draftBefore) this.#drafts.set(execution, draftBefore);
      else this.#drafts.delete(execution);
      this.#slotsLeft = slotsBefore;
      // A cancellation must succeed even if every step of the execution fails. Any other command fails with its step.
      if (command.kind !== "cancel" || !this.stateOf(execution)) throw fault;
      for (const fallback of [{}, { cancelFrom: "state" }] as const) {
        const attempt = attemptResult(() => this.#applyStep(execution, command, direct, { ...context, ...fallback }));
        if ("value" in attempt) return attempt.value;
      }
      return this.#applyStep(execution, command, false, { ...context, cancelFrom: "placeholder" });
    }
  }

  claimNext(execution: string, { by, slow }: NextWanted, settled: Settlement): Ticket | null {
    const effects = this.#drafts.get(execution)?.effects ?? [];
    const message = effects.find((effect) => isQueueMessage(effect) && (slow || !effect.timeoutMs));
    if (message?.kind !== "dispatch") return null;
    const { run, attempt } = message;
    const claimant = by ? { by: { ...by, after: settlementName(settled.run, settled.attempt) } } : {};
    if (!this.apply(execution, { kind: "claim", run, attempt, lane: "queue", ...claimant }, false).ok) return null;
    const draft = this.#drafts.get(execution);
    if (!draft) return null;
    this.#drafts.set(execution, { ...draft, effects: draft.effects.filter((effect) => effect !== message) });
    return ticketOf(draft.state, run, attempt);
  }

  stateOf(execution: string): ExecutionState | null {
    return this.#drafts.get(execution)?.state ?? this.#heads.read(execution)?.state ?? null;
  }

  hasDraft(execution: string): boolean {
    return this.#drafts.has(execution);
  }

  all(): readonly Draft[] {
    return [...this.#drafts.values()];
  }

  #applyStep(execution: string, command: Command, direct: boolean, context: StepContext): Result<AppliedCommand> {
    const [ports, heads, drafts] = [this.#ports, this.#heads, this.#drafts];
    const subject = stepSubjectOf({ heads, ports }, this.stateOf(execution), execution, command, context);
    if (!subject.ok) return subject;
    const { before, program } = subject.value;
    // Only the step itself shows whether it needs a slot. A command that may wait is therefore stepped as if a slot
    // were free.
    const isTrial = context.waitsForSlot === true && this.#slotsLeft <= 0;
    const slotsOffered = isTrial ? 1 : this.#slotsLeft;
    const suspended = this.#isSuspended ? { suspended: true } : {};
    const input = { ...command, now: this.#now, room: direct ? slotsOffered : 0, ...suspended } as Input; // TypeScript loses the union in a spread
    const result = step(program, before, input);
    if (!result.ok) return result;
    const { state, seq, effects, moves, notMoved, cameBack, repeated } = result;
    if (isTrial && before !== null && effects.some(isDirectCall)) {
      return accept({ state: before, seq: null, moves: [], repeated: false, waitsForSlot: true });
    }
    ports.inspect({ program, before, input, state, effects, entries: result.entries });
    if (state !== before) drafts.set(execution, extendDraft(drafts.get(execution), result, context.definition ?? null));
    for (const effect of effects) {
      if (isDirectCall(effect)) this.#claimDirect(execution, effect);
    }
    return accept({ state: drafts.get(execution)?.state ?? state, seq, moves, notMoved, cameBack, repeated });
  }

  /** Claims a run of the direct lane in the same turn, so that one commit has its dispatch, its claim and the alarm. */
  #claimDirect(execution: string, { run, attempt }: { run: string; attempt: number }): void {
    this.#slotsLeft -= 1;
    this.apply(execution, { kind: "claim", run, attempt, lane: "direct" }, true);
    const draft = this.#drafts.get(execution);
    const ticket = draft && ticketOf(draft.state, run, attempt);
    if (ticket) this.#drafts.set(execution, { ...draft, tickets: [...draft.tickets, ticket] });
    else this.#slotsLeft += 1;
  }
}

function isDirectCall(effect: Effect): effect is Extract<Effect, { kind: "dispatch" }> {
  return effect.kind === "dispatch" && effect.lane === "direct";
}

function isQueueMessage(effect: Effect): effect is Extract<Effect, { kind: "dispatch" }> {
  return effect.kind === "dispatch" && effect.lane === "queue";
}

function extendDraft(
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
