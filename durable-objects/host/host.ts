// Host of an object that plans: stores what its controller decides, carries out what is due, and owns the object's one
// alarm. Reads neither clock nor platform: the object, or a simulator in its place, passes both in.

/** Nothing is due before `at`; null: nothing is due until a call changes something. */
export type Rest = { readonly kind: "rest"; readonly at: number | null };
/** Nothing is left to do or to keep: the object deletes everything. */
export type Forget = { readonly kind: "forget" };
type AnyPlan = { readonly kind: string };

export type HostPlatform = {
  readonly now: () => number;
  /** Replaces the alarm that is set. Inside a transaction, part of it. */
  readonly setAlarm: (at: number) => void;
  readonly log: (line: { readonly [key: string]: unknown }) => void;
  /** Rejects if the call is not answered in time, so that no call blocks the object. */
  readonly within: <T>(call: Promise<T>) => Promise<T>;
};

export type HostedStorage = {
  /** All of `work` or nothing. */
  readonly atomically: <T>(work: () => T) => T;
  /** Deletes all rows and the alarm. */
  readonly reset: () => Promise<void>;
};

/** What an object decides. Its memory is a cache of its rows. */
export type Controller<Plan extends AnyPlan> = {
  /** Reads the memory from the rows: at the start, by each alarm, after a failed commit, and after a reset. */
  readonly load: () => void;
  /** What to do next. Never waits without an instant while work is left. */
  readonly plan: (now: number) => Plan;
  readonly carryOut: (plan: Plan) => Promise<void>;
  /** Carrying out failed: stores when to try again, or throws if the plan cannot fail. */
  readonly fail: (plan: Plan, message: string) => void;
  /** When an alarm resumes a plan whose object was evicted; absent: after `guardMs`. */
  readonly guardAt?: (now: number) => number;
  /** Deletes a bounded number of old rows. Called by each alarm when nothing is due. */
  readonly tidy?: (now: number) => void;
  /** Sends the latest state to the catalog or to alert channels; repeated after `againMs` if that fails. */
  readonly notify?: { readonly send: () => Promise<void>; readonly againMs: number };
};

/** Which one starts work that a call has stored: an alarm at once, or the call itself, with the alarm as a guard. */
export type StartedBy = "alarm" | "call";

export type HostSettings = {
  /** If the object is evicted during a plan, the alarm resumes it after this. */
  readonly guardMs: number;
  /** Plans carried out in one run; the next alarm continues. */
  readonly stepsMax: number;
  /** For commits that do not say it. */
  readonly startedBy: StartedBy;
};

export class Host<Plan extends AnyPlan> {
  readonly #platform: HostPlatform;
  readonly #storage: HostedStorage;
  readonly #settings: HostSettings;
  readonly #controller: Controller<Plan>;
  /** The alarm as far as this object knows; null: unknown, or it has fired. */
  #alarmAt: number | null = null;
  #isRunning = false;
  #isOutdated = false;
  #isForgotten = false;
  #lastRun: Promise<void> = Promise.resolve();

  constructor(platform: HostPlatform, storage: HostedStorage, settings: HostSettings, controller: Controller<Plan>) {
    this.#platform = platform;
    this.#storage = storage;
    this.#settings = settings;
    this.#controller = controller;
    controller.load();
  }

