// A seeded world of journeys, machines and standalone actions about a few subjects, which share one cap and one window.
// Clients start them and lose responses, messages are processed once, twice or partly, Workers stop between any two
// calls, and end notices are late. Cells, subject objects and services are real; calls between them are dropped, doubled
// and reordered.
import { nextWake } from "#kernel/waiting/next-instants.ts";
import type { Cell, StartItem } from "#schema/engine/cell.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Standalone } from "#schema/definition/standalone.ts";
import type { Window } from "#schema/definition/window.ts";
import { accept, isUndecided, refuse } from "#schema/refusal.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import type { Subject } from "#schema/subject/calls.ts";
import type { Reentry } from "#schema/subject/enrolment.ts";
import type { PlannedStart } from "#services/executions/plan-start.ts";
import { startFollowingMoves } from "#services/executions/start-executions.ts";
import { withinCap } from "#services/subjects/within-cap.ts";
import { chanceOf, type Chance } from "../kit/chance.ts";
import { openRough } from "../kit/faulty-network.ts";
import { MemoryCells } from "#test/support/cells.ts";
import { ask, failure, hour, minute, second, success, T0 } from "#test/support/drive.ts";
import { MemorySubjects } from "#test/support/memory/subjects.ts";
import { isDelivered } from "#test/support/outbox/deliver.ts";
import { messageOf } from "#test/support/outbox/messages.ts";

export const CAP = { max: 2, windowMs: 10 * minute } as const;
export const JOURNEYS: readonly { readonly name: string; readonly reentry: Reentry }[] = [
  { name: "once", reentry: "once" },
  { name: "again", reentry: "after_finish" },
  { name: "often", reentry: "always" },
];
/** What clients start beside journeys. A machine and a standalone action have no subject, but their cap has one. */
export const OTHERS = [
  { name: "machine", reentry: null },
  { name: "standalone", reentry: null },
] as const;
const HOURS: readonly [Hours, ...(readonly Hours[])] = [
  { from: "00:00", to: "24:00" },
  { from: "09:10", to: "18:00" },
  { from: "21:30", to: "02:15" },
  { from: "09:00", to: "09:20" },
];
type Hours = { readonly from: string; readonly to: string };
type Started = { readonly name: string; readonly reentry: Reentry | null };
const STARTED: readonly [Started, ...(readonly Started[])] = [...OTHERS, ...JOURNEYS];
export const SUBJECTS = ["couple-1", "couple-2"] as const;

type Sent = { readonly subject: string; readonly key: string; readonly at: number };
export type Began = {
  readonly execution: string;
  readonly subject: string;
  readonly journey: string;
  readonly at: number;
};

const retryPolicy = { maxAttempts: 100, baseDelay: second, maxDelay: minute };
/** A slot counts from when it is granted, and its message is sent within this time. */
export const TIMEOUT_MS = 10 * second;
const call = { type: "webhook", retryPolicy, timeout: TIMEOUT_MS, config: { say: "hello" } };
const act = { ...call, cap: "gentle", window: "open" };
const gentle = { max: CAP.max, per: "PT10M", over: "wait" } as const;
const who = { var: "execution.variables.who" };

function journeyOf(name: string, open: Window) {
  const nodes = { first: { ...act, next: "second" }, second: act };
  return { kind: "journey", name, initial: "first", subject: who, caps: { gentle }, windows: { open }, nodes };
}

function machineOf(name: string, open: Window) {
  const states = {
    first: { entry: ["a"], on: { "action.a.ok": "second" } },
    second: { entry: ["b"], on: { "action.b.ok": "end" } },
    end: { type: "final" },
  };
  const actions = ["a", "b"].map((actionId) => ({ actionId, ...act }));
  const caps = { gentle: { ...gentle, subject: who } };
  return { kind: "machine", name, initial: "first", caps, windows: { open }, states, actions };
}

