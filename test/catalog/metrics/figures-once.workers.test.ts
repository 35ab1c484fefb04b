// Tests that figures count each event once, whatever happens to the projections: they are repeated, reordered, dropped
// or late, and the sweeper folds between them.
import fc from "fast-check";
import { expect, test } from "vitest";
import { foldFigures } from "#catalog/metrics/fold-figures.ts";
import type { RunRow } from "#schema/engine/projection.ts";
import type { Counters } from "#schema/metrics/counter-names.ts";
import { catalog, NOW, runRow } from "#test/support/catalog.ts";
import { applyRuns, figureGroups, GROUP, hour, storedTenant } from "./counted-runs.ts";

const counted = async (tenant: string): Promise<Counters> => (await figureGroups(tenant))[GROUP] ?? {};

/** A run's life: its states in order, each a row that a projection may carry. */
const life = fc.array(fc.constantFrom("ok", "error", "redrive", "wait"), { minLength: 1, maxLength: 7 });

function rowsOf(tenant: string, id: string, steps: readonly string[]): readonly RunRow[] {
  const rows: RunRow[] = [];
  const tried: { ms: number; error?: string }[] = [];
  let redrives: { times: number; attempts: number } | null = null as { times: number; attempts: number } | null;
  let status: RunRow["status"] = "scheduled";
  for (const step of steps) {
    if (status === "ok" || (status === "failed") !== (step === "redrive")) continue;
    if (step === "redrive") redrives = { times: (redrives?.times ?? 0) + 1, attempts: tried.length };
    else tried.push({ ms: 10 * (tried.length + 1), ...(step === "ok" ? {} : { error: "timeout" }) });
    status = step === "ok" ? "ok" : step === "error" ? "failed" : step === "wait" ? "retry" : "queued";
    const finishedAt = status === "ok" || status === "failed" ? NOW + rows.length : null;
    const error = status === "failed" ? { errorType: "timeout" } : {};
    const seq = rows.length + 1;
    rows.push(runRow({ tenant, id, seq, status, finishedAt, redrives, tried: [...tried], triedAt: NOW, ...error }));
  }
  return rows;
}

test("repeated, reordered, dropped and late projections count each event once", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(life, { minLength: 1, maxLength: 4 }),
      fc.infiniteStream(fc.nat()),
      async (lives, chance) => {
        const tenant = await storedTenant();
        const runs = lives.map((steps, n) => rowsOf(tenant, `${n}.1`, steps));
        const next = (below: number) => Number(chance.next().value) % below;
        // Any rows in any order and number, and at last the final row of each run.
        const all = runs.flat();
        const sent = Array.from({ length: 8 }, () => all[next(Math.max(1, all.length))]).filter(
          (row) => row !== undefined,
        );
        for (let from = 0; from < sent.length;) {
          const batch = sent.slice(from, (from += 1 + next(3)));
          await applyRuns(...batch);
          if (next(4) === 0) await foldFigures(catalog(), hour + 1, 100);
        }
        const last = runs.flatMap((rows) => rows.at(-1) ?? []);
        await applyRuns(...last);
        const attempts = last.flatMap(({ tried }) => tried ?? []);
        const redriven = last.reduce((sum, { redrives }) => sum + (redrives?.times ?? 0), 0);
        const expected = {
          ok: last.filter(({ status }) => status === "ok").length,
          failed: last.filter(({ status }) => status === "failed").length + redriven,
          attempts: attempts.length,
          timeouts: attempts.filter(({ error }) => error !== undefined).length,
          "took/sum": attempts.reduce((sum, { ms }) => sum + (ms ?? 0), 0),
          redriven,
        };
        const present = Object.fromEntries(Object.entries(expected).filter(([, n]) => n > 0));
        const names = Object.keys(expected);
        const found = Object.entries(await counted(tenant)).filter(([name]) => names.includes(name));
        expect(Object.fromEntries(found)).toEqual(present);
        const failures = Object.entries(await counted(tenant)).filter(([name]) => name.startsWith("failure/"));
        expect(failures.reduce((sum, [, n]) => sum + n, 0)).toBe(expected.failed);
      },
    ),
    { numRuns: 40 },
  );
});
