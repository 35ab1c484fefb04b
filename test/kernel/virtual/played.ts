// Runs a definition virtually, and formats its rows as lines.
import { computeAtOnce } from "#kernel/computing/computation.ts";
import { compile } from "#kernel/programs/compile.ts";
import { runVirtually, type VirtualRunSettings } from "#kernel/virtual/virtual-run.ts";
import { definition } from "#schema/definition/definition.ts";
import type { StartCommand } from "#schema/engine/input.ts";
import type { JsonObject } from "#schema/json.ts";
import type { ExpectedAction } from "#schema/virtual/expected-actions.ts";
import { ask, day, machine, T0 } from "#test/support/drive.ts";

type Part = Omit<Partial<VirtualRunSettings>, "start"> & { readonly variables?: JsonObject };

export function askOf(body: unknown, { variables = {}, program, ...more }: Part = {}): VirtualRunSettings {
  const start = ask.start(variables) as StartCommand; // it is a start command
  return { program: program ?? compile(definition.parse(body)), start, startAt: T0, until: T0 + 1_000 * day, ...more };
}

export function play(body: unknown, more: Part = {}) {
  const run = computeAtOnce(runVirtually(askOf(body, more)));
  if (!run.ok) throw new Error(`it cannot start: ${run.refusal.message}`);
  return run.value;
}

export function playMachine(part: Parameters<typeof machine>[0], more: Part = {}) {
  return play(machine(part), more);
}

/** `mail ok at P2DT1H`: days, hours and minutes since the start. */
export function line({ action, status, at, reason }: ExpectedAction): string {
  const why = reason === null ? "" : ` (${reason})`;
  return `${action} ${status} at ${at === null ? "no date" : since(at)}${why}`;
}

function since(at: number): string {
  const minutes = (at - T0) / 60_000;
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor((minutes % 1_440) / 60)];
  return `${days}d ${String(hours).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}
