// Operations in memory: the kernel behind the calls of an operation object, without storage or alarm. A test lets time
// pass for them by hand.
import { abort, openOperation, viewOperation, type OperationState } from "#policy/gates/pace.ts";
import type { Operation } from "#schema/operation.ts";
import { accept, refuse } from "#schema/refusal.ts";

export class MemoryOperations {
  readonly states = new Map<string, OperationState>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  operation(name: string): Operation {
    return {
      open: async (terms) => {
        const held = this.states.get(name);
        if (held && held.terms.fingerprint !== terms.fingerprint)
          return refuse({ code: "idempotency_conflict", message: "another operation" });
        const state = held ?? openOperation(terms);
        this.states.set(name, state);
        return accept({ operation: viewOperation(state, this.#now()), repeated: held !== undefined });
      },
      read: async () => {
        const held = this.states.get(name);
        return held ? viewOperation(held, this.#now()) : null;
      },
      abort: async ({ dryRun, ...by }) => {
        const held = this.states.get(name);
        if (!held) return refuse({ code: "not_found", message: "there is no such operation" });
        if (held.status === "done") return refuse({ code: "operation_final", message: "it is done" });
        const state = abort(held, by, this.#now());
        if (!dryRun) this.states.set(name, state);
        return accept({ operation: viewOperation(state, this.#now()), repeated: held.status === "aborted" });
      },
    };
  }
}
