// A seeded world of journeys about a few subjects. Clients start them and lose responses, messages are processed once,
// twice or partly, Workers stop between any two calls, and end notices are late. Cells, subject objects and services
// are real; calls between them are dropped, doubled and reordered.
import { nextWake } from "#kernel/waiting/next-instants.ts";
import type { Cell, StartItem } from "#schema/engine/cell.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
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
const act = { type: "webhook", cap: "gentle", retryPolicy, timeout: TIMEOUT_MS, config: { say: "hello" } };
const definitionOf = (name: string) =>
  JSON.stringify({
    kind: "journey",
    name,
    initial: "first",
    subject: { var: "execution.variables.who" },
    caps: { gentle: { max: CAP.max, per: "PT10M", over: "wait" } },
    nodes: { first: { ...act, next: "second" }, second: act },
  });

export class SubjectsWorld {
  now = T0;
  isCalm = false;
  readonly sent: Sent[] = [];
  readonly began: Began[] = [];
  /** When each execution was first found to have ended. */
  readonly ended = new Map<string, number>();
  /** Number of clients with a final response. */
  answered = 0;
  readonly #chance: Chance;
  readonly #rough;
  readonly cells = new MemoryCells(() => this.now);
  readonly subjects = new MemorySubjects(() => this.now);
  #waiting: (() => void)[] = [];
  readonly #carried = new Map<string, number>();
  #names = 0;

  constructor(seed: number) {
    this.#chance = chanceOf(`subjects/${seed}`);
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
    return this.#started(subject, JOURNEYS.find((journey) => journey.name === name) ?? { name, reentry: "always" });
  }

  #agent(work: Promise<unknown>): void {
    work.catch(() => {}); // the platform's error for a lost call
  }

  async #client(subject: string): Promise<void> {
    await this.#started(subject, this.#chance.pick(JOURNEYS as [(typeof JOURNEYS)[number]])); // the list has three
    this.answered += 1;
  }

  /** Repeats the start under the same id until it gets a final response. */
  async #started(subject: string, { name, reentry }: (typeof JOURNEYS)[number]): Promise<string> {
    const execution = `exe_${++this.#names}`;
    const command = {
      ...ask.start({ who: subject }),
      execution,
      inputId: execution,
      definition: { id: `def_${name}`, name, version: 1 },
    } as StartItem["command"]; // `ask.start` makes a start command
    const plan: PlannedStart = { command, definition: definitionOf(name), subject: { key: subject, reentry } };
    for (;;) {
      const [reply] = await startFollowingMoves(this.#deps, "acme", [accept(plan)], false).catch(() => [
        refuse({ code: "unavailable", message: "no answer" }),
      ]);
      if (reply?.ok) return "started";
      if (reply && !isUndecided(reply.refusal)) return reply.refusal.code;
      await this.#pause();
    }
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

  #notice({ id, subject, definition, createdAt, finishedAt }: ExecutionState): void {
    if (!this.began.some(({ execution }) => execution === id)) {
      this.began.push({ execution: id, subject: subject?.key ?? "", journey: definition.name, at: createdAt });
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
