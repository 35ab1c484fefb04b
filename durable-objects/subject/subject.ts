// Subject object: binds the controller to the platform, and decides nothing. It sets no alarm: expired rows are dropped
// on the next call.
import { DurableObject } from "cloudflare:workers";
import type { Env } from "#env";
import type { Subject, SubjectJourney, SubjectView } from "#schema/subject/calls.ts";
import type { Slot, SlotAsk } from "#schema/subject/cap.ts";
import type { EndedAsk, Enrolled, EnrollAsk, Found } from "#schema/subject/enrolment.ts";
import { Keeper } from "./keeper.ts";
import { subjectStorage } from "./storage.ts";

export class SubjectObject extends DurableObject<Env> implements Subject {
  readonly #keeper: Keeper;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#keeper = new Keeper({ storage: subjectStorage(ctx.storage), now: () => Date.now() });
  }

  enroll(ask: EnrollAsk): Promise<Enrolled> {
    return this.#keeper.enroll(ask);
  }

  withdraw(journey: string, execution: string, turn: number): Promise<void> {
    return this.#keeper.withdraw(journey, execution, turn);
  }

  note(journey: string, found: readonly Found[]): Promise<void> {
    return this.#keeper.note(journey, found);
  }

  ended(ask: EndedAsk): Promise<void> {
    return this.#keeper.ended(ask);
  }

  takeSlot(ask: SlotAsk): Promise<Slot> {
    return this.#keeper.takeSlot(ask);
  }

  giveBack(cap: string, key: string): Promise<void> {
    return this.#keeper.giveBack(cap, key);
  }

  read(): Promise<SubjectView> {
    return this.#keeper.read();
  }

  erase(dryRun: boolean): Promise<readonly SubjectJourney[]> {
    return this.#keeper.erase(dryRun);
  }
}
