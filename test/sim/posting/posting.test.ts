// Seeded worlds of executions whose keys change, directories that receive the change late, twice, out of order or at
// first not at all, and published events. At rest directories equal executions, and each event was accepted once by its
// matches and by no other execution.
import { expect, test } from "vitest";
import { DirectoryController } from "#objects/directory/controller.ts";
import { compile } from "#kernel/programs/compile.ts";
import { nextWake } from "#kernel/waiting/next-instants.ts";
import { step } from "#kernel/execution/step.ts";
import type { EventReport, RecipientOutcome, PublishedEvent, Recipient } from "#schema/directory/calls.ts";
import type { Command } from "#schema/engine/input.ts";
import { mayPass } from "#schema/refusal.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import { openTurnQueue } from "#kernel/virtual/turn-queue.ts";
import { chanceOf, type Chance } from "../kit/chance.ts";
import { openRough } from "../kit/faulty-network.ts";
import { directoryDisk, directoryRows, type DirectoryDisk } from "#test/support/memory/directories.ts";
import { ask, machine, minute, T0 } from "#test/support/drive.ts";

const SEEDS = 60;
const KEYS = ["a", "b", "c", "d"] as const;
const EXECUTIONS = ["exe_1", "exe_2", "exe_3"] as const;
const definition = machine({
  correlation: { key: { var: "execution.variables.order" } },
  states: { open: { on: { ping: {}, end: "done" } }, done: { type: "final" } },
});

type Part = { readonly disk: DirectoryDisk; controller: DirectoryController };
type Job = { readonly at: number; readonly work: () => void | Promise<void> };

class Sim {
  now = T0;
  isCalm = false;
  readonly #chance: Chance;
  readonly #rough;
  readonly #program = compile(definition);
  readonly states = new Map<string, ExecutionState>();
  /** Events that each execution has accepted, with repeats. */
  readonly taken: string[] = [];
  /** The last result that a trigger received, by event. */
  readonly reported = new Map<string, EventReport["result"]>();
  readonly parts: readonly Part[];
  readonly #jobs = openTurnQueue<Job>();

