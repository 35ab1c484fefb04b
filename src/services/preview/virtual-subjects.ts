// Virtual subjects: what a simulation consists of: its definition and assumptions, its subjects, and the start command
// of each subject.
import { mergePatch } from "#kernel/language/json-values.ts";
import type { Program } from "#kernel/execution/program.ts";
import type { PlayBudget } from "#kernel/virtual/play-step.ts";
import { defaults } from "#schema/defaults.ts";
import type { DefinitionRef } from "#schema/definition/definition.ts";
import type { StartCommand } from "#schema/engine/input.ts";
import type { JsonObject } from "#schema/json.ts";
import type { Assumptions, AssumedInput } from "#schema/virtual/assumptions.ts";
import type { TenantPolicy } from "#schema/policies/policy.ts";
import type { KnownConnection } from "#schema/virtual/forecast.ts";

export type PreviewSubject = {
  readonly id: string;
  /**
   * The id of the simulated execution. It seeds random choices: jitter, position in a spread, and branch of a split.
   */
  readonly execution: string;
  readonly variables: JsonObject;
  readonly startAt: number;
  readonly given: readonly AssumedInput[];
};

/** A simulation of one definition under certain assumptions. */
export type Simulation = {
  readonly program: Program;
  readonly ref: DefinitionRef;
  readonly tenant: string;
  readonly until: number;
  /** Calendar rows before this time (epoch ms) are left out; null: all rows are shown. */
  readonly from: number | null;
  readonly assume: Assumptions;
  readonly contents: boolean;
  readonly purse: PlayBudget;
  /**
   * The connections whose limits the subjects share in one simulation. Null: each subject is simulated separately,
   * without limits.
   */
  readonly connections: readonly KnownConnection[] | null;
  /** The tenant's policies, whose quiet hours hold the messages. */
  readonly policies: readonly TenantPolicy[];
  /** A JSON merge patch over each subject's variables; null: no patch. */
  readonly patch: JsonObject | null;
};

export function startCommandOf(
  { ref, tenant, program, patch }: Simulation,
  execution: string,
  variables: JsonObject,
): StartCommand {
  return {
    kind: "start",
    inputId: "preview",
    execution,
    tenant,
    namespace: defaults.namespace,
    definition: ref,
    placement: program.definition.placement ?? defaults.placement,
    variables: patch === null ? variables : mergePatch(variables, patch),
    correlationId: null,
    fingerprint: "",
    actor: { kind: "engine", id: "preview" },
  };
}
