// One recurring action in a world with faults: alarms late by seconds, hours or days, its object evicted between commit
// and dispatch, calls lost before or after their effect, inexact clocks, and clients that change, pause, skip and
// trigger it.
import { RecurringController } from "#objects/recurring/controller.ts";
import { planRecurring } from "#policy/calendar/plan.ts";
import type { RecurringRequest, RecurringVerb, RecurringWorkPort } from "#schema/recurring/calls.ts";
import { catchUps, overlaps, type RecurringRule, type RecurringSpec } from "#schema/recurring/spec.ts";
import { RECURRING_GUARD_MS } from "#schema/limits/recurring-actions.ts";
import { memoryStorage, recurringDisk, type RecurringDisk } from "#test/support/recurring.ts";
import { specOf } from "#test/support/recurring-trace.ts";
import { chanceOf, type Chance } from "../kit/chance.ts";
import { Evicted, never, openEvictable, type Life } from "../kit/evictable.ts";
import { openRough } from "../kit/faulty-network.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const ROUGH_MS = 3 * 24 * HOUR_MS;
const BEGUN = Date.UTC(2026, 2, 27, 8, 0, 30);
const CRONS = ["*/5 * * * *", "0 * * * *", "30 2,14 * * *", "*/20 8-18 * * MON-FRI", "15,45 * * * *"] as const;
const ZONES = ["UTC", "Europe/Zurich", "Australia/Lord_Howe"] as const;

/** `rule` applied from this instant on. */
export type Era = { readonly from: number; readonly rule: RecurringRule };
export type RecurringWorld = {
  readonly disk: RecurringDisk;
  readonly eras: readonly Era[];
  readonly endedAt: number;
  /** How often each occurrence was requested to start. */
  readonly started: ReadonlyMap<string, number>;
  readonly findings: readonly string[];
  readonly trace: readonly string[];
};

/** `tamper` corrupts the controller's stored data, which the oracle must detect. */
export async function liveThrough(
  seed: number,
  tamper: (disk: RecurringDisk) => void = () => {},
): Promise<RecurringWorld> {
  const world = new World(chanceOf(`recurring/${seed}`), tamper);
  await world.live();
  return world;
}

class World implements RecurringWorld {
  readonly disk = recurringDisk();
  readonly eras: Era[] = [];
  readonly started = new Map<string, number>();
  readonly findings: string[] = [];
  readonly trace: string[] = [];
  readonly #chance: Chance;
  readonly #tamper: (disk: RecurringDisk) => void;
  readonly #ends = new Map<string, number>();
  #now = BEGUN;
  #skew = 0;
  #isRough = true;
  #isOver = false;
  #rings: number | null = null;
  readonly #rough;
  readonly #object = openEvictable((life) => this.#wake(life));
  #asked = 0;

  constructor(chance: Chance, tamper: (disk: RecurringDisk) => void) {
    this.#chance = chance;
    this.#rough = openRough(chance, () => !this.#isRough);
    this.#tamper = tamper;
  }

  get endedAt(): number {
    return this.#now;
  }

