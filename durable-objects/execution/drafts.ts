// One turn's work before it is committed: each touched execution as it will be, with what it wants written and sent.
import { firstAsked } from "#kernel/programs/one-action.ts";
import { repeatOf } from "#kernel/execution/receipts.ts";
import { step } from "#kernel/execution/step.ts";
import type { Effect } from "#schema/engine/effect.ts";
import type { Command, Input, StartCommand } from "#schema/engine/input.ts";
import type { JournalEntry, TimerMove } from "#schema/engine/journal.ts";
import { DIRECT_IN_FLIGHT_MAX } from "#schema/limits.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { Run, Ticket } from "#schema/engine/run.ts";
import { dedupDigest } from "#schema/ids.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import type { Item } from "./cell.ts";
import type { Heads } from "./heads/heads.ts";
import type { Ports } from "./ports.ts";
import { programOf } from "./programs.ts";

export type Draft = {
  readonly state: ExecutionState;
  readonly entries: readonly JournalEntry[];
  readonly effects: readonly Effect[];
  /** Direct flights, claimed in the same commit that dispatches them. */
  readonly tickets: readonly Ticket[];
  readonly definition: string | null;
};

export type Taken = {
  readonly state: ExecutionState;
  readonly moves: readonly TimerMove[];
  readonly repeated: boolean;
  /** Claimed for whoever brought the settlement before it. */
  readonly next?: Ticket;
};

export type Drafts = { readonly take: (item: Item) => Result<Taken>; readonly all: () => readonly Draft[] };

export function openDrafts(ports: Ports, heads: Heads, flights: ReadonlySet<string>, now: number): Drafts {
  const drafts = new Map<string, Draft>();
  let room = DIRECT_IN_FLIGHT_MAX - flights.size;

  const apply = (execution: string, command: Command, direct: boolean, definition?: string | null): Result<Taken> => {
    const draft = drafts.get(execution);
    const before = draft?.state ?? heads.read(execution)?.state ?? null;
    const runs = command.kind === "start" ? command : before;
    if (!runs) return refuse({ code: "not_found", message: `there is no execution ${execution}` });
    const program = programOf(runs, ports.storage, definition);
    const input = { ...command, now, entropy: ports.chance(), room: direct ? room : 0 } as Input; // a spread of a union
    const stepped = step(program, before, input);
    if (!stepped.ok) return stepped;
    const { state, entries, effects, moves, repeated } = stepped;
    if (state !== before) {
      drafts.set(execution, {
        state,
        entries: [...(draft?.entries ?? []), ...entries],
        effects: [...(draft?.effects ?? []), ...effects],
        tickets: draft?.tickets ?? [],
        definition: definition ?? draft?.definition ?? null,
      });
    }
    for (const effect of effects) if (effect.kind === "dispatch" && effect.lane === "direct") depart(execution, effect);
    return accept({ state: drafts.get(execution)?.state ?? state, moves, repeated });
  };

  /** The direct lane claims at once: arming, dispatch and claim are one commit. */
  const depart = (execution: string, { run, attempt }: { run: string; attempt: number }): void => {
    room -= 1;
    apply(execution, { kind: "claim", run, attempt, lane: "direct" }, true);
    const draft = drafts.get(execution);
    const ticket = draft && ticketOf(draft.state, run, attempt);
    if (ticket) drafts.set(execution, { ...draft, tickets: [...draft.tickets, ticket] });
    else room += 1;
  };

  /** The first message this settlement would send, made good on the spot: claimed in the same commit, and never sent. */
  const handOver = (execution: string): Ticket | null => {
    const effects = drafts.get(execution)?.effects ?? [];
    const message = effects.find((effect) => effect.kind === "dispatch" && effect.lane === "queue");
    if (message?.kind !== "dispatch") return null;
    const { run, attempt } = message;
    if (!apply(execution, { kind: "claim", run, attempt, lane: "queue" }, false).ok) return null;
    const draft = drafts.get(execution);
    if (!draft) return null;
    drafts.set(execution, { ...draft, effects: draft.effects.filter((effect) => effect !== message) });
    return ticketOf(draft.state, run, attempt);
  };

  /** The action that a call with the same dedup key has made already; null where its window is over. */
  const firstOf = (execution: string, inputId: string): ExecutionState | null => {
    const digest = dedupDigest(execution);
    const drafted = [...drafts.keys()].filter((id) => dedupDigest(id) === digest);
    const ids = new Set([...drafted, ...heads.sameKey(execution)]);
    const actions = [...ids].flatMap((id) => drafts.get(id)?.state ?? heads.read(id)?.state ?? []);
    return firstAsked(actions, inputId, now);
  };

  /** Who comes again under the same Idempotency-Key must ask for the same; the others only share a dedup key. */
  const repeat = (first: ExecutionState, command: StartCommand): Result<Taken> =>
    repeatOf(first, command) === null
      ? accept({ state: first, moves: [], repeated: true })
      : apply(first.id, command, true);

  /** Direct flights this object does not know of went down with an earlier life of it. */
  const recover = (execution: string): void => {
    const state = drafts.has(execution) ? null : (heads.read(execution)?.state ?? null);
    if (!state) return;
    const isOver = isFinalStatus(state.status);
    const lost = state.runs
      .filter((run) => isInFlight(run) && !(isOver && !run.redriven))
      .filter((run) => !flights.has(flightOf(execution, run.id, run.attempt)));
    if (lost.length > 0) apply(execution, { kind: "orphaned", runs: lost.map(({ id }) => id) }, false);
  };

  return {
    take: ({ execution, command, definition, direct, takesNext }) => {
      // A settlement from a flight of an earlier life is still welcome: it must not be taken for lost first.
      if (command.kind !== "settle") recover(execution);
      if (command.kind === "start" && command.standalone?.dedup) {
        const first = firstOf(execution, command.inputId);
        if (first) return repeat(first, command);
      }
      const taken = apply(execution, command, direct, definition);
      const next = taken.ok && takesNext ? handOver(execution) : null;
      return taken.ok && next ? accept({ ...taken.value, next }) : taken;
    },
    all: () => [...drafts.values()],
  };
}

/** One attempt's flight: a late answer to an earlier one must not be taken for it. */
export function flightOf(execution: string, run: string, attempt: number): string {
  return `${execution}/${run}#${attempt}`;
}

function isInFlight(run: Run): boolean {
  return run.status === "running" && run.lane === "direct";
}

/** What a claimed run needs to be carried out; null if the claim came to nothing. */
export function ticketOf(state: ExecutionState, id: string, attempt: number): Ticket | null {
  const run = state.runs.find((each) => each.id === id);
  if (!run || run.status !== "running" || run.attempt !== attempt || run.config === null) return null;
  return {
    tenant: state.tenant,
    execution: state.id,
    run: id,
    attempt,
    action: run.action,
    type: run.type,
    config: run.config,
    idempotencyKey: `${state.id}/${id}`,
    timeoutMs: (run.deadlineAt ?? 0) - (run.claimedAt ?? 0),
    deadlineAt: run.deadlineAt ?? 0,
    held: run.held ?? null,
    ...(run.attempts.at(-1)?.possiblyRepeated ? { possiblyRepeated: true } : {}),
  };
}
