// Results of action tests as API objects.
import type { ActionError, Outcome } from "#schema/engine/outcome.ts";
import type { Finding } from "#schema/refusal.ts";
import type { Interaction, Recommendation } from "#schema/rehearsal.ts";
import type { Run } from "#schema/engine/run.ts";
import type { ApiTestedAction } from "./shape.ts";

type Attempt = Omit<NonNullable<ApiTestedAction["result"]>["attempts"][number], "error" | "interactions"> & {
  readonly error: ActionError | null;
  readonly events: Extract<Outcome, { ok: true }>["events"];
  readonly interactions: readonly Interaction[];
};
type Tested = {
  readonly findings: readonly Finding[];
  readonly rehearsed: {
    readonly status: NonNullable<ApiTestedAction["result"]>["status"];
    readonly reason: string | null;
    readonly run: Run;
    readonly attempts: readonly Attempt[];
    readonly wouldTakeMs: number;
  } | null;
  readonly recommendations: readonly Recommendation[];
};

export function presentTested({ findings, rehearsed, recommendations }: Tested): ApiTestedAction {
  const attempts = rehearsed?.attempts ?? [];
  return {
    success: rehearsed?.status === "ok",
    result: rehearsed === null ? null : resultOf(rehearsed),
    validation: { valid: findings.length === 0, findings: [...findings] },
    interactions: attempts.flatMap(({ interactions }) => interactions.map(presentInteraction)),
    recommendations: [...recommendations],
    wouldTakeMs: rehearsed?.wouldTakeMs ?? null,
    costEstimate: rehearsed?.run.costEstimate ?? null,
  };
}

function resultOf({ status, reason, run, attempts }: NonNullable<Tested["rehearsed"]>): ApiTestedAction["result"] {
  return {
    status,
    reason,
    result: run.result,
    error: run.error,
    events: [...(attempts.at(-1)?.events ?? [])],
    attempts: attempts.map(({ events: _events, interactions, ...attempt }) => ({
      ...attempt,
      interactions: interactions.map(presentInteraction),
    })),
  };
}

function presentInteraction(interaction: Interaction): ApiTestedAction["interactions"][number] {
  if ("port" in interaction) return { ...interaction };
  const { response, headers, ...request } = interaction;
  const answered = response === null ? null : { ...response, headers: { ...response.headers } };
  return { ...request, headers: { ...headers }, response: answered };
}
