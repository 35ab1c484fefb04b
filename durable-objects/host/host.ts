// Host of a planning object: stores what its controller decides, carries out the plans that are due, and owns the
// object's one alarm. It gets clock and platform from the object, or from a simulator.

/** Nothing is due before `at`, epoch ms. null: nothing is due until a call changes the state. */
export type Rest = { readonly kind: "rest"; readonly at: number | null };
/** Nothing is left to do or to store, so the object deletes everything. */
export type Forget = { readonly kind: "forget" };
type AnyPlan = { readonly kind: string };

export type HostPlatform = {
  readonly now: () => number;
  /** Replaces the current alarm. Within a transaction, the change is part of it. */
  readonly setAlarm: (at: number) => void;
  readonly log: (line: { readonly [key: string]: unknown }) => void;
  /** Rejects if the call to the Worker takes too long, so that no call blocks the object. */
  readonly within: <T>(call: Promise<T>) => Promise<T>;
};

export type HostedStorage = {
  /** Writes everything in `work`, or nothing. */
  readonly atomically: <T>(work: () => T) => T;
  /** Deletes all rows and the alarm. */
  readonly reset: () => Promise<void>;
};

/** The decisions of one kind of object. What the controller has in memory is a cache of the object's rows. */
export type Controller<Plan extends AnyPlan> = {
  /** Reads the rows into memory. Called at the start, by each alarm, after a failed commit, and after a reset. */
  readonly load: () => void;
  /** Returns what to do next. While work is left, it must not return a rest whose time is null. */
  readonly plan: (now: number) => Plan;
  readonly carryOut: (plan: Plan) => Promise<void>;
  /** Called after `carryOut` has failed: stores when to retry, or throws if that plan cannot fail. */
  readonly fail: (plan: Plan, message: string) => void;
  /** Returns when an alarm resumes a plan whose object was evicted, epoch ms. Default: after `guardMs`. */
  readonly guardAt?: (now: number) => number;
  /** Deletes a bounded number of old rows. Called at the end of each run. */
  readonly purge?: (now: number) => void;
  /** Sends the latest state to the catalog or to alert channels. A failed send is repeated after `againMs`. */
  readonly notify?: { readonly send: () => Promise<void>; readonly againMs: number };
};

/**
 * How the work of a commit is started. "alarm": an alarm that fires immediately runs it. "call": the caller runs it, and
 * the alarm runs it only if the object is evicted.
 */
export type StartedBy = "alarm" | "call";

export type HostSettings = {
  /** After this time, in ms, the alarm resumes a plan whose object was evicted. */
  readonly guardMs: number;
  /** The maximum number of plans in one run. The alarm continues with the other plans. */
  readonly stepsMax: number;
  /** How the work of a commit is started, unless the commit names another way. */
  readonly startedBy: StartedBy;
};

export class Host<Plan extends AnyPlan> {
  readonly #platform: HostPlatform;
  readonly #storage: HostedStorage;
  readonly #settings: HostSettings;
  readonly #controller: Controller<Plan>;
  /** The time of the alarm, epoch ms; null if it is unknown, or the alarm has fired. */
  #alarmAt: number | null = null;
  #isRunning = false;
  /** True if the state has changed since the last notification. */
  #isNotifyDue = false;
  /** True after a reset until the next commit, because a deleted object sets no alarm. */
  #isForgotten = false;
  #lastRun: Promise<void> = Promise.resolve();

  constructor(platform: HostPlatform, storage: HostedStorage, settings: HostSettings, controller: Controller<Plan>) {
    this.#platform = platform;
    this.#storage = storage;
    this.#settings = settings;
    this.#controller = controller;
    controller.load();
  }

