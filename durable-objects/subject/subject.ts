// Durable Object of one subject: binds its controller to the platform. It sets no alarm: the next call deletes expired
// rows.
import { DurableObject } from "cloudflare:workers";
import type { Env } from "#env";
import type { Subject, SubjectJourney, SubjectView } from "#schema/subject/calls.ts";
import type { Slot, SlotRequest } from "#schema/subject/cap.ts";
import type { ExecutionEndReport, EnrollAnswer, EnrollRequest, EnrolmentFinding } from "#schema/subject/enrolment.ts";
import { SubjectController } from "./controller.ts";
import { subjectStorage } from "./storage.ts";

export class SubjectObject extends DurableObject<Env> implements Subject {
  readonly #controller: SubjectController;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#controller = new SubjectController({ storage: subjectStorage(ctx.storage), now: () => Date.now() });
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
}