function standaloneOf(window: Window): Standalone {
  const cap = { name: "gentle", ...gentle, subject: "{{ execution.variables.who }}" };
  return { action: { actionId: "alone", ...call, cap, window }, dedup: null };
}

export class SubjectsWorld {
  now = T0;
  isCalm = false;
  readonly sent: Sent[] = [];
  readonly began: Began[] = [];
  /** When each execution was first found to have ended. */
  readonly ended = new Map<string, number>();
  /** Number of clients with a final response. */
  answered = 0;
  /** The opening hours of all actions. */
  readonly window: Window;
  readonly #chance: Chance;
  readonly #rough;
  readonly cells = new MemoryCells(() => this.now);
  readonly subjects = new MemorySubjects(() => this.now);
  #waiting: (() => void)[] = [];
  readonly #carried = new Map<string, number>();
  #names = 0;

  constructor(seed: number) {
    this.#chance = chanceOf(`subjects/${seed}`);
    this.window = { ...this.#chance.pick(HOURS), ...(this.#chance.yes(0.5) ? { spread: "PT5M" } : {}) };
    this.#rough = openRough(this.#chance, () => this.isCalm);
  }

  get isIdle(): boolean {
    return this.#waiting.length === 0;
  }

  /** One round: a client continues, a client arrives, and time passes. */
  async turn(): Promise<void> {
    const dice = this.#chance.draw();
    if (!this.isCalm && dice < 0.08) this.#agent(this.#client(this.#chance.pick(SUBJECTS)));
    this.#work();
    const isFast = this.isCalm ? this.isIdle : dice > 0.9;
    this.now += isFast ? this.#chance.between(second, 5 * minute) : this.#chance.between(0, second);
    const some = this.isCalm ? this.#waiting.length : 1 + Math.floor(this.#waiting.length / 2);
    for (let n = 0; n < some && this.#waiting.length > 0; n++) {
      const [resume] = this.#waiting.splice(this.#chance.between(0, this.#waiting.length - 1), 1);
      // The Worker is gone, with its unfinished work.
      if (this.#rough.strikes(0.06)) continue;
      resume?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  client(subject: string, name: string): Promise<string> {
    const known = [...JOURNEYS, ...OTHERS].find((each) => each.name === name);
    return this.#started(subject, known ?? { name, reentry: "always" });
  }

  #agent(work: Promise<unknown>): void {
    work.catch(() => {}); // the platform's error for a lost call
  }

  async #client(subject: string): Promise<void> {
    await this.#started(subject, this.#chance.pick(STARTED));
    this.answered += 1;
  }

  /** Repeats the start under the same id until it gets a final response. */
  async #started(subject: string, { name, reentry }: Started): Promise<string> {
    const execution = `exe_${++this.#names}`;
    const command = {
      ...ask.start({ who: subject }),
      execution,
      inputId: execution,
      // The worlds of a file share the cache of compiled definitions, which is keyed by id.
      definition: { id: `def_${name}_${JSON.stringify(this.window)}`, name, version: 1 },
    } as StartItem["command"]; // `ask.start` makes a start command
    const plan = this.#planOf(subject, { name, reentry }, command);
    for (;;) {
      const [reply] = await startFollowingMoves(this.#deps, "acme", [accept(plan)], false).catch(() => [
        refuse({ code: "unavailable", message: "no answer" }),
      ]);
      if (reply?.ok) return "started";
      if (reply && !isUndecided(reply.refusal)) return reply.refusal.code;
      await this.#pause();
    }
  }

