// One recurring action in a rough world: alarms late by seconds, hours or days, its object killed between commit and
// dispatch, calls lost before or after their effect, clocks that waver, people who change, pause, skip and trigger.
import { RecurringController } from "#objects/recurring/controller.ts";
import { planRecurring } from "#policy/calendar/plan.ts";
import type { RecurringAsk, RecurringVerb, RecurringWorkPort } from "#schema/recurring/calls.ts";
import { catchUps, overlaps, type RecurringRule, type RecurringSpec } from "#schema/recurring/spec.ts";
import { RECURRING_GUARD_MS } from "#schema/limits/recurring.ts";
import { memoryStorage, recurringDisk, type RecurringDisk } from "#test/support/recurring.ts";
import { specOf } from "#test/support/recurring-trace.ts";
import { chanceOf, type Chance } from "#test/sim/kit/chance.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const ROUGH_MS = 3 * 24 * HOUR_MS;
const BEGUN = Date.UTC(2026, 2, 27, 8, 0, 30);
const CRONS = ["*/5 * * * *", "0 * * * *", "30 2,14 * * *", "*/20 8-18 * * MON-FRI", "15,45 * * * *"] as const;
const ZONES = ["UTC", "Europe/Zurich", "Australia/Lord_Howe"] as const;
/** It comes to nothing: a call to a dead object, or from one. */
const never = <T>(): Promise<T> => new Promise<T>(() => {});

/** From then on this rule held. */
export type Era = { readonly from: number; readonly rule: RecurringRule };
export type RecurringWorld = {
  readonly disk: RecurringDisk;
  readonly eras: readonly Era[];
  readonly endedAt: number;
  /** What was started, by the occurrence it was started for; and how often somebody asked for it. */
  readonly started: ReadonlyMap<string, number>;
  readonly findings: readonly string[];
  readonly trace: readonly string[];
};

/** `tamper` corrupts what the controller stores: an oracle must notice. */
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
  #controller: RecurringController;
  #asked = 0;

  constructor(chance: Chance, tamper: (disk: RecurringDisk) => void) {
    this.#chance = chance;
    this.#tamper = tamper;
    this.#controller = this.#wake();
  }

  get endedAt(): number {
    return this.#now;
  }

  async live(): Promise<void> {
    const spec = this.#spec();
    await this.#controller.open({
      tenant: "acme",
      id: "rec_1",
      fingerprint: "f",
      spec,
      createdAt: this.#now,
      enabled: true,
    });
    this.eras.push({ from: this.disk.state?.doneUntil ?? 0, rule: spec.rule });
    const calmAt = this.#now + ROUGH_MS;
    while (this.#now < calmAt) await this.#next(calmAt);
    this.#isRough = false;
    this.#skew = 0;
    const last = this.#now + 6 * HOUR_MS;
    while (this.#now < last) await this.#next(last);
    await this.#settle();
  }

  /** Whatever comes first: the alarm, or somebody who wants something. */
  async #next(until: number): Promise<void> {
    const alarm = this.disk.alarm;
    // How late it goes off is drawn once for each alarm.
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
    await this.#patiently(this.#controller.wake(), "ring");
  }

  /** An object that was killed answers nobody. */
  async #patiently(work: Promise<unknown>, what: string): Promise<void> {
    this.#note(what);
    const progress = { isDone: false };
    void work.then(
      () => (progress.isDone = true),
      (fault: unknown) => {
        progress.isDone = true;
        if (what === "ring") this.findings.push(`the alarm threw: ${String(fault)}`);
      },
    );
    for (let turns = 0; turns < 2_000 && !progress.isDone; turns += 1) await Promise.resolve();
    if (!progress.isDone) this.#evict("killed");
  }

  #evict(why: string): void {
    this.#note(`evicted: ${why}`);
    this.#controller = this.#wake();
  }

  #wake(): RecurringController {
    const me: { controller: RecurringController | null } = { controller: null };
    const isMe = () => me.controller === null || me.controller === this.#controller;
    const beforeCommit = () => {
      if (this.disk.state !== null && this.#strikes(0.01)) throw new Error("the disk does not write");
    };
    const storage = memoryStorage(this.disk, beforeCommit);
    me.controller = new RecurringController({
      platform: {
        now: () => this.#now + this.#skew,
        setAlarm: (at) => {
          if (isMe()) [this.disk.alarm, this.#rings] = [at, null];
        },
        log: () => {},
        within: (call) => call,
      },
      storage: {
        ...storage,
        write: (state, rows) => {
          if (!isMe()) throw new Error("an object that is gone has committed");
          storage.write(state, rows);
        },
      },
      isOff: () => false,
      work: () => this.#work(isMe),
      notify: async () => {
        if (this.#strikes(0.05)) throw new Error("the queue rejects the message");
      },
    });
    return me.controller;
  }

  #work(isMe: () => boolean): RecurringWorkPort {
    const strike = (rate: number, what: string) => {
      if (this.#strikes(rate)) throw new Error(`${what} was lost`);
    };
    return {
      dispatch: async (_terms, items) => {
        if (this.#strikes(0.06)) return never(); // killed between commit and dispatch
        strike(0.06, "the call");
        for (const { id } of items) this.#start(id);
        if (this.#strikes(0.06)) return never(); // killed before the answer
        strike(0.06, "the answer");
        const isRefused = this.#strikes(0.03);
        return isMe() ? items.map(({ id }) => this.#outcome(id, isRefused)) : never();
      },
      look: async (_tenant, executions) => {
        strike(0.15, "the question");
        return executions.filter((execution) => (this.#ends.get(execution) ?? 0) > this.#now);
      },
      cancel: async (_tenant, _id, executions) => {
        strike(0.15, "the cancellation");
        for (const execution of executions) this.#ends.set(execution, this.#now + 10 * SECOND_MS);
      },
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
    await this.#patiently(
      this.#controller.ask({ ...verb, ...asked, audit: { ...audit, ...more } } as RecurringAsk),
      verb.verb,
    ); // one of its verbs
    const { state: after } = this.disk;
    if (after !== null && JSON.stringify(after.spec.rule) !== JSON.stringify(before))
      this.eras.push({ from: after.doneUntil, rule: after.spec.rule });
  }

  /** Goes on until nothing is on its way: then everything has its outcome. */
  async #settle(): Promise<void> {
    // Nothing runs any more, so what waits for its end need not.
    this.#ends.clear();
    this.#isOver = true;
    for (let turns = 0; turns < 300; turns += 1) {
      const { state } = this.disk;
      if (state !== null && state.pending.length === 0 && state.waiting === null) return;
      if (this.disk.alarm === null) return void this.findings.push("something is on its way, and no alarm is armed");
      this.#now = Math.max(this.#now, this.disk.alarm);
      await this.#ring();
    }
    this.findings.push("it never comes to rest");
  }

  /** Whatever has happened: where there is something to come, an alarm is armed, and not later than that. */
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

  #strikes(rate: number): boolean {
    return this.#isRough && this.#chance.yes(rate);
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
