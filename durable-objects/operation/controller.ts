// Controller of one operation: stores how far it is, and asks the Worker, one slice at a time, to find items and act on them.
import { ENROLMENT_SLICE_BYTES_MAX } from "#schema/limits/subjects/enrolment-lists.ts";
import {
  HEALTH_SAMPLE_MAX,
  OPERATION_GUARD_MS,
  OPERATION_PAGE_ROWS,
  OPERATION_STEPS_PER_ALARM_MAX,
} from "#schema/limits/upkeep/bulk-operations.ts";
import {
  abortOperation,
  recordOutcomes,
  beginSlice,
  closeOperation,
  openOperation,
  planOperation,
  addPage,
  recordTrouble,
  viewOperation,
  type OperationState,
  type OperationPlan,
} from "#policy/operations/pace.ts";
import { abandonList, appendPart, openList, startList, lineTroubleOf } from "#policy/operations/enrolling.ts";
import { openControlOperation, addFound } from "#policy/operations/collecting.ts";
import { applyHealth } from "#policy/operations/stopping.ts";
import type { MatchedExecution, MatchedPage } from "#schema/engine/execution-command.ts";
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
import { Host, type HostPlatform, type HostSettings } from "#objects/host/host.ts";
import type { OperationStorage } from "./storage.ts";

export type OperationPorts = {
  readonly platform: HostPlatform;
  readonly storage: OperationStorage;
  readonly work: () => OperationWorkPort;
};

const settings: HostSettings = {
  guardMs: OPERATION_GUARD_MS,
  stepsMax: OPERATION_STEPS_PER_ALARM_MAX,
  startedBy: "alarm",
};

export class OperationController implements Operation {
  readonly #ports: OperationPorts;
  readonly #host: Host<OperationPlan>;
  #state: OperationState | null = null;