  /** Stores everything that `write` writes, together with an alarm for the next plan. */
  commit<T>(write: () => T, startedBy: StartedBy = this.#settings.startedBy): T {
    const before = { alarmAt: this.#alarmAt, isForgotten: this.#isForgotten };
    try {
      const written = this.#storage.atomically(() => {
        const answer = write();
        this.#isForgotten = false;
        this.#setAlarmBy(this.#isRunning ? this.#guardAt() : this.#wakeAt(startedBy));
        return answer;
      });
      this.#isNotifyDue = true;
      return written;
    } catch (fault) {
      this.#alarmAt = before.alarmAt;
      this.#isForgotten = before.isForgotten;
      this.#controller.load();
      throw fault;
    }
  }

  /**
   * Called when the alarm fires, and by the sweeper's repair. Never rejects: the platform drops an alarm after six
   * retries.
   */
  wake(): Promise<void> {
    this.#alarmAt = null;
    this.#isNotifyDue = true;
    return this.#serially(async () => {
      this.#controller.load();
      await this.#runAll();
    });
  }

  /**
   * Carries out the plans that are due, deletes old rows, notifies, and sets the alarm to the next instant. Never
   * rejects.
   */
  run(): Promise<void> {
    return this.#serially(() => this.#runAll());
  }

  /** Carries out a single plan now. Never rejects. */
  carryOut(plan: Plan): Promise<void> {
    return this.#serially(async () => {
      this.#setAlarmBy(this.#guardAt());
      await this.#attempt(plan);
    });
  }

  /**
   * Carries out the plans that are due. The next alarm purges and notifies. For calls in bursts. Never rejects.
   */
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

  /** Runs one piece of work at a time. Work that is stored during a run is found by this run or the next one. */
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
      this.#setAlarmBy(this.#guardAt());
    } finally {
      this.#isRunning = false;
    }
  }

  async #runAll(): Promise<void> {
    while (await this.#carryOutDue()) if (await this.#finishRun()) return;
  }

  /** Returns false if it has set the alarm to continue later, or if it has deleted everything. */
  async #carryOutDue(): Promise<boolean> {
    for (let steps = 0; steps < this.#settings.stepsMax; steps++) {
      const plan = this.#controller.plan(this.#platform.now());
      if (isRest(plan)) return true;
      if (isForget(plan)) {
        await this.forget();
        return false;
      }
      // Set before the plan begins, because the object may be evicted during any await.
      this.#setAlarmBy(this.#guardAt());
      await this.#attempt(plan);
    }
    this.#setAlarmBy(this.#platform.now() + 1);
    return false;
  }

  /**
   * A call may change the state while the plan is carried out. The controller applies the result to the latest state.
   */
  async #attempt(plan: Plan): Promise<void> {
    try {
      await this.#controller.carryOut(plan);
    } catch (fault) {
      this.#platform.log({ level: "error", event: "object_plan_failed", plan: plan.kind, message: String(fault) });
      this.#controller.fail(plan, String(fault));
    }
  }

  /**
   * Ends a run: deletes old rows, notifies, and sets the alarm. Returns false if calls have stored more work during the
   * run.
   */
  async #finishRun(): Promise<boolean> {
    this.#controller.purge?.(this.#platform.now());
    const notifyAt = await this.#notify();
    const plan = this.#controller.plan(this.#platform.now());
    if (!isRest(plan)) return false;
    const at = Math.min(plan.at ?? Infinity, notifyAt);
    if (at !== this.#alarmAt) this.#setAlarm(at);
    return true;
  }

  /** Returns when to repeat the notification, epoch ms; Infinity if it succeeded. */
  async #notify(): Promise<number> {
    const { notify } = this.#controller;
    if (!this.#isNotifyDue || notify === undefined) return Infinity;
    this.#isNotifyDue = false;
    try {
      await notify.send();
      return Infinity;
    } catch (fault) {
      this.#isNotifyDue = true;
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

  /** Moves the alarm earlier, but not later: a move costs a row, and an alarm that fires early costs less. */
  #setAlarmBy(at: number): void {
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
