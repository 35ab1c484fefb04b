// Worst bodies that are allowed: what they ask for is done, and costs the most that the limits let it.
import { checked, lists, looping, loops } from "./definitions.ts";

export type Legal = { readonly name: string; readonly body: (n: number) => unknown };

export function legalOf(operation: string): readonly Legal[] {
  return legal[operation] ?? [];
}

const KIB = 1024;
/** Many values in few bytes: 30 bytes each, so that a batch of a hundred stays below the values of a body. */
const filler = (bytes: number): readonly object[] =>
  Array.from({ length: Math.floor(bytes / 30) }, () => ({ a: "x".repeat(22) }));
const names = (bytes: number) => Object.fromEntries(Array.from({ length: bytes / 12 }, (_, n) => [`k${n}`, 1]));

const legal: { readonly [operation: string]: readonly Legal[] } = {
  startExecution: [
    { name: "variables, empty objects", body: () => ({ definition: "order", variables: { a: filler(250 * KIB) } }) },
    { name: "variables, names", body: () => ({ definition: "order", variables: names(250 * KIB) }) },
  ],
  startExecutions: [
    {
      name: "100 starts",
      body: () => ({ executions: hundred({ definition: "order", variables: { a: filler(9 * KIB) } }) }),
    },
  ],
  sendEvent: [{ name: "payload, empty objects", body: () => ({ type: "any", payload: { a: filler(60 * KIB) } }) }],
  postEvent: [
    { name: "payload", body: () => ({ type: "any", correlationKey: "k", payload: { a: filler(60 * KIB) } }) },
  ],
  patchExecution: [{ name: "variables", body: () => ({ variables: { a: filler(250 * KIB) } }) }],
  createDefinition: checked,
  validateDefinition: checked,
  diffInlineDefinition: [{ name: "lists of lists", body: (n) => ({ definition: lists(n + 10) }) }],
  previewInlineDefinition: [
    {
      name: "400 subjects, loops in a template",
      body: () => ({ definition: loops, subjects: Array.from({ length: 400 }, () => ({})), contents: true }),
    },
  ],
  forecastInlineDefinition: [
    {
      name: "100,000 executions, loops in a template",
      body: () => ({ definition: loops, count: 100_000, subjects: [{}] }),
    },
  ],
  testAction: [{ name: "loops in a template", body: () => ({ action: looping, mocks: [{ status: 503 }] }) }],
  dispatchActions: [
    {
      name: "100 actions",
      body: () => ({
        actions: hundred({ type: "webhook", config: { url: "https://e.example", body: { a: filler(9 * KIB) } } }),
      }),
    },
  ],
};

function hundred(item: object): readonly object[] {
  return Array.from({ length: 100 }, () => item);
}
