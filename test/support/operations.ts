// Operations in memory: the kernel behind the calls of an operation object, without storage or alarm. A test lets time
// pass for them by hand.
import { abortOperation, openOperation, viewOperation, type OperationState } from "#policy/operations/pace.ts";
import { appendPart, openList, startList } from "#policy/operations/enrolling.ts";
import { openControlOperation } from "#policy/operations/collecting.ts";
import type { Part } from "#schema/subject/enrolling.ts";
import type { Operation } from "#schema/operation.ts";
import { accept, refuse } from "#schema/refusal.ts";

export class MemoryOperations {
  readonly states = new Map<string, OperationState>();
  readonly parts = new Map<string, Map<number, Part>>();
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
        const open = { enroll: openList, steer: openControlOperation, retry: openOperation, archive: openOperation };
        const state = held ?? open[terms.verb](terms);
        this.states.set(name, state);
        return accept({ operation: viewOperation(state, this.#now()), repeated: held !== undefined });
      },
      read: async () => {
        const held = this.states.get(name);
        return held ? viewOperation(held, this.#now()) : null;
      },
      append: async (part) => {
        const held = this.states.get(name);
        if (!held) return refuse({ code: "not_found", message: "there is no such operation" });
        const parts = this.parts.get(name) ?? new Map<number, Part>();
        const taken = appendPart(
          held,
          part,
          parts.get(part.part)?.fingerprint ?? null,
          JSON.stringify(part.lines).length,
        );
        if (!taken.ok) return taken;
        this.parts.set(name, parts.set(part.part, part));
        this.states.set(name, taken.value.state);
        return accept(taken.value.answer);
      },
      start: async () => {
        const held = this.states.get(name);
        if (!held) return refuse({ code: "not_found", message: "there is no such operation" });
        const started = startList(held, this.#now());
        if (!started.ok) return started;
        const { state, repeated } = started.value;
        this.states.set(name, state);
        return accept({ operation: viewOperation(state, this.#now()), repeated });
      },
      sample: async (count) =>
        [...(this.parts.get(name)?.values() ?? [])]
          .flatMap(({ part, lines }) => lines.map((line, n) => ({ id: `${part}.${n + 1}`, line })))
          .slice(0, count),
      troubles: async () => ({ data: [], next: null }),
      abort: async ({ dryRun, ...by }) => {
        const held = this.states.get(name);
        if (!held) return refuse({ code: "not_found", message: "there is no such operation" });
        if (held.status === "done") return refuse({ code: "operation_final", message: "it is done" });
        const state = abortOperation(held, by, this.#now());
        if (!dryRun) this.states.set(name, state);
        return accept({ operation: viewOperation(state, this.#now()), repeated: held.status === "aborted" });
      },
    };
  }
}
