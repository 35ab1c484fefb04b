// What an operation's object does: it owns how far the operation is and how fast it goes. Finding what is meant and asking executions is the
// Worker's work, which it calls one slice at a time. It knows the platform as ports: the object and the simulator are both this.
import { ENROLMENT_SLICE_BYTES_MAX } from "#schema/limits/subjects.ts";
import {
  HEALTH_SAMPLE_MAX,
  OPERATION_GUARD_MS,
  OPERATION_PAGE_ROWS,
  OPERATION_STEPS_PER_ALARM_MAX,
} from "#schema/limits/upkeep.ts";
import {
  abort,
  advanced,
  begin,
  closed,
  openOperation,
  planOperation,
  takePage,
  troubled,
  viewOperation,
  type OperationState,
  type Plan,
} from "#policy/operations/pace.ts";
import { abandon, append, openList, startList, troubleOf } from "#policy/operations/enrolling.ts";
import { openSteering, takeFound } from "#policy/operations/finding.ts";
import { takeHealth } from "#policy/operations/stopping.ts";
import type { FoundExecution, FoundPage } from "#schema/engine/steering.ts";
import type { Appended, LineTrouble, NumberedLine, Part, TroublePage } from "#schema/subject/enrolling.ts";
import type {
  AbortAsk,
  ItemOutcome,
  OperationWorkPort,
  OpenedOperation,
  Operation,
  OperationTerms,
  OperationView,
} from "#schema/operation.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { ListStorage } from "./lists.ts";
import type { OperationStorage } from "./storage.ts";

export type KeeperPorts = {
  readonly storage: OperationStorage;
  readonly lists: ListStorage;
  readonly work: OperationWorkPort;
  readonly now: () => number;
  readonly setAlarm: (at: number) => Promise<void>;
  readonly log: (line: { readonly [key: string]: unknown }) => void;
};

export class OperationKeeper implements Operation {
  readonly #ports: KeeperPorts;
  #state: OperationState | null;

  constructor(ports: KeeperPorts) {
    this.#ports = ports;
    this.#state = ports.storage.read();
  }

  async open(terms: OperationTerms): Promise<Result<OpenedOperation>> {
    const known = this.#state;
    if (known !== null && known.terms.fingerprint !== terms.fingerprint) return refuse(conflict);
    const now = this.#ports.now();
    const state = known ?? openerOf(terms)(terms);
    if (known === null) this.#become(state, now);
    return accept({ operation: viewOperation(state, now), repeated: known !== null });
  }

  async read(): Promise<OperationView | null> {
    return this.#state && viewOperation(this.#state, this.#ports.now());
  }

  async abort({ dryRun, ...by }: AbortAsk): Promise<Result<OpenedOperation>> {
    const known = this.#state;
    if (known === null) return refuse({ code: "not_found", message: "there is no such operation" });
    if (known.status === "done" || known.status === "stopped")
      return refuse({ code: "operation_final", message: "the operation is done" });
    const now = this.#ports.now();
    const isRepeated = known.status === "aborted";
    const state = isRepeated ? known : abort(known, by, now);
    if (!isRepeated && !dryRun) this.#become(state, now);
    return accept({ operation: viewOperation(state, now), repeated: isRepeated });
  }

