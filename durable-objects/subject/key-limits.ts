// Keys of one limit: applies the gate's decisions to each key, and stores a row for each key in use. It sets no alarm.
// A key without runs has no row; when a key is added, expired rows are deleted.
import { acquireByKey, releaseByKey } from "#policy/gates/by-key/admission.ts";
import { quietAt, type KeyLimitState } from "#policy/gates/by-key/state.ts";
import { viewKey } from "#policy/gates/by-key/view.ts";
import type {
  KeyLimitAnswer,
  KeyLimitRelease,
  KeyLimitRequest,
  KeyLimitsPort,
  KeyLimitTerms,
  KeyUse,
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
    const { state, answer } = acquireByKey(this.#rows.get(ask.key), terms, ask, now);
    this.#store(ask.key, state, now);
    return answer;
  }

  async releaseLimit(ask: KeyLimitRelease): Promise<void> {
    const now = this.#now();
    const stored = this.#rows.get(ask.key);
    if (stored !== null) this.#store(ask.key, releaseByKey(stored, ask, now), now);
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

  #store(key: string, state: KeyLimitState, now: number): void {
    const expiresAt = quietAt(state);
    if (expiresAt <= now) this.#rows.drop(key);
    else this.#rows.put(key, state, { expiresAt, now });
  }
}
