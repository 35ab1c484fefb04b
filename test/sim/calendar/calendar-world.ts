// Executions of the wedding journey in real cells over the simulator's clock: which actions are sent, and when. No step
// takes longer than the preview assumes, so that both can be compared to the millisecond.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { unpackBody, type PackedBody } from "#objects/execution/stored/packing.ts";
import { compile } from "#kernel/programs/compile.ts";
import { assumedResultFor } from "#kernel/virtual/assumed-results.ts";
import { admitSubject } from "#kernel/virtual/subject.ts";
import { computeAtOnce } from "#kernel/computing/computation.ts";
import { runVirtually } from "#kernel/virtual/virtual-run.ts";
import type { ControlCommand } from "#schema/engine/cell.ts";
import { definition as definitionShape, type Definition } from "#schema/definition/definition.ts";
import type { StartCommand } from "#schema/engine/input.ts";
import type { ActionMessage } from "#schema/engine/message.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Run, Ticket } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { JsonObject } from "#schema/json.ts";
import type { Confirmation } from "#schema/engine/outbox.ts";
import type { Assumptions, AssumedInput } from "#schema/virtual/assumptions.ts";
import { chanceOf, type Chance } from "../kit/chance.ts";
import { openFaults } from "../faults.ts";
import { openHost, type Host } from "../host.ts";
import { openTimeline } from "../kit/timeline.ts";
import type { Life } from "../kit/evictable.ts";
import { HEADS_IN_MEMORY } from "#schema/limits/large-cells.ts";

const DAY = 24 * 60 * 60_000;
export const BEGIN = Date.UTC(2026, 1, 2, 8);
const HORIZON = BEGIN + 900 * DAY;

export type Couple = {
  readonly execution: string;
  readonly startAt: number;
  readonly variables: JsonObject;
  readonly given: readonly (AssumedInput & { readonly at: string })[];
  readonly assume: Assumptions;
};

/** When each action is first sent, and how the execution ends. */
export type Calendar = { readonly rows: readonly Row[]; readonly end: string };
export type Row = { readonly action: string; readonly at: number };

const text = readFileSync(join(import.meta.dirname, "../../../examples/wedding/journey.json"), "utf8");
export const wedding: Definition = definitionShape.parse(JSON.parse(text));

const ZONES = [
  ...(["Europe/Zurich", "America/New_York", "Asia/Tokyo", "Australia/Lord_Howe", "America/Lima"] as const),
  ...(["Africa/Cairo", "Pacific/Apia", "Asia/Kathmandu", "America/St_Johns", "not/a_zone"] as const),
];

export function coupleOf(seed: number): Couple {
  const chance = chanceOf(`couple ${seed}`);
  const startAt = BEGIN + chance.between(0, 300 * DAY);
  const date = () => new Date(startAt + chance.between(-20, 400) * DAY).toISOString().slice(0, 10);
  const zones = ZONES as unknown as [string, ...string[]]; // the list is not empty
  const variables = {
    coupleId: `c${seed}`,
    names: `Couple ${seed}`,
    email: `c${seed}@example.com`,
    phone: "+41791234567",
    timezone: chance.pick(zones),
    ...(chance.yes(0.85) ? { weddingDate: date() } : {}),
  };
  const at = () => new Date(startAt + chance.between(1, 420 * DAY)).toISOString();
  const given: (AssumedInput & { at: string })[] = [];
  if (chance.yes(0.6))
    given.push({ at: new Date(startAt + chance.between(1, 40 * DAY)).toISOString(), event: "contract.signed" });
  if (chance.yes(0.5)) given.push({ at: at(), event: "timeline.answered", payload: { full: chance.yes(0.5) } });
  // The wedding day is moved, removed, or moved again.
  for (let moves = chance.between(0, 3); moves > 0; moves -= 1) {
    given.push({ at: at(), patch: { weddingDate: chance.yes(0.2) ? null : date() } });
  }
  if (chance.yes(0.2)) {
    const paused = startAt + chance.between(1, 200 * DAY);
    given.push({ at: new Date(paused).toISOString(), pause: true });
    given.push({ at: new Date(paused + chance.between(1, 60 * DAY)).toISOString(), resume: true });
  }
  const sorted = given.toSorted((a, b) => a.at.localeCompare(b.at));
  return { execution: `exe_couple${seed}`, startAt, variables, given: sorted, assume: assumptionsOf(chance) };
}

function assumptionsOf(chance: Chance): Assumptions {
  const flaky = [{ error: { type: "service_unavailable" } }, {}];
  return {
    actions: {
      ...(chance.yes(0.4) ? { call: { end: { after: `P${chance.between(1, 20)}D` } } } : {}),
      ...(chance.yes(0.3) ? { timeline: flaky } : {}),
      ...(chance.yes(0.2) ? { nudge: { outcome: "failed" as const } } : {}),
      ...(chance.yes(0.2) ? { hold: { takes: "PT3S" } } : {}),
    },
  };
}

function startOf({ execution, variables }: Couple, name: string): StartCommand {
  return {
    kind: "start",
    inputId: "start",
    execution,
    tenant: "acme",
    namespace: "default",
    definition: { id: "def_calendar", name, version: 1 },
    placement: "own",
    variables,
    correlationId: null,
    fingerprint: "f",
    actor: { kind: "engine", id: "preview" },
  };
}