  async append(part: Part): Promise<Result<Appended>> {
    const known = this.#state;
    if (known === null) return refuse(noList);
    const body = JSON.stringify(part.lines);
    const bytes = new TextEncoder().encode(body).byteLength;
    const taken = append(known, part, this.#ports.lists.part(part.part), bytes);
    if (!taken.ok) return taken;
    const { state, answer } = taken.value;
    if (!answer.repeated) this.#become(state, state.nextAt, () => this.#ports.lists.putPart(part, body));
    return accept(answer);
  }

  async start(): Promise<Result<OpenedOperation>> {
    const known = this.#state;
    if (known === null) return refuse(noList);
    const now = this.#ports.now();
    const started = startList(known, now);
    if (!started.ok) return started;
    const { state, repeated } = started.value;
    if (!repeated) this.#become(state, now);
    return accept({ operation: viewOperation(state, now), repeated });
  }

  async sample(count: number): Promise<readonly NumberedLine[]> {
    return this.#ports.lists.sample(count);
  }

  async troubles(after: string | null, limit: number): Promise<TroublePage> {
    const page = this.#ports.lists.troubles(after, limit);
    return this.#state?.terms.verb === "steer" ? { ...page, data: page.data.map((each) => this.#named(each)) } : page;
  }

  async alarm(): Promise<void> {
    // Never throw out of here: after six retries the platform forgets the alarm.
    try {
      await this.#work();
    } catch (fault) {
      this.#log("operation_failed", fault);
      await this.#ports.setAlarm(this.#ports.now() + OPERATION_GUARD_MS);
    }
  }

  async #work(): Promise<void> {
    for (let steps = 0; steps < OPERATION_STEPS_PER_ALARM_MAX && this.#state !== null; steps++) {
      const now = this.#ports.now();
      this.#state = abandon(this.#state, now);
      const plan = planOperation(this.#state, now);
      if (plan.kind === "forget") return this.#forget();
      if (plan.kind === "rest") return this.#arm(plan.at);
      // Armed before anything is done, in the same transaction as what is about to be done.
      this.#become(begin(this.#state, plan, now), now + OPERATION_GUARD_MS);
      await this.#carryOut(this.#state, plan);
    }
    if (this.#state !== null) this.#arm(this.#ports.now());
  }

  /** Somebody may abort it meanwhile: what comes back is taken in by whatever it is by then. */
  async #carryOut({ terms }: OperationState, plan: Plan): Promise<void> {
    const { work } = this.#ports;
    try {
      switch (plan.kind) {
        case "find":
          return this.#keep(await work.find(terms, plan.cursor));
        case "look": {
          const health = await work.look(terms, this.#ports.lists.sampleDone(HEALTH_SAMPLE_MAX, plan.of));
          return this.#change((state) => takeHealth(state, health, this.#ports.now()));
        }
        case "list": {
          const page = hasLines(terms)
            ? this.#ports.lists.ids(plan.cursor, OPERATION_PAGE_ROWS)
            : await work.list(terms, plan.cursor);
          return this.#change((state) => takePage(state, page, this.#ports.now()));
        }
        case "act": {
          const lines = hasLines(terms) ? this.#ports.lists.lines(plan.ids, ENROLMENT_SLICE_BYTES_MAX) : [];
          return this.#advance(await this.#act(work, terms, plan.ids, lines));
        }
        case "close": {
          const told = this.#state;
          if (told !== null) await work.close(viewOperation(told, this.#ports.now()));
          return this.#change(closed);
        }
        case "rest":
        case "forget":
          return;
      }
    } catch (fault) {
      this.#log("operation_held_up", fault);
      this.#change((state) => troubled(state, String(fault), this.#ports.now()));
    }
  }

  #change(to: (state: OperationState) => OperationState): void {
    if (this.#state !== null) this.#become(to(this.#state), null);
  }

  #act(
    work: OperationWorkPort,
    terms: OperationTerms,
    ids: readonly string[],
    lines: readonly NumberedLine[],
  ): Promise<readonly ItemOutcome[]> {
    switch (terms.verb) {
      case "enroll":
        return work.enroll(terms, lines);
      case "steer":
        return work.steer(terms, lines);
      case "retry":
      case "archive":
        return work.act(terms, ids);
    }
  }

  /** A row of those that were found, in the same commit as where the next page begins. */
  #keep(page: FoundPage): void {
    if (this.#state === null) return;
    const state = takeFound(this.#state, page);
    const { found: lines } = page;
    const part = state.finding?.rows ?? 0;
    this.#become(state, null, () => {
      if (lines.length > 0) this.#ports.lists.putPart({ part, lines, fingerprint: "" }, JSON.stringify(lines));
    });
  }

  #named(trouble: LineTrouble): LineTrouble {
    const [found] = this.#ports.lists.lines([`${trouble.part}.${trouble.line}`], Infinity);
    const [execution] = (found?.line ?? [""]) as unknown as FoundExecution; // as it was found
    return { ...trouble, execution };
  }

  #advance(outcomes: readonly ItemOutcome[]): void {
    if (this.#state === null) return;
    const { state, settled } = advanced(this.#state, outcomes, this.#ports.now());
    const troubles = hasLines(state.terms) ? settled.map(troubleOf).filter((each) => each !== null) : [];
    this.#become(state, null, () => this.#ports.lists.putTroubles(troubles));
  }

  /** `wakeAt` is null where an alarm is armed already that is early enough. */
  #become(state: OperationState, wakeAt: number | null, also: () => void = () => {}): void {
    this.#ports.storage.atomically(() => {
      also();
      this.#ports.storage.write(state);
      if (wakeAt !== null) this.#arm(wakeAt);
    });
    this.#state = state;
  }

  #arm(at: number): void {
    this.#ports
      .setAlarm(Math.max(at, this.#ports.now() + 1))
      .catch((fault: unknown) => this.#log("alarm_not_set", fault));
  }

  async #forget(): Promise<void> {
    this.#state = null;
    await this.#ports.storage.reset();
  }

  #log(event: string, fault: unknown): void {
    this.#ports.log({ level: "error", event, message: String(fault) });
  }
}

function openerOf({ verb }: OperationTerms): (terms: OperationTerms) => OperationState {
  switch (verb) {
    case "enroll":
      return openList;
    case "steer":
      return openSteering;
    case "retry":
    case "archive":
      return openOperation;
  }
}

/** What it is about stands in rows of its own object. */
function hasLines({ verb }: OperationTerms): boolean {
  return verb === "enroll" || verb === "steer";
}

const conflict = {
  code: "idempotency_conflict",
  message: "This Idempotency-Key began another operation.",
  hint: "Use a new key for a new operation; repeat a request with exactly the body it had.",
  errors: [{ pointer: "Idempotency-Key", code: "conflict", message: "was used for another operation" }],
} as const;

const noList = { code: "not_found", message: "there is no such operation" } as const;
