// Keys of one limit: applies the gate's decisions to each key, and stores a row for each key in use. It sets no alarm.
// A key without runs has no row; when a key is added, expired rows are deleted.
import { acquireByKey } from "#policy/gates/by-key/admission.ts";
import { acquireStart, releaseStart } from "#policy/gates/by-key/starts.ts";
import { quietAt, type KeyLimitState } from "#policy/gates/by-key/state.ts";
import { viewKey } from "#policy/gates/by-key/view.ts";
import { passOnSlots, releaseAndWake, type WakeResult } from "#policy/gates/by-key/wake.ts";
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
import type { KeyRows } from "./key-rows.ts";

export class KeyLimits implements KeyLimitsPort {
  readonly #rows: KeyRows;
  readonly #now: () => number;

  constructor({ rows, now }: { readonly rows: KeyRows; readonly now: () => number }) {
    this.#rows = rows;
    this.#now = now;
  }

  async acquireLimit(terms: KeyLimitTerms, ask: KeyLimitRequest): Promise<KeyLimitAnswer> {
    const now = this.#now();
    const acquire = terms.of === "starts" ? acquireStart : acquireByKey;
    const { state, answer } = acquire(this.#rows.get(ask.key), terms, ask, now);
    this.#store(ask.key, state, now);
    return answer;
  }

  async releaseLimit(ask: KeyLimitRelease): Promise<readonly LimitWakeUp[]> {
    return this.#wakeAfter(ask.key, (stored, now) => {
      const release = stored.terms.of === "starts" ? releaseStart : releaseAndWake;
      return release(stored, ask, now);
    });
  }

  async passOnLimit({ key, gone }: KeyLimitPassOn): Promise<readonly LimitWakeUp[]> {
    return this.#wakeAfter(key, (stored, now) => passOnSlots(stored, gone, now));
  }

  async readLimit(key: string): Promise<KeyUse | null> {
    const stored = this.#rows.get(key);
    return stored === null ? null : viewKey(stored, this.#now());
  }

  async freeLimit(key: string, dryRun: boolean): Promise<KeyUse | null> {
    const use = await this.readLimit(key);
    if (use !== null && !dryRun) this.#rows.drop(key);
    return use;
  }

  #wakeAfter(key: string, change: (stored: KeyLimitState, now: number) => WakeResult): readonly LimitWakeUp[] {
    const now = this.#now();
    const stored = this.#rows.get(key);
    if (stored === null) return [];
    const { state, wake } = change(stored, now);
    this.#store(key, state, now);
    return wake;
  }

  #store(key: string, state: KeyLimitState, now: number): void {
    const expiresAt = quietAt(state);
    if (expiresAt <= now) this.#rows.drop(key);
    else this.#rows.put(key, state, { expiresAt, now });
  }
}