export function foretold(couple: Couple): Calendar {
  const { startAt, given, assume } = couple;
  const running = runVirtually({
    program: compile(wedding),
    start: startOf(couple, wedding.name),
    startAt,
    until: HORIZON,
    given,
    assume,
  });
  const run = computeAtOnce(running);
  if (!run.ok) throw new Error(run.refusal.message);
  const { actions, status, states, variables, cut } = run.value;
  if (cut !== null && cut !== "until") throw new Error(`cut: ${cut}`);
  const sent = actions.filter(({ attempts }) => attempts > 0);
  return calendarOf(
    sent.map(({ action, at }) => ({ action, at: Number(at) })),
    [status, states, variables],
  );
}

function calendarOf(rows: readonly Row[], end: unknown): Calendar {
  return { rows: rows.toSorted((a, b) => a.action.localeCompare(b.action) || a.at - b.at), end: JSON.stringify(end) };
}

/** The real calendar of one couple, in its own cell: the requests to its provider, and how the execution ends. */
export async function lived(couple: Couple): Promise<Calendar> {
  const timeline = openTimeline(couple.startAt, 50);
  const faults = openFaults(chanceOf("none"), timeline, false);
  const atOnce: Chance = { ...chanceOf("none"), between: (low) => Math.min(low, 0) };
  const outside: Life = { alive: true };
  const sent = new Map<string, Row>();
  const { execution } = couple;
  // The execution is deleted after its retention, so its last body is kept here.
  let last: PackedBody = "";
  const state = (): ExecutionState => (JSON.parse(unpackBody(last)) as { state: ExecutionState }).state; // as cells write it
  const provide = async (ticket: Ticket): Promise<Outcome> => {
    const { run: id, action, attempt, timeoutMs } = ticket;
    if (!sent.has(id)) sent.set(id, { action, at: timeline.now() });
    const asked = { run: { ...ticket, id } as unknown as Run, attempt, at: timeline.now(), timeoutMs };
    const { outcome, laterEvents: follows } = assumedResultFor(couple.assume, asked, {
      id: execution,
      correlationId: null,
    } as ExecutionState);
    for (const { at, event } of follows) {
      timeline.at(at, () => control({ kind: "event", event, inputId: event.id, ...by }));
    }
    if (outcome.endedAt > timeline.now()) await timeline.sleep(outcome.endedAt - timeline.now(), outside);
    return outcome;
  };
  const sendActions = (messages: readonly ActionMessage[]): void => {
    for (const { run, attempt } of messages) timeline.at(timeline.now(), () => void carryOut(run, attempt));
  };
  const carryOut = async (run: string, attempt: number): Promise<void> => {
    const item = { execution, run, attempt };
    const [ticket] = await host.call(outside, (calls) => calls.claimMany([item]));
    // A settlement may return the next run.
    for (let next = ticket?.ok ? ticket.value : null; next !== null;) {
      const done = { execution, run: next.run, attempt: next.attempt, outcome: await provide(next) };
      const [settled] = await host.call(outside, (calls) => calls.settleMany([done]));
      next = settled?.ok ? settled.value.next : null;
    }
  };
  const sendOutboxes = (): void => {
    timeline.at(timeline.now(), () => {
      const items = (state().outbox ?? []).flatMap(({ kind, key }): Confirmation[] => {
        if (kind === "subject_ended") return [{ kind, key }];
        return kind === "task_update" ? [{ kind, key, found: "open" }] : [];
      });
      const confirm = { execution, incarnation: couple.startAt, items };
      void host.call(outside, (calls) => calls.confirm([confirm]));
    });
  };
  const host: Host = openHost(`acme/${execution}`, {
    timeline,
    faults,
    chance: atOnce,
    sendActions,
    sendOutboxes,
    sendProjection: () => {},
    provide,
    committed: ({ disk }) => (last = disk.storage.headBody(execution) ?? last),
    headsInMemory: HEADS_IN_MEMORY,
    answered: () => {},
    inspect: () => {},
    tamper: (ports) => ports,
  });
  const by = { fingerprint: "", actor: { kind: "engine", id: "virtual" } } as const;
  const control = (command: ControlCommand): void =>
    void host.call(outside, (calls) => calls.control([{ execution, command, dryRun: false }]));
  const admitted = computeAtOnce(admitSubject(wedding, startOf(couple, wedding.name)));
  if (!admitted.ok) throw new Error(admitted.refusal.message);
  const start = { command: admitted.value, definition: JSON.stringify(wedding) };
  timeline.at(couple.startAt, () => void host.call(outside, (calls) => calls.start([start])));
  couple.given.forEach((given, n) => {
    timeline.at(Date.parse(given.at), () => control(commandOf(given, `given/${n}`)));
  });
  await timeline.run(HORIZON, () => {});
  const { status, position, variables } = state();
  return calendarOf([...sent.values()], [status, position.states, variables]);
}

function commandOf({ event, payload = null, patch, pause }: AssumedInput, inputId: string): ControlCommand {
  const by = { inputId, fingerprint: "", actor: { kind: "engine", id: "virtual" } } as const;
  if (event !== undefined) {
    return { kind: "event", event: { id: inputId, type: event, payload, source: "given", correlationId: null }, ...by };
  }
  if (patch !== undefined) return { kind: "patch", variables: patch, reason: null, ...by };
  return pause ? { kind: "pause", reason: null, ...by } : { kind: "resume", reason: null, ...by };
}