  async live(): Promise<void> {
    const spec = this.#spec();
    await this.#object
      .awake()
      .open({ tenant: "acme", id: "rec_1", fingerprint: "f", spec, createdAt: this.#now, enabled: true });
    this.eras.push({ from: this.disk.state?.doneUntil ?? 0, rule: spec.rule });
    const calmAt = this.#now + ROUGH_MS;
    while (this.#now < calmAt) await this.#next(calmAt);
    this.#isRough = false;
    this.#skew = 0;
    const last = this.#now + 6 * HOUR_MS;
    while (this.#now < last) await this.#next(last);
    await this.#settle();
  }

  /** Processes the next alarm or client request, whichever is earlier. */
  async #next(until: number): Promise<void> {
    const alarm = this.disk.alarm;
    // The lateness of an alarm is drawn once per alarm.
    if (alarm !== null && this.#rings === null) this.#rings = Math.max(this.#now, alarm) + this.#lateness();
    const person = this.#isRough ? this.#now + this.#chance.between(MINUTE_MS, 9 * HOUR_MS) : Infinity;
    const at = Math.min(this.#rings ?? Infinity, person, until);
    this.#now = Math.max(this.#now, at);
    if (this.#rings !== null && at === this.#rings) await this.#ring();
    else if (at === person) await this.#meddle();
    if (this.#chance.yes(0.1)) this.#evict("idle");
    this.#tamper(this.disk);
    this.#inspect();
  }

  async #ring(): Promise<void> {
    this.#rings = null;
    this.disk.alarm = null;
    if (this.#isRough && this.#chance.yes(0.05)) this.#skew = this.#chance.between(-30, 30) * SECOND_MS;
    await this.#call("ring", (controller) => controller.wake());
  }

  /** Calls the controller; an object that is evicted meanwhile returns nothing. */
  async #call(what: string, work: (controller: RecurringController) => Promise<unknown>): Promise<void> {
    this.#note(what);
    try {
      await this.#object.call(work);
    } catch (fault) {
      if (what === "ring" && !(fault instanceof Evicted)) this.findings.push(`the alarm threw: ${String(fault)}`);
    }
  }

  #evict(why: string): void {
    this.#note(`evicted: ${why}`);
    this.#object.evict(why);
  }

  #wake(life: Life): RecurringController {
    const beforeCommit = () => {
      if (this.disk.state !== null && this.#rough.strikes(0.01)) throw new Error("the disk does not write");
    };
    const storage = memoryStorage(this.disk, beforeCommit);
    return new RecurringController({
      platform: {
        now: () => this.#now + this.#skew,
        setAlarm: (at) => {
          if (life.alive) [this.disk.alarm, this.#rings] = [at, null];
        },
        log: () => {},
        within: (call) => call,
      },
      storage: {
        ...storage,
        write: (state, rows) => {
          if (!life.alive) throw new Error("an object that is gone has committed");
          storage.write(state, rows);
        },
      },
      isOff: () => false,
      work: () => this.#work(life),
      notify: async () => {
        if (this.#rough.strikes(0.05)) throw new Error("the queue rejects the message");
      },
    });
  }

  #work(life: Life): RecurringWorkPort {
    const killed = (when: string): Promise<never> => {
      this.#evict(when);
      return never;
    };
    const lost = { lost: 0.15, answerLost: 0 };
    return {
      dispatch: async (_terms, items) => {
        if (this.#rough.strikes(0.06)) return killed("between commit and dispatch");
        const start = async (): Promise<void> => items.forEach(({ id }) => this.#start(id));
        const between = (): void | Promise<never> => {
          if (this.#rough.strikes(0.06)) return killed("before the answer");
        };
        await this.#rough.call(start, { lost: 0.06, answerLost: 0.06, between });
        const isRefused = this.#rough.strikes(0.03);
        return life.alive ? items.map(({ id }) => this.#outcome(id, isRefused)) : never;
      },
      checkRunning: (_tenant, executions) =>
        this.#rough.call(
          async () => executions.filter((execution) => (this.#ends.get(execution) ?? 0) > this.#now),
          lost,
        ),
      cancel: (_tenant, _id, executions) =>
        this.#rough.call(async () => {
          for (const execution of executions) this.#ends.set(execution, this.#now + 10 * SECOND_MS);
        }, lost),
    };
  }

  #start(id: string): void {
    this.started.set(id, (this.started.get(id) ?? 0) + 1);
    const lasts = this.#chance.pick([SECOND_MS, MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS]);
    if (!this.#isOver && !this.#ends.has(`exe_${id}`)) this.#ends.set(`exe_${id}`, this.#now + lasts);
  }

  #outcome(id: string, isRefused: boolean) {
    if (isRefused) return { id, kind: "refused", code: "quota_exceeded", message: "no" } as const;
    return { id, kind: "taken", execution: `exe_${id}` } as const;
  }

  async #meddle(): Promise<void> {
    const { state } = this.disk;
    if (state === null) return;
    const before = state.spec.rule;
    const verbs: [RecurringVerb, ...RecurringVerb[]] = [
      { verb: "pause" },
      { verb: "resume", catchUp: this.#chance.pick(["none", "last"]) },
      { verb: "resume", catchUp: "none" },
      { verb: "trigger" },
      { verb: "skip", nominal: null },
      { verb: "update", change: { rule: this.#rule() }, enabled: null, asOf: state.updatedAt },
      { verb: "update", change: { description: "the same" }, enabled: true, asOf: state.updatedAt },
      { verb: "update", change: { jitterMs: this.#jitterMs() }, enabled: null, asOf: state.updatedAt },
    ];
    const verb = this.#chance.pick(verbs);
    this.#asked += 1;
    const audit = { tenant: "acme", id: `aud_${this.#asked}`, at: this.#now, actor: "key:k", verb: verb.verb };
    const more = { target: "rec_1", reason: null, details: null };
    const asked = { inputId: `inp_${this.#asked}`, fingerprint: null, reason: null, dryRun: false };
    const ask = { ...verb, ...asked, audit: { ...audit, ...more } } as RecurringRequest; // one of its verbs
    await this.#call(verb.verb, (controller) => controller.control(ask));
    const { state: after } = this.disk;
    if (after !== null && JSON.stringify(after.spec.rule) !== JSON.stringify(before))
      this.eras.push({ from: after.doneUntil, rule: after.spec.rule });
  }

  /** Runs until no message is pending, so that every occurrence has its outcome. */
  async #settle(): Promise<void> {
    // All runs have ended, so nothing waits for their ends.
    this.#ends.clear();
    this.#isOver = true;
    for (let turns = 0; turns < 300; turns += 1) {
      const { state } = this.disk;
      if (state !== null && state.pending.length === 0 && state.waiting === null) return;
      if (this.disk.alarm === null) return void this.findings.push("something is on its way, and no alarm is armed");
      this.#now = Math.max(this.#now, this.disk.alarm);
      await this.#ring();
    }
    this.findings.push("it never rests");
  }

  /** Checks that an alarm is armed for the next occurrence, and not later than it. */
  #inspect(): void {
    const { state, alarm } = this.disk;
    if (state === null) return;
    const now = this.#now + this.#skew;
    const plan = planRecurring(state, now);
    const wakeAt = plan.kind === "rest" ? plan.at : now;
    if (wakeAt === null) return;
    const latest = Math.max(wakeAt, now) + 2 * RECURRING_GUARD_MS + MINUTE_MS;
    if (alarm === null) this.findings.push(`${text(this.#now)}: nothing is armed`);
    else if (alarm > latest) this.findings.push(`${text(this.#now)}: armed for ${text(alarm)}, wanted ${text(wakeAt)}`);
  }

  #lateness(): number {
    if (!this.#isRough) return 0;
    return this.#chance.pick([0, 0, 0, 0, 0, 0, 50, 4 * SECOND_MS, 2 * MINUTE_MS, 15 * MINUTE_MS, 5 * HOUR_MS]);
  }

  #spec(): RecurringSpec {
    return specOf({
      rule: this.#rule(),
      overlap: this.#chance.pick(overlaps),
      catchUp: this.#chance.pick(catchUps),
      jitterMs: this.#jitterMs(),
      catchUpWindowMs: this.#chance.pick([HOUR_MS, 24 * HOUR_MS]),
    });
  }

  #rule(): RecurringRule {
    return specOf({ rule: { cron: this.#chance.pick(CRONS), timezone: this.#chance.pick(ZONES) } }).rule;
  }

  #jitterMs(): number {
    return this.#chance.pick([0, 0, MINUTE_MS, 20 * MINUTE_MS]);
  }

  #note(what: string): void {
    this.trace.push(`${text(this.#now)} ${what}`);
  }
}

export function text(instant: number): string {
  return new Date(instant).toISOString().slice(0, 19);
}
