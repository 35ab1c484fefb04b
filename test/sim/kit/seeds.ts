// How tests run worlds: every seed ends correctly, the same seed gives the same world, and a deliberate mistake is
// detected.
import { expect } from "vitest";

export type Report = { readonly findings: readonly string[]; readonly trace: readonly string[] };

/** Node's process; the project's types are those of Workers, which have none. */
const { env } = (globalThis as unknown as { process: { env: Record<string, string | undefined> } }).process;

/** The number of seeds that a test runs: few by default, all in `npm run check -- long`. */
export function seedCount(few: number, all: number): number {
  return env["ALL_SEEDS"] === "true" ? all : few;
}

export function seedsTo(last: number): readonly number[] {
  return Array.from({ length: last }, (_, n) => n + 1);
}

export async function expectSound(seeds: readonly number[], live: (seed: number) => Promise<Report>): Promise<void> {
  for (const seed of seeds) {
    const { findings, trace } = await live(seed);
    expect(findings, [`seed ${seed}`, ...findings, ...trace].join("\n")).toEqual([]);
  }
}

export async function expectNoticed(
  seeds: number,
  live: (seed: number) => Promise<Pick<Report, "findings">>,
): Promise<void> {
  for (let seed = 1; seed <= seeds; seed += 1) if ((await live(seed)).findings.length > 0) return;
  expect.fail(`no oracle noticed it in ${seeds} worlds`);
}
