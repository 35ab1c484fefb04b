// The initial state of an execution.
import { expect, test } from "vitest";
import { newState, type Born } from "#kernel/execution/new-state.ts";

const born: Born = {
  execution: "exe_1",
  tenant: "acme",
  namespace: "default",
  placement: "own",
  correlationId: null,
  definition: { id: "def_1", name: "order", version: 1 },
};

test("stores who started the execution if it is known, and otherwise has no such field", () => {
  const startedBy = { trigger: "trg_1", kind: "webhook" } as const;
  expect(newState({ ...born, startedBy }, {}, 0).startedBy).toEqual(startedBy);
  for (const field of ["startedBy", "parent", "standalone"]) expect(newState(born, {}, 0)).not.toHaveProperty(field);
});
