// Checks of the receivers' requests against objects and catalog: every request belongs to an attempt of an object,
// every outcome is the receiver's, and the lists show all that was done.
import type { Catalog } from "../catalog.ts";
import type { Seen } from "../oracle.ts";
import type { Delivery } from "../provider.ts";

export function receiverProblems(
  seen: ReadonlyMap<string, Seen>,
  deliveries: readonly Delivery[],
  catalog: Catalog,
): readonly string[] {
  const { claimed, settled } = attemptsOf(seen);
  const saw = new Set(deliveries.map(nameOf));
  const outcomes = new Set(deliveries.map((each) => `${nameOf(each)} ${each.ok}`));
  return [
    ...[...saw]
      .filter((name) => !claimed.has(name))
      .map((name) => `receivers saw ${name}, which no object had in progress`),
    ...[...settled]
      .filter((outcome) => !outcomes.has(outcome))
      .map((outcome) => `an object says of ${outcome}, and no receiver said so`),
    ...listProblems(seen, deliveries, catalog),
  ];
}

type Attempts = { readonly claimed: ReadonlySet<string>; readonly settled: ReadonlySet<string> };

/** Attempts from the journals of all incarnations, because receivers do not see which incarnation called them. */
function attemptsOf(seen: ReadonlyMap<string, Seen>): Attempts {
  const claimed = new Set<string>();
  const settled = new Set<string>();
  for (const { state, entries } of seen.values()) {
    for (const entry of entries) {
      if (entry.kind !== "run_claimed" && entry.kind !== "run_settled") continue;
      const name = nameOf({ execution: state.id, run: entry.run, attempt: entry.attempt });
      if (entry.kind === "run_claimed") claimed.add(name);
      else settled.add(`${name} ${entry.outcome.ok}`);
    }
  }
  return { claimed, settled };
}

/**
 * Checks the lists' rows without the objects: as many attempts as receivers saw, and success only if the receiver
 * succeeded.
 */
function listProblems(
  seen: ReadonlyMap<string, Seen>,
  deliveries: readonly Delivery[],
  catalog: Catalog,
): readonly string[] {
  const reused = new Set([...seen.values()].filter(({ life }) => life > 0).map(({ state }) => state.id));
  const told = deliveries.filter(
    ({ execution }) => !reused.has(execution) && !catalog.forgotten.executions.has(execution),
  );
  return [...Map.groupBy(told, ({ execution, run }) => `${execution}/${run}`)].flatMap(([name, theirs]) => {
    const [first] = theirs;
    const row = first && catalog.lists.run(first.execution, first.run);
    if (!row) return [`receivers saw ${name}, which no list knows`];
    const attempts = Math.max(...theirs.map(({ attempt }) => attempt));
    if (row.attempt < attempts) return [`receivers saw attempt ${attempts} of ${name}, lists say ${row.attempt}`];
    return row.status === "ok" && !theirs.some(({ ok }) => ok)
      ? [`lists say ${name} is done, and no receiver did it`]
      : [];
  });
}

function nameOf({ execution, run, attempt }: Pick<Delivery, "execution" | "run" | "attempt">): string {
  return `${execution}/${run}#${attempt}`;
}