  constructor(seed: number) {
    this.#chance = chanceOf(`directory/${seed}`);
    this.#rough = openRough(this.#chance, () => this.isCalm);
    this.parts = [0, 1].map(() => {
      const disk = directoryDisk();
      return { disk, controller: this.#controller(disk) };
    });
  }

  #controller(disk: DirectoryDisk): DirectoryController {
    const work = {
      deliver: (_tenant: string, event: PublishedEvent, recipients: readonly Recipient[]) =>
        Promise.all(recipients.map((recipient) => this.#deliver(event, recipient))),
      report: async (_tenant: string, { event, result }: EventReport) => {
        if (this.#rough.strikes(0.2)) throw new Error("the request was lost");
        this.reported.set(event, result);
        if (this.#rough.strikes(0.2)) throw new Error("the answer was lost");
      },
    };
    return new DirectoryController({
      tenant: "t",
      platform: {
        now: () => this.now,
        setAlarm: (at) => void (disk.alarm = at),
        log: () => {},
        within: (call) => call,
      },
      storage: directoryRows(disk),
      work: () => work,
    });
  }

  partOf(key: string): Part {
    return this.parts[KEYS.indexOf(key as "a") % 2] as Part; // there are two parts
  }

  take(execution: string, command: Command): RecipientOutcome | null {
    const before = this.states.get(execution);
    const stepped = step(this.#program, before ?? null, { ...command, now: this.now, room: 0 });
    if (!stepped.ok) return mayPass(stepped.refusal) ? "again" : { code: stepped.refusal.code, message: "" };
    this.states.set(execution, stepped.state);
    for (const { kind } of stepped.effects) if (kind === "send") this.#send(execution);
    for (const entry of stepped.entries)
      if (entry.kind === "event_received") this.taken.push(`${entry.event.id} ${execution}`);
    return "taken";
  }

  async #deliver(event: PublishedEvent, { execution, incarnation }: Recipient): Promise<RecipientOutcome> {
    if (this.#rough.strikes(0.2)) return "again";
    if (this.states.get(execution)?.createdAt !== incarnation) return { code: "not_found", message: "" };
    const { id, type, payload, source, correlationId, actor } = event;
    const message = { id, type, payload, source, correlationId };
    const answer = this.take(execution, { kind: "event", event: message, inputId: id, fingerprint: "f", actor });
    return this.#rough.strikes(0.2) ? "again" : (answer ?? "again");
  }

  /** Sends a message that may be lost, doubled and late. */
  #send(execution: string): void {
    for (let copies = this.#rough.copies({ lost: 0.3, doubled: 0.3 }); copies > 0; copies--)
      this.#later(() => this.#carry(execution));
  }

  /** The steps of src/services/events/register-correlation-key.ts, with other events between its calls. */
  #carry(execution: string): void {
    const state = this.states.get(execution);
    const message = state?.outbox?.find(({ kind }) => kind === "correlation_key");
    if (!state?.correlation || !message) return;
    const { key, since, registered } = state.correlation;
    const incarnation = state.createdAt;
    const home = key === null ? null : this.partOf(key);
    const others = new Set(registered.map((each) => this.partOf(each)).filter((part) => part !== home));
    const steps = [
      ...(home === null ? [] : [() => home.controller.registerKeys([{ execution, incarnation, key, since }])]),
      ...[...others].map((part) => () => part.controller.registerKeys([{ execution, incarnation, key: null, since }])),
      () =>
        void this.take(execution, {
          kind: "confirmed",
          incarnation,
          items: [{ kind: "correlation_key", key: message.key }],
        }),
    ];
    const next = (n: number): void => {
      const work = steps[n];
      if (work === undefined || this.#rough.strikes(0.1)) return;
      this.#later(async () => {
        await work();
        next(n + 1);
      });
    };
    next(0);
  }

  #later(work: Job["work"]): void {
    const at = this.now + (this.isCalm ? 1 : this.#chance.between(1, 10 * minute));
    this.#jobs.put(at, { at, work });
  }

  async act(): Promise<void> {
    const chance = this.#chance;
    const execution = chance.pick(EXECUTIONS);
    const state = this.states.get(execution);
    const dice = chance.draw();
    if (state === undefined || (isFinalStatus(state.status) && dice < 0.3)) this.#start(execution, state);
    else if (dice < 0.4) this.take(execution, ask.patch({ order: chance.pick([...KEYS, ""]) }));
    else if (dice < 0.45) this.take(execution, ask.event("end"));
    else if (dice < 0.8) await this.#post();
    else if (dice < 0.85) for (const part of this.parts) part.controller = this.#controller(part.disk); // evicts the directories, and opens them again
  }

  /** Starts an execution under an id whose history is deleted: another incarnation. */
  #start(execution: string, before: ExecutionState | undefined): void {
    if (before && (before.outbox?.length ?? 0) > 0) return;
    this.states.delete(execution);
    const command = ask.start({ order: this.#chance.pick(KEYS) });
    this.take(execution, { ...command, execution } as Command);
  }

  async #post(): Promise<void> {
    const key = this.#chance.pick(KEYS);
    const id = `evt_${this.#chance.between(1, 40)}_${key}`;
    const keepMs = this.#chance.yes(0.5) ? 30 * minute : 0;
    const event: PublishedEvent = {
      id,
      type: "ping",
      key,
      payload: 1,
      source: "api",
      correlationId: null,
      keepMs,
      publisher: { trigger: "trg_1", delivery: "trd_1" },
      actor: { kind: "key", id: "k" },
      fingerprint: `${keepMs}`,
    };
    await this.partOf(key).controller.post([event], false);
  }

  async pass(ms: number): Promise<void> {
    this.now += ms;
    for (let job = this.#jobs.takeFirst(); job !== null; job = this.#jobs.takeFirst()) {
      if (job.at > this.now) {
        this.#jobs.put(job.at, job);
        break;
      }
      await job.work();
    }
    for (const part of this.parts) {
      if (part.disk.alarm === null || part.disk.alarm > this.now) continue;
      part.disk.alarm = null;
      await part.controller.wake();
    }
    for (const [execution, state] of this.states) {
      const wake = nextWake(state, this.now);
      if (wake !== null && wake <= this.now) this.take(execution, ask.tick());
    }
  }
}

test.each(Array.from({ length: SEEDS }, (_, seed) => seed))(
  "directories and executions agree in the end (seed %i)",
  async (seed) => {
    const sim = new Sim(seed);
    for (let n = 0; n < 300; n++) {
      await sim.act();
      await sim.pass(minute / 2);
    }
    sim.isCalm = true;
    for (let n = 0; n < 400; n++) await sim.pass(15 * minute);

    for (const [execution, { correlation, outbox, createdAt }] of sim.states) {
      const found = sim.parts.flatMap(({ disk }) => {
        const member = disk.members.get(execution);
        return member?.key != null && member.incarnation === createdAt ? [member.key] : [];
      });
      expect(found, execution).toEqual(correlation?.key ? [correlation.key] : []);
      expect(outbox, `${execution} has an empty outbox`).toEqual([]);
    }
    const rows = sim.parts.flatMap(({ disk }) => [...disk.posted.values()]);
    expect(rows.filter(({ status }) => status === "going" || status === "kept")).toEqual([]);
    expect(new Set(sim.taken).size, "no event is taken twice").toBe(sim.taken.length);
    const said = rows.flatMap(({ event, recipients }) =>
      recipients.filter(({ outcome }) => outcome === "taken").map(({ execution }) => `${event.id} ${execution}`),
    );
    for (const each of said) expect(sim.taken).toContain(each);
    for (const { event, status, at } of rows) {
      const result = sim.reported.get(event.id);
      if (status === "delivered") expect(result, event.id).toBe("taken");
      // The response of the request that published the event has this result.
      else if (result === undefined) expect(event.keepMs, `${event.id} at ${at}`).toBe(0);
      else expect(result, event.id).toHaveProperty("code");
    }
    expect(said.length, "worlds in which something happens").toBeGreaterThan(0);
  },
);
