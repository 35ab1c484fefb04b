// Machines whose actions have a window, as programs of other kinds have.
import { compile } from "#kernel/programs/compile.ts";
import type { Program } from "#kernel/execution/program.ts";
import type { Window } from "#schema/definition/window.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import { action, day, driveProgram, hour, machine, T0 } from "#test/support/drive.ts";

type Part = Parameters<typeof machine>[0];
export type Action = Parameters<typeof action>[1];

export const variable = (name: string) => ({ var: `execution.variables.${name}` });

/** A program whose actions have the window, except the named ones. */
export function windowedProgram(window: Window, part: Part, without: readonly string[] = []): Program {
  const compiled = compile(machine(part));
  const actions = [...compiled.actions].map(
    ([id, each]) => [id, without.includes(id) ? each : { ...each, window }] as const,
  );
  return { ...compiled, actions: new Map(actions) };
}

export function windowed(window: Window, part: Part, without: readonly string[] = []) {
  return driveProgram([windowedProgram(window, part, without), windowedProgram(window, part, without)]);
}

export const polite: Window = { days: "MON-SAT", from: "09:00", to: "20:00" };
export const evening = 12 * hour; // 21:00
export const morning = day; // 09:00 on Tuesday

export function mailing(more: Action = {}, window: Window = polite, part: Partial<Part> = {}) {
  const states = { a: { on: { "action.mail.skipped": "b", go: "b" } }, b: { on: { x: "a" } } };
  return windowed(window, { states, actions: [action("mail", { triggerState: "a", ...more })], ...part });
}

export function heldBy(reason: "rate_limited" | "awaiting_receipt", until: number): Outcome {
  const error = { type: "rate_limit", message: "not tried", retryable: true };
  return { ok: false, error, startedAt: T0, endedAt: T0, held: { reason, until: T0 + until, connection: "mail" } };
}