  /** Stores what `write` writes together with the alarm for it. */
  commit<T>(write: () => T, startedBy: StartedBy = this.#settings.startedBy): T {
    const before = { alarmAt: this.#alarmAt, isForgotten: this.#isForgotten };
    try {
      const written = this.#storage.atomically(() => {
        const answer = write();
        this.#isForgotten = false;
        this.#wakeBy(this.#isRunning ? this.#guardAt() : this.#wakeAt(startedBy));
        return answer;
      });
      this.#isOutdated = true;
      return written;
    } catch (fault) {
      this.#alarmAt = before.alarmAt;
      this.#isForgotten = before.isForgotten;
      this.#controller.load();
      throw fault;
    }
  }

  /** The alarm has fired, or the sweeper repairs it. Never throws: after six retries the platform drops an alarm. */
  wake(): Promise<void> {
    this.#alarmAt = null;
    this.#isOutdated = true;
    return this.#serially(async () => {
      this.#controller.load();
      await this.#runAll();
    });
  }

  /** Carries out what is due, then tidies, notifies, and sets the alarm to exactly the next instant. Never throws. */
  run(): Promise<void> {
    return this.#serially(() => this.#runAll());
  }

  /** Carries out one plan out of turn. Never throws. */
  carryOut(plan: Plan): Promise<void> {
    return this.#serially(async () => {
      this.#wakeBy(this.#guardAt());
      await this.#attempt(plan);
    });
  }

  /** Carries out what is due and leaves the rest to the alarm, which is set: for calls that come in bursts. Never throws. */
  start(): Promise<void> {
    return this.#serially(async () => void (await this.#carryOutDue()));
  }

  async forget(): Promise<void> {
    const done = this.#storage.reset();
    this.#alarmAt = null;
    this.#isForgotten = true;
    this.#controller.load();
    await done;
  }

  /** One at a time. Work that is stored meanwhile is found by this run or by the next. */
  #serially(work: () => Promise<void>): Promise<void> {
    this.#lastRun = this.#lastRun.then(() => this.#safely(work));
    return this.#lastRun;
  }

  async #safely(work: () => Promise<void>): Promise<void> {
    this.#isRunning = true;
    try {
      await work();
    } catch (fault) {
      this.#platform.log({ level: "error", event: "object_failed", message: String(fault) });
      this.#wakeBy(this.#guardAt());
    } finally {
      this.#isRunning = false;
    }
  }

  async #runAll(): Promise<void> {
    while (await this.#carryOutDue()) if (await this.#settle()) return;
  }

  /** False: the alarm was set to continue, or everything was deleted. */
  async #carryOutDue(): Promise<boolean> {
    for (let steps = 0; steps < this.#settings.stepsMax; steps++) {
      const plan = this.#controller.plan(this.#platform.now());
      if (isRest(plan)) return true;
      if (isForget(plan)) {
        await this.forget();
        return false;
      }
      // Set before anything is done: the object may be evicted at any await.
      this.#wakeBy(this.#guardAt());
      await this.#attempt(plan);
    }
    this.#wakeBy(this.#platform.now() + 1);
    return false;
  }

  /** Calls may change the state meanwhile: the controller applies what comes back to the state of that moment. */
  async #attempt(plan: Plan): Promise<void> {
    try {
      await this.#controller.carryOut(plan);
    } catch (fault) {
      this.#platform.log({ level: "error", event: "object_plan_failed", plan: plan.kind, message: String(fault) });
      this.#controller.fail(plan, String(fault));
    }
  }

  /** False: calls have stored more work meanwhile. */
  async #settle(): Promise<boolean> {
    this.#controller.tidy?.(this.#platform.now());
    const notifyAt = await this.#notify();
    const plan = this.#controller.plan(this.#platform.now());
    if (!isRest(plan)) return false;
    const at = Math.min(plan.at ?? Infinity, notifyAt);
    if (at !== this.#alarmAt) this.#setAlarm(at);
    return true;
  }

  /** When to repeat it; Infinity: it succeeded. */
  async #notify(): Promise<number> {
    const { notify } = this.#controller;
    if (!this.#isOutdated || notify === undefined) return Infinity;
    this.#isOutdated = false;
    try {
      await notify.send();
      return Infinity;
    } catch (fault) {
      this.#isOutdated = true;
      this.#platform.log({ level: "error", event: "object_not_notified", message: String(fault) });
      return this.#platform.now() + notify.againMs;
    }
  }

  #wakeAt(startedBy: StartedBy): number {
    const plan = this.#controller.plan(this.#platform.now());
    if (isRest(plan)) return plan.at ?? Infinity;
    return startedBy === "alarm" ? this.#platform.now() : this.#guardAt();
  }

  #guardAt(): number {
    const now = this.#platform.now();
    return this.#controller.guardAt?.(now) ?? now + this.#settings.guardMs;
  }

  /** Only ever earlier: each alarm that is set costs a row, and one that fires early costs less. */
  #wakeBy(at: number): void {
    const isSoonEnough = this.#alarmAt !== null && this.#alarmAt > this.#platform.now() && this.#alarmAt <= at;
    if (!isSoonEnough) this.#setAlarm(at);
  }

  #setAlarm(at: number): void {
    if (at === Infinity || this.#isForgotten) return;
    this.#alarmAt = Math.max(at, this.#platform.now() + 1);
    this.#platform.setAlarm(this.#alarmAt);
  }
}

function isRest(plan: AnyPlan): plan is Rest {
  return plan.kind === "rest";
}

function isForget(plan: AnyPlan): plan is Forget {
  return plan.kind === "forget";
}