  #planOf(subject: string, { name, reentry }: Started, command: StartItem["command"]): PlannedStart {
    const { window } = this;
    if (name === "standalone") return { command: { ...command, standalone: standaloneOf(window) }, definition: null };
    if (reentry === null) return { command, definition: JSON.stringify(machineOf(name, window)) };
    return { command, definition: JSON.stringify(journeyOf(name, window)), subject: { key: subject, reentry } };
  }

  /** The work of queues, clocks and retention. */
  #work(): void {
    for (const state of this.cells.states()) {
      const { id } = state;
      this.#notice(state);
      const wake = nextWake(state, this.now);
      if (wake !== null && wake <= this.now) this.cells.take(`acme/${id}`, id, ask.tick());
      for (const { id: run, status, attempt } of state.runs) if (status === "queued") this.#dispatch(id, run, attempt);
      if (messageOf(state, "subject_ended") && this.#chance.yes(this.isCalm ? 0.5 : 0.05)) {
        this.#agent(isDelivered(this.#deps, "acme", id));
      }
      const isOver =
        state.finishedAt !== null && !messageOf(state, "subject_ended") && state.finishedAt + hour < this.now;
      if (isOver && isFinalStatus(state.status)) this.cells.remove(`acme/${id}`, id);
    }
  }

  #notice({ id, subject, variables, definition, createdAt, finishedAt }: ExecutionState): void {
    if (!this.began.some(({ execution }) => execution === id)) {
      const about = subject?.key ?? String(variables["who"]);
      this.began.push({ execution: id, subject: about, journey: definition.name, at: createdAt });
    }
    if (finishedAt !== null) this.ended.set(id, finishedAt);
  }

  /** Delivers a message, possibly twice and at the same time. */
  #dispatch(execution: string, run: string, attempt: number): void {
    const message = `${execution}/${run}#${attempt}`;
    const times = this.#carried.get(message) ?? 0;
    if ((times > 1 && !this.isCalm) || !this.#chance.yes(0.3)) return;
    this.#carried.set(message, times + 1);
    for (let copies = this.#rough.copies({ lost: 0, doubled: 0.2 }); copies > 0; copies--)
      this.#agent(this.#carry(execution, run, attempt, `${message}/${times}.${copies}`));
  }

  async #carry(execution: string, run: string, attempt: number, message: string): Promise<void> {
    const cell = this.#deps.cell(`acme/${execution}`);
    const [claimed] = await cell.claimMany([
      { execution, run, attempt, by: { message, delivery: 1, arrival: message } },
    ]);
    if (!claimed?.ok) return;
    const ticket = claimed.value;
    const outcome = await withinCap(this.#deps, ticket, async () => this.#send(ticket));
    await cell.settleMany([{ execution, run, attempt, outcome }]);
  }

  /** The provider's outcome: received, refused, or unknown. */
  #send({ cap, idempotencyKey: key, deadlineAt }: Ticket): Outcome {
    const subject = cap?.subject ?? "";
    // A runner sends nothing past its deadline.
    if (this.now > deadlineAt) return failure({ type: "timeout", effect: "none" });
    const dice = this.isCalm ? 1 : this.#chance.draw();
    if (dice < 0.3) return failure({ effect: "none" });
    this.sent.push({ subject, key, at: this.now });
    return dice < 0.7 ? failure({ effect: "unknown" }) : success();
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => void this.#waiting.push(resolve));
  }

  readonly #deps = {
    keyLimits: () => null as never, // no start has a limit
    now: () => this.now,
    log: () => {},
    subject: (name: string): Subject => this.#overNetwork(() => this.subjects.subject(name)),
    cell: (name: string): Cell => this.#overNetwork(() => this.cells.cell(name)),
  };

  /** Each call waits for its turn; it may be lost before or after its effect, or made twice. */
  #overNetwork<Port extends object>(port: () => Port): Port {
    return new Proxy({} as Port, {
      get: (_target, method) => {
        return async (...asked: unknown[]) => {
          await this.#pause();
          const call = () =>
            (Reflect.get(port(), method) as (...given: unknown[]) => Promise<unknown>).apply(port(), asked);
          const answer = await this.#rough.call(call, { lost: 0.06, doubled: 0.05, answerLost: 0.06 });
          await this.#pause();
          return answer;
        };
      },
    });
  }
}
