// The oracle of a world: reports violations after each commit, after each event, and at rest.
import { compile } from "#kernel/programs/compile.ts";
import { nextWake } from "#kernel/waiting/next-instants.ts";
import { brokenInvariants, type ObservedStep } from "#kernel/invariants/invariants.ts";
import { step } from "#kernel/execution/step.ts";
import { oneActionProgram } from "#kernel/programs/one-action.ts";
import { headOf } from "#objects/execution/heads/head-text.ts";
import { definitionKey } from "#objects/execution/programs.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { QuarantineEntry } from "#schema/engine/quarantine.ts";
import { DUE_IN_MEMORY_MS_MAX, FALLBACK_ALARM_LATER_MS_MAX } from "#schema/limits/alarms.ts";
import { QUARANTINE_CHECK_GAPS_MS } from "#schema/limits/executions.ts";
import { runsInProgress } from "#schema/engine/reconciling.ts";
import type { Run, Ticket } from "#schema/engine/run.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import { followSteps } from "./history.ts";
import type { Host } from "./host.ts";
import type { Scenario } from "./scenario.ts";
import type { Life } from "./kit/evictable.ts";

export type Seen = {
  state: ExecutionState;
  /** How many incarnations the id has had before. */
  readonly life: number;
  readonly entries: JournalEntry[];
  purged: boolean;
  /**
   * Attempts in flight when the execution was canceled; only these may still reach the provider. null: not canceled.
   */
  flying: ReadonlySet<string> | null;
};

export type Oracle = {
  /** Checks every accepted step against the kernel's invariants, and repeats it from its stored form. */
  readonly inspect: (judged: ObservedStep) => void;
  readonly committed: (host: Host, executions: readonly string[], removed: readonly string[], now: number) => void;
  /** Called just before the provider is called. */
  readonly asked: (ticket: Ticket) => void;
  /**
   * An object has received an outcome. No consumer may run that attempt again, unless the object was evicted before the
   * commit.
   */
  readonly answered: (ticket: Ticket, knownTo: Life) => void;
  /** Called between two events: checks that every idle cell has its alarm armed in time. */
  readonly atRest: (hosts: Iterable<Host>, now: number) => void;
  readonly seen: ReadonlyMap<string, Seen>;
  readonly broken: (what: string) => void;
  readonly findings: readonly string[];
};

/** The clocks of objects deviate by less. */
const SLACK_MS = 100;
/** The first findings are enough, because one fault causes more. */
const FINDINGS_KEPT = 10;

function written<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

export function openOracle(scenario: Scenario, note: (line: string) => void): Oracle {
  const program = scenario.standalone ? oneActionProgram(scenario.standalone) : compile(scenario.definition);
  const seen = new Map<string, Seen>();
  const keys = new Map<string, string>();
  const lives = new Map<string, number>();
  const went = new Set<string>();
  const answers = new Map<string, Life>();
  const findings: string[] = [];
  const broken = (what: string): void => {
    if (findings.length >= FINDINGS_KEPT) return;
    note(`✗ ${what}`);
    findings.push(what);
  };

  const inspect = (judged: ObservedStep): void => {
    const { program: own, before, input, state, effects, entries } = judged;
    for (const name of brokenInvariants(judged)) broken(`${state.id}: invariant broken: ${name}`);
    const again = step(state.standsIn ? own : program, written(before), written(input));
    const same =
      again.ok &&
      JSON.stringify([again.state, again.effects, again.entries]) === JSON.stringify([state, effects, entries]);
    if (!same) broken(`${state.id}: ${input.kind} at seq ${state.seq} comes out otherwise when it is stepped again`);
  };

  const look = (host: Host, execution: string): void => {
    const text = host.disk.storage.headBody(execution);
    const head = text === null ? null : headOf(text);
    if (!head) return broken(`${execution}: written and not there`);
    const { standalone, standsIn } = head.state;
    if (!standalone && !standsIn && host.disk.storage.readDefinition(definitionKey(head.state.definition)) === null) {
      broken(`${execution}: its definition is not kept beside it`);
    }
    const kept = [...pagesOf(host, execution, head.pages), ...head.tail];
    const before = lifeOf(execution, head.state);
    const known = before?.entries ?? [];
    // A placeholder has lost the journal entries that its unreadable row held.
    const journal = standsIn ? [...known, ...kept.filter(({ seq }) => seq > (known.at(-1)?.seq ?? 0))] : kept;
    if (!continues(known, journal)) broken(`${execution}: the journal lost or changed what it held`);
    const fresh = journal.slice(known.length);
    for (const problem of followSteps(known, fresh, head.state.seq)) broken(`${execution}: ${problem}`);
    const canceledNow = fresh.some(({ kind }) => kind === "canceled");
    const flying = canceledNow
      ? new Set([...underWay(head.state), ...(before ? underWay(before.state) : [])])
      : (before?.flying ?? null);
    const life = before?.life ?? lives.get(execution) ?? 0;
    seen.set(execution, { state: head.state, life, entries: journal, purged: false, flying });
  };

  /** The observed data of this incarnation. An ended incarnation keeps its data under an earlier name. */
  const lifeOf = (execution: string, { createdAt }: ExecutionState): Seen | undefined => {
    const was = seen.get(execution);
    if (!was?.purged) return was;
    if (createdAt <= was.state.createdAt) broken(`${execution}: a new life began no later than the one before`);
    seen.set(`${execution}#${was.life}`, was);
    lives.set(execution, was.life + 1);
    return undefined;
  };

  return {
    inspect,
    committed: (host, executions, removed) => {
      for (const execution of executions) look(host, execution);
      for (const execution of removed) {
        const was = seen.get(execution);
        if (!was || !isFinalStatus(was.state.status)) broken(`${execution}: purged before its end`);
        else was.purged = true;
      }
    },
    asked: (ticket) => {
      const { execution, run, attempt, idempotencyKey } = ticket;
      const id = `${execution}/${run}`;
      const key = keys.get(id) ?? idempotencyKey;
      if (key !== idempotencyKey) broken(`${id}: reached the provider under two keys, ${key} and ${idempotencyKey}`);
      keys.set(id, key);
      const flying = seen.get(execution)?.flying;
      if (flying && !flying.has(`${run}#${attempt}`))
        broken(`${id}: attempt ${attempt} went out after the execution was canceled`);
      if (went.has(attemptOf(ticket)) && !ticket.possiblyRepeated)
        broken(`${id}: attempt ${attempt} went out again and does not say so`);
      went.add(attemptOf(ticket));
      const knownTo = answers.get(attemptOf(ticket));
      if (knownTo?.alive || (knownTo && isSettled(seen.get(execution), run, attempt)))
        broken(`${id}: attempt ${attempt} went out again although it had been answered`);
    },
    answered: (ticket, knownTo) => void answers.set(attemptOf(ticket), knownTo),
    atRest: (hosts, now) => {
      for (const host of hosts) {
        for (const execution of host.unstored()) broken(`${execution}: not stored, for a row of another`);
        if (host.isFiring() || host.isBusy()) continue;
        const wake = earliestWake(host, seen, now);
        const alarm = host.disk.alarm();
        // Nearby work is processed from memory, so the alarm may be later by this much.
        const behindMs =
          wake !== null && wake <= now + DUE_IN_MEMORY_MS_MAX + SLACK_MS ? FALLBACK_ALARM_LATER_MS_MAX : 0;
        const by = Math.max(wake ?? 0, now, host.backoffUntil()) + behindMs + SLACK_MS;
        if (wake !== null && (alarm === null || alarm > by)) {
          broken(
            `${host.name}: must wake ${wake - now} ms from now, but its alarm is ${alarm === null ? "not armed" : `${alarm - now} ms away`}`,
          );
        }
      }
    },
    seen,
    broken,
    findings,
  };
}

