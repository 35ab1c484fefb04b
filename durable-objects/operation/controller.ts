// Controller of one operation: stores its progress. In slices, asks the Worker to find items and to act on them.
import { ENROLMENT_SLICE_BYTES_MAX } from "#schema/limits/subjects/enrolment-lists.ts";
import {
  HEALTH_SAMPLE_MAX,
  OPERATION_GUARD_MS,
  OPERATION_PAGE_ROWS,
  OPERATION_STEPS_PER_ALARM_MAX,
} from "#schema/limits/upkeep/bulk-operations.ts";
import {
  abortOperation,
  beginSlice,
  recordOutcomes,
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
import type { AppendAnswer, LineFailure, NumberedLine, Part, LineFailurePage } from "#schema/subject/enrolling.ts";
import type {
  AbortRequest,
  ItemOutcome,
  OperationWorkPort,
  OpenedOperation,
  Operation,
  OperationRequest,
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
      fail: (_plan, message) => this.#update((state) => recordTrouble(state, message, this.#now())),
    });
  }

  async open(terms: OperationRequest): Promise<Result<OpenedOperation>> {
    const existing = this.#state;
    if (existing !== null && existing.terms.fingerprint !== terms.fingerprint) return refuse(conflict);
    const state = existing ?? openState(terms);
    if (existing === null) this.#store(state);
    return accept({ operation: viewOperation(state, this.#now()), repeated: existing !== null });
  }

  async read(): Promise<OperationView | null> {
    return this.#state && viewOperation(this.#state, this.#now());
  }

  async abort({ dryRun, ...by }: AbortRequest): Promise<Result<OpenedOperation>> {
    const before = this.#state;
    if (before === null) return refuse(notFound);
    if (before.status === "done" || before.status === "stopped")
      return refuse({ code: "operation_final", message: "the operation has already ended" });
    const now = this.#now();
    const isRepeated = before.status === "aborted";
    const state = isRepeated ? before : abortOperation(before, by, now);
    if (!isRepeated && !dryRun) this.#store(state);
    return accept({ operation: viewOperation(state, now), repeated: isRepeated });
  }

  async append(part: Part): Promise<Result<AppendAnswer>> {
    const before = this.#state;
    if (before === null) return refuse(notFound);
    const { lists } = this.#ports.storage;
    const body = JSON.stringify(part.lines);
    const bytes = new TextEncoder().encode(body).byteLength;
    const appended = appendPart(before, part, lists.part(part.part), bytes);
    if (!appended.ok) return appended;
    const { state, answer } = appended.value;
    if (!answer.repeated) this.#store(state, () => lists.putPart(part, body));
    return accept(answer);
  }

  async start(): Promise<Result<OpenedOperation>> {
    const before = this.#state;
    if (before === null) return refuse(notFound);
    const now = this.#now();
    const started = startList(before, now);
    if (!started.ok) return started;
    const { state, repeated } = started.value;
    if (!repeated) this.#store(state);
    return accept({ operation: viewOperation(state, now), repeated });
  }

  async sample(count: number): Promise<readonly NumberedLine[]> {
    return this.#ports.storage.lists.sample(count);
  }

  async troubles(after: string | null, limit: number): Promise<LineFailurePage> {
    const page = this.#ports.storage.lists.troubles(after, limit);
    if (this.#state?.terms.verb !== "steer") return page;
    return { ...page, data: page.data.map((trouble) => this.#withExecution(trouble)) };
  }

  wake(): Promise<void> {
    return this.#host.wake();
  }

  async #carryOut(plan: OperationPlan): Promise<void> {
    // The slice is stored before the call, so that the next slice waits for its turn even if the answer to this call is
    // lost.
    this.#update((state) => beginSlice(abandonList(state, this.#now()), plan, this.#now()));
    const { lists } = this.#ports.storage;
    const { within } = this.#ports.platform;
    const work = this.#ports.work();
    const state = this.#state;
    if (state === null) return;
    const { terms } = state;
    switch (plan.kind) {
      case "find":
        return this.#storeFound(await within(work.find(terms, plan.cursor)));
      case "look": {
        const health = await within(work.checkHealth(terms, lists.sampleDone(HEALTH_SAMPLE_MAX, plan.of)));
        return this.#update((latest) => applyHealth(latest, health, this.#now()));
      }
      case "list": {
        const page = hasLines(terms)
          ? lists.ids(plan.cursor, OPERATION_PAGE_ROWS)
          : await within(work.list(terms, plan.cursor));
        return this.#update((latest) => addPage(latest, page, this.#now()));
      }
      case "act": {
        const lines = hasLines(terms) ? lists.lines(plan.ids, ENROLMENT_SLICE_BYTES_MAX) : [];
        return this.#recordOutcomes(await within(act(work, terms, plan.ids, lines)));
      }
      case "close":
        await within(work.close(viewOperation(state, this.#now())));
        return this.#update(closeOperation);
      case "rest":
      case "forget":
        return;
    }
  }

  #update(change: (state: OperationState) => OperationState): void {
    if (this.#state === null) return;
    const state = change(this.#state);
    if (state !== this.#state) this.#store(state);
  }

  /** Stores the found executions together with the cursor of the next page. */
  #storeFound(page: MatchedPage): void {
    if (this.#state === null) return;
    const state = addFound(this.#state, page);
    const { found: lines } = page;
    const part = state.finding?.rows ?? 0;
    this.#store(state, () => {
      if (lines.length > 0) this.#ports.storage.lists.putPart({ part, lines, fingerprint: "" }, JSON.stringify(lines));
    });
  }

  /** Adds to a failed line the execution that the line is about. */
  #withExecution(trouble: LineFailure): LineFailure {
    const [line] = this.#ports.storage.lists.lines([`${trouble.part}.${trouble.line}`], Infinity);
    const [execution] = (line?.line ?? [""]) as unknown as MatchedExecution; // `#storeFound` wrote this JSON
    return { ...trouble, execution };
  }

  #recordOutcomes(outcomes: readonly ItemOutcome[]): void {
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
  terms: OperationRequest,
  ids: readonly string[],
  lines: readonly NumberedLine[],
): Promise<readonly ItemOutcome[]> {
  switch (terms.verb) {
    case "enroll":
      return work.enroll(terms, lines);
    case "steer":
      return work.control(terms, lines);
    case "retry":
    case "archive":
      return work.act(terms, ids);
  }
}

function openState(terms: OperationRequest): OperationState {
  switch (terms.verb) {
    case "enroll":
      return openList(terms);
    case "steer":
      return openControlOperation(terms);
    case "retry":
    case "archive":
      return openOperation(terms);
  }
}

/** True if the operation's items are rows of its own object. False: the items are dead letters in the catalog. */
function hasLines({ verb }: OperationRequest): boolean {
  return verb === "enroll" || verb === "steer";
}

const conflict = {
  code: "idempotency_conflict",
  message: "This Idempotency-Key was already used for another operation.",
  hint: "Use a new key for a new operation. To repeat a request, send exactly the same body.",
  errors: [{ pointer: "Idempotency-Key", code: "conflict", message: "was already used for another operation" }],
} as const;

const notFound = { code: "not_found", message: "there is no such operation" } as const;
