// Durable Object of one subject, or of a share of a limit's keys: binds its controllers to the platform. It sets no
// alarm: later calls delete expired rows.
import { DurableObject } from "cloudflare:workers";
import type { Env } from "#env";
import type { Subject, SubjectJourney, SubjectView } from "#schema/subject/calls.ts";
import type { Slot, SlotRequest } from "#schema/subject/cap.ts";
import type { ExecutionEndReport, EnrollAnswer, EnrollRequest, EnrolmentFinding } from "#schema/subject/enrolment.ts";
import type {
  KeyLimitAnswer,
  KeyLimitPassOn,
  KeyLimitRelease,
  KeyLimitRequest,
  KeyLimitsPort,
  KeyLimitTerms,
  KeyUse,
  LimitWakeUp,
} from "#schema/key-limits/calls.ts";
import { SubjectController } from "./controller.ts";
import { KeyLimits } from "./key-limits.ts";
import { keyRows } from "./key-rows.ts";
import { subjectStorage } from "./storage.ts";

export class SubjectObject extends DurableObject<Env> implements Subject, KeyLimitsPort {
  readonly #controller: SubjectController;
  readonly #limits: KeyLimits;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#controller = new SubjectController({ storage: subjectStorage(ctx.storage), now: () => Date.now() });
    this.#limits = new KeyLimits({ rows: keyRows(ctx.storage), now: () => Date.now() });
  }

  enroll(ask: EnrollRequest): Promise<EnrollAnswer> {
    return this.#controller.enroll(ask);
  }

  withdraw(journey: string, execution: string, turn: number): Promise<void> {
    return this.#controller.withdraw(journey, execution, turn);
  }

  recordFindings(journey: string, found: readonly EnrolmentFinding[]): Promise<void> {
    return this.#controller.recordFindings(journey, found);
  }

  endEnrolment(ask: ExecutionEndReport): Promise<void> {
    return this.#controller.endEnrolment(ask);
  }

  takeSlot(ask: SlotRequest): Promise<Slot> {
    return this.#controller.takeSlot(ask);
  }

  releaseSlot(cap: string, key: string): Promise<void> {
    return this.#controller.releaseSlot(cap, key);
  }

  read(): Promise<SubjectView> {
    return this.#controller.read();
  }

  erase(dryRun: boolean): Promise<readonly SubjectJourney[]> {
    return this.#controller.erase(dryRun);
  }

  acquireLimit(terms: KeyLimitTerms, ask: KeyLimitRequest): Promise<KeyLimitAnswer> {
    return this.#limits.acquireLimit(terms, ask);
  }

  releaseLimit(ask: KeyLimitRelease): Promise<readonly LimitWakeUp[]> {
    return this.#limits.releaseLimit(ask);
  }

  passOnLimit(ask: KeyLimitPassOn): Promise<readonly LimitWakeUp[]> {
    return this.#limits.passOnLimit(ask);
  }

  readLimit(key: string): Promise<KeyUse | null> {
    return this.#limits.readLimit(key);
  }

  freeLimit(key: string, dryRun: boolean): Promise<KeyUse | null> {
    return this.#limits.freeLimit(key, dryRun);
  }
}