/** The key of an attempt, with its incarnation, because a reused id counts from the beginning. */
function attemptOf({ execution, run, attempt, incarnation }: Ticket): string {
  return `${execution}@${incarnation}/${run}#${attempt}`;
}

function earliestWake(host: Host, seen: ReadonlyMap<string, Seen>, now: number): number | null {
  let earliest: number | null = null;
  for (const { execution, quarantined } of host.disk.storage.heads()) {
    const state = seen.get(execution)?.state;
    // By the object's own clock a run may be due already, and wait for a slot instead of the alarm.
    const due = state ? nextWake(state, now + SLACK_MS) : null;
    // A quarantined execution is checked when its gap is over, however due its work is.
    const wake = quarantined ? lookedAtBy(quarantined, now) : due;
    if (wake !== null && (earliest === null || wake < earliest)) earliest = wake;
  }
  return earliest;
}

/** The last gap goes on and on, and is not written down again. */
function lookedAtBy({ looks, lookAt }: QuarantineEntry, now: number): number {
  return looks < QUARANTINE_CHECK_GAPS_MS.length ? lookAt : now + Math.max(...QUARANTINE_CHECK_GAPS_MS);
}

function pagesOf(host: Host, execution: string, pages: number): JournalEntry[] {
  return Array.from({ length: pages }, (_, at) => host.disk.storage.readPage(execution, at + 1)).flat();
}

/**
 * Whether the journal continues the known entries. Sealing moves entries from the tail to a page; none may change or
 * disappear. The ends are compared, not all entries.
 */
function continues(known: readonly JournalEntry[], journal: readonly JournalEntry[]): boolean {
  const last = known.at(-1);
  const same = journal[known.length - 1];
  return (
    journal.length >= known.length &&
    (!last || (same?.seq === last.seq && same.n === last.n && same.kind === last.kind))
  );
}

/** Whether the attempt is settled. A hold does not settle it, because the same attempt follows. */
function isSettled(seen: Seen | undefined, run: string, attempt: number): boolean {
  return (
    seen?.entries.some((entry) => entry.kind === "run_settled" && entry.run === run && entry.attempt === attempt) ??
    false
  );
}

/** Attempts that may be in flight, including aborted ones. */
function underWay(state: ExecutionState): readonly string[] {
  const isUnderWay = ({ status, error }: Run): boolean => status === "running" || error?.code === "attempt_canceled";
  return runsInProgress(state)
    .filter(isUnderWay)
    .map(({ id, attempt }) => `${id}#${attempt}`);
}
