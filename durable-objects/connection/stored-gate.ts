// Gate state of a connection: its limits and its breaker, in memory. A change of the breaker is written to the rows
// immediately. Other changes are written together, GATE_WRITE_AFTER_MS after the first of them.
import { acquire, openGate, release, stateToStore, type GateState } from "#policy/gates/connection.ts";
import type { Breaker } from "#policy/gates/breaker.ts";
import type { AcquireAnswer, AcquireItem, ConnectionLimits, ReleaseItem } from "#schema/gate.ts";
import { GATE_WRITE_AFTER_MS } from "#schema/limits/outgoing/connection-limits.ts";
import type { GateStorage } from "./storage.ts";

export type GateStatePorts = {
  readonly storage: Pick<GateStorage, "readGate" | "writeGate">;
  readonly now: () => number;
  /** Called after each change of the breaker's kind, before the change is written. */
  readonly breakerChanged: (before: Breaker, after: Breaker, terms: ConnectionLimits) => void;
};

export class StoredGate {
  readonly #ports: GateStatePorts;
  #state: GateState;
  #isWriteScheduled = false;

  constructor(ports: GateStatePorts) {
    this.#ports = ports;
    this.#state = ports.storage.readGate() ?? openGate;
  }

  current(): GateState {
    return this.#state;
  }

  acquire(terms: ConnectionLimits, items: readonly AcquireItem[]): readonly AcquireAnswer[] {
    const { state, answers } = acquire(this.#state, terms, items, this.#ports.now());
    this.#update(state, terms);
    return answers;
  }

  release(terms: ConnectionLimits, items: readonly ReleaseItem[]): void {
    this.#update(release(this.#state, terms, items, this.#ports.now()), terms);
  }

  /** Sets the state of a connection without calls. The caller deletes the connection's rows. */
  reset(): void {
    this.#state = openGate;
  }

  #update(state: GateState, terms: ConnectionLimits): void {
    const { breaker: before } = this.#state;
    this.#state = state;
    if (state.breaker.kind !== before.kind) {
      this.#ports.breakerChanged(before, state.breaker, terms);
      this.#write();
    } else if (!this.#isWriteScheduled) {
      this.#isWriteScheduled = true;
      setTimeout(() => this.#write(), GATE_WRITE_AFTER_MS);
    }
  }

  #write(): void {
    this.#isWriteScheduled = false;
    this.#ports.storage.writeGate(stateToStore(this.#state, this.#ports.now()));
  }
}
