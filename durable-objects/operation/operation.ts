// The operation object: one for each retry-all and archive-all, and for each list of subjects to be enrolled. It owns how far the operation is and how fast it goes;
// finding dead letters and asking their executions is the Worker's work, which it calls one slice at a time.
import { ENROLMENT_SLICE_BYTES_MAX } from "#schema/limits/subjects.ts";
import { OPERATION_GUARD_MS, OPERATION_PAGE_ROWS, OPERATION_STEPS_PER_ALARM_MAX } from "#schema/limits/upkeep.ts";
import { DurableObject } from "cloudflare:workers";
import type { Env } from "#env";
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
} from "#policy/gates/pace.ts";
import { abandon, append, openList, startList, troubleOf } from "#policy/gates/enrolling.ts";
import type { Appended, NumberedLine, Part, TroublePage } from "#schema/subject/enrolling.ts";
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
import { listStorage } from "./lists.ts";
import { operationStorage } from "./storage.ts";

/** The Worker's own stateless entrypoint, as the object sees it. */
type Loopback = { readonly OperationWork: OperationWorkPort };

export class OperationObject extends DurableObject<Env> implements Operation {
  readonly #storage: ReturnType<typeof operationStorage>;
  readonly #lists: ReturnType<typeof listStorage>;
  #state: OperationState | null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#storage = operationStorage(ctx.storage);
    this.#lists = listStorage(ctx.storage);
    this.#state = this.#storage.read();
  }

  async open(terms: OperationTerms): Promise<Result<OpenedOperation>> {
    const known = this.#state;
    if (known !== null && known.terms.fingerprint !== terms.fingerprint) return refuse(conflict);
    const now = Date.now();
    const state = known ?? (terms.verb === "enroll" ? openList : openOperation)(terms);
    if (known === null) this.#become(state, now);
    return accept({ operation: viewOperation(state, now), repeated: known !== null });
  }

  async read(): Promise<OperationView | null> {
    return this.#state && viewOperation(this.#state, Date.now());
  }

  async abort({ dryRun, ...by }: AbortAsk): Promise<Result<OpenedOperation>> {
    const known = this.#state;
    if (known === null) return refuse({ code: "not_found", message: "there is no such operation" });
    if (known.status === "done") return refuse({ code: "operation_final", message: "the operation is done" });
    const now = Date.now();
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
    const taken = append(known, part, this.#lists.part(part.part), bytes);
    if (!taken.ok) return taken;
    const { state, answer } = taken.value;
    if (!answer.repeated) this.#become(state, state.nextAt, () => this.#lists.putPart(part, body));
    return accept(answer);
  }

  async start(): Promise<Result<OpenedOperation>> {
    const known = this.#state;
    if (known === null) return refuse(noList);
    const now = Date.now();
    const started = startList(known, now);
    if (!started.ok) return started;
    const { state, repeated } = started.value;
    if (!repeated) this.#become(state, now);
    return accept({ operation: viewOperation(state, now), repeated });
  }

  async sample(count: number): Promise<readonly NumberedLine[]> {
    return this.#lists.sample(count);
  }

  async troubles(after: string | null, limit: number): Promise<TroublePage> {
    return this.#lists.troubles(after, limit);
  }

  override async alarm(): Promise<void> {
    // Never throw out of here: after six retries the platform forgets the alarm.
    try {
      await this.#work();
    } catch (fault) {
      this.#log("operation_failed", fault);
      await this.ctx.storage.setAlarm(Date.now() + OPERATION_GUARD_MS);
    }
  }

  async #work(): Promise<void> {
    for (let steps = 0; steps < OPERATION_STEPS_PER_ALARM_MAX && this.#state !== null; steps++) {
      const now = Date.now();
      this.#state = abandon(this.#state, now);
      const plan = planOperation(this.#state, now);
      if (plan.kind === "forget") return this.#forget();
      if (plan.kind === "rest") return this.#arm(plan.at);
      // Armed before anything is done, in the same transaction as what is about to be done.
      this.#become(begin(this.#state, plan, now), now + OPERATION_GUARD_MS);
      await this.#carryOut(this.#state, plan);
    }
    if (this.#state !== null) this.#arm(Date.now());
  }

  /** Somebody may abort it meanwhile: what comes back is taken in by whatever it is by then. */
  async #carryOut({ terms }: OperationState, plan: Plan): Promise<void> {
    const { OperationWork } = this.ctx.exports as unknown as Loopback; // typed by the Worker's main module, which this room may not import
    try {
      switch (plan.kind) {
        case "list": {
          const page = this.#isList(terms)
            ? this.#lists.ids(plan.cursor, OPERATION_PAGE_ROWS)
            : await OperationWork.list(terms, plan.cursor);
          return this.#change((state) => takePage(state, page, Date.now()));
        }
        case "act": {
          const outcomes = this.#isList(terms)
            ? await OperationWork.enroll(terms, this.#lists.lines(plan.ids, ENROLMENT_SLICE_BYTES_MAX))
            : await OperationWork.act(terms, plan.ids);
          return this.#advance(outcomes);
        }
        case "close": {
          const told = this.#state;
          if (told !== null) await OperationWork.close(viewOperation(told, Date.now()));
          return this.#change(closed);
        }
        case "rest":
        case "forget":
          return;
      }
    } catch (fault) {
      this.#log("operation_held_up", fault);
      this.#change((state) => troubled(state, String(fault), Date.now()));
    }
  }

  #change(to: (state: OperationState) => OperationState): void {
    if (this.#state !== null) this.#become(to(this.#state), null);
  }

  #isList({ verb }: OperationState["terms"]): boolean {
    return verb === "enroll";
  }

  #advance(outcomes: readonly ItemOutcome[]): void {
    if (this.#state === null) return;
    const { state, settled } = advanced(this.#state, outcomes, Date.now());
    const troubles = this.#isList(state.terms) ? settled.map(troubleOf).filter((each) => each !== null) : [];
    this.#become(state, null, () => this.#lists.putTroubles(troubles));
  }

  /** `wakeAt` is null where an alarm is armed already that is early enough. */
  #become(state: OperationState, wakeAt: number | null, also: () => void = () => {}): void {
    this.#storage.atomically(() => {
      also();
      this.#storage.write(state);
      if (wakeAt !== null) this.#arm(wakeAt);
    });
    this.#state = state;
  }

  #arm(at: number): void {
    this.ctx.storage
      .setAlarm(Math.max(at, Date.now() + 1))
      .catch((fault: unknown) => this.#log("alarm_not_set", fault));
  }

  async #forget(): Promise<void> {
    this.#state = null;
    await this.#storage.reset();
  }

  #log(event: string, fault: unknown): void {
    const operation = this.ctx.id.name;
    console.error(JSON.stringify({ level: "error", event, operation, message: String(fault) }));
  }
}

const conflict = {
  code: "idempotency_conflict",
  message: "This Idempotency-Key began another operation.",
  hint: "Use a new key for a new operation; repeat a request with exactly the body it had.",
  errors: [{ pointer: "Idempotency-Key", code: "conflict", message: "was used for another operation" }],
} as const;

const noList = { code: "not_found", message: "there is no such operation" } as const;