  constructor(ports: OperationPorts) {
    this.#ports = ports;
    this.#host = new Host<OperationPlan>(ports.platform, ports.storage, settings, {
      load: () => void (this.#state = ports.storage.read()),
      plan: (now) =>
        this.#state === null ? { kind: "rest", at: null } : planOperation(abandonList(this.#state, now), now),
      carryOut: (plan) => this.#carryOut(plan),
      fail: (_plan, message) => this.#change((state) => recordTrouble(state, message, this.#now())),
    });
  }

  async open(terms: OperationTerms): Promise<Result<OpenedOperation>> {
    const known = this.#state;
    if (known !== null && known.terms.fingerprint !== terms.fingerprint) return refuse(conflict);
    const state = known ?? openerOf(terms)(terms);
    if (known === null) this.#store(state);
    return accept({ operation: viewOperation(state, this.#now()), repeated: known !== null });
  }

  async read(): Promise<OperationView | null> {
    return this.#state && viewOperation(this.#state, this.#now());
  }

  async abort({ dryRun, ...by }: AbortAsk): Promise<Result<OpenedOperation>> {
    const known = this.#state;
    if (known === null) return refuse(none);
    if (known.status === "done" || known.status === "stopped")
      return refuse({ code: "operation_final", message: "the operation is done" });
    const now = this.#now();
    const isRepeated = known.status === "aborted";
    const state = isRepeated ? known : abortOperation(known, by, now);
    if (!isRepeated && !dryRun) this.#store(state);
    return accept({ operation: viewOperation(state, now), repeated: isRepeated });
  }

  async append(part: Part): Promise<Result<Appended>> {
    const known = this.#state;
    if (known === null) return refuse(none);
    const { lists } = this.#ports.storage;
    const body = JSON.stringify(part.lines);
    const bytes = new TextEncoder().encode(body).byteLength;
    const taken = appendPart(known, part, lists.part(part.part), bytes);
    if (!taken.ok) return taken;
    const { state, answer } = taken.value;
    if (!answer.repeated) this.#store(state, () => lists.putPart(part, body));
    return accept(answer);
  }

  async start(): Promise<Result<OpenedOperation>> {
    const known = this.#state;
    if (known === null) return refuse(none);
    const now = this.#now();
    const started = startList(known, now);
    if (!started.ok) return started;
    const { state, repeated } = started.value;
    if (!repeated) this.#store(state);
    return accept({ operation: viewOperation(state, now), repeated });
  }

  async sample(count: number): Promise<readonly NumberedLine[]> {
    return this.#ports.storage.lists.sample(count);
  }

  async troubles(after: string | null, limit: number): Promise<TroublePage> {
    const page = this.#ports.storage.lists.troubles(after, limit);
    return this.#state?.terms.verb === "steer" ? { ...page, data: page.data.map((each) => this.#named(each)) } : page;
  }

  wake(): Promise<void> {
    return this.#host.wake();
  }

  async #carryOut(plan: OperationPlan): Promise<void> {
    // Stored before the call, so that the next slice keeps its distance even if the answer is lost.
    this.#change((state) => beginSlice(abandonList(state, this.#now()), plan, this.#now()));
    const { lists } = this.#ports.storage;
    const { within } = this.#ports.platform;
    const work = this.#ports.work();
    const state = this.#state;
    if (state === null) return;
    const { terms } = state;
    switch (plan.kind) {
      case "find":
        return this.#keepFound(await within(work.find(terms, plan.cursor)));
      case "look": {
        const health = await within(work.look(terms, lists.sampleDone(HEALTH_SAMPLE_MAX, plan.of)));
        return this.#change((latest) => applyHealth(latest, health, this.#now()));
      }
      case "list": {
        const page = hasLines(terms)
          ? lists.ids(plan.cursor, OPERATION_PAGE_ROWS)
          : await within(work.list(terms, plan.cursor));
        return this.#change((latest) => addPage(latest, page, this.#now()));
      }
      case "act": {
        const lines = hasLines(terms) ? lists.lines(plan.ids, ENROLMENT_SLICE_BYTES_MAX) : [];
        return this.#advance(await within(act(work, terms, plan.ids, lines)));
      }
      case "close":
        await within(work.close(viewOperation(state, this.#now())));
        return this.#change(closeOperation);
      case "rest":
      case "forget":
        return;
    }
  }

  #change(to: (state: OperationState) => OperationState): void {
    if (this.#state === null) return;
    const state = to(this.#state);
    if (state !== this.#state) this.#store(state);
  }

  /** The row of found executions and the cursor of the next page are one commit. */
  #keepFound(page: MatchedPage): void {
    if (this.#state === null) return;
    const state = addFound(this.#state, page);
    const { found: lines } = page;
    const part = state.finding?.rows ?? 0;
    this.#store(state, () => {
      if (lines.length > 0) this.#ports.storage.lists.putPart({ part, lines, fingerprint: "" }, JSON.stringify(lines));
    });
  }

  #named(trouble: LineTrouble): LineTrouble {
    const [found] = this.#ports.storage.lists.lines([`${trouble.part}.${trouble.line}`], Infinity);
    const [execution] = (found?.line ?? [""]) as unknown as MatchedExecution; // as it was found
    return { ...trouble, execution };
  }

  #advance(outcomes: readonly ItemOutcome[]): void {
    if (this.#state === null) return;
    const { state, settled } = recordOutcomes(this.#state, outcomes, this.#now());
    const troubles = hasLines(state.terms) ? settled.map(lineTroubleOf).filter((each) => each !== null) : [];
    this.#store(state, () => this.#ports.storage.lists.putTroubles(troubles));
  }

  #store(state: OperationState, writeMore: () => void = () => {}): void {
    this.#host.commit(() => {
      writeMore();
      this.#ports.storage.write(state);
      this.#state = state;
    });
  }

  #now(): number {
    return this.#ports.platform.now();
  }
}

function act(
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

function openerOf({ verb }: OperationTerms): (terms: OperationTerms) => OperationState {
  switch (verb) {
    case "enroll":
      return openList;
    case "steer":
      return openControlOperation;
    case "retry":
    case "archive":
      return openOperation;
  }
}

/** Its items are rows of the operation's own object. */
function hasLines({ verb }: OperationTerms): boolean {
  return verb === "enroll" || verb === "steer";
}

const conflict = {
  code: "idempotency_conflict",
  message: "This Idempotency-Key began another operation.",
  hint: "Use a new key for a new operation; repeat a request with exactly the body it had.",
  errors: [{ pointer: "Idempotency-Key", code: "conflict", message: "was used for another operation" }],
} as const;

const none = { code: "not_found", message: "there is no such operation" } as const;
