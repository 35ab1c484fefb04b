// Decides whether retrying a dead letter could cause a duplicate effect. The decision depends on its attempts and on
// the provider's support for idempotency keys.
import type { IdempotencySupport } from "#schema/idempotency-support.ts";
import { firstStartOf, type Attempt, type Run } from "#schema/engine/run.ts";
import { iso } from "#kernel/execution/current-step.ts";
import { hadNoEffect } from "./no-effect.ts";

export type RepeatSafety = { readonly safe: boolean; readonly why: string };

export function repeatSafety(run: Run, repeats: IdempotencySupport, now: number): RepeatSafety {
  const [first] = run.attempts;
  if (first === undefined) return { safe: true, why: "The run was never sent." };
  if (repeats.mode === "harmless") return { safe: true, why: "A repeat of this action has no further effect." };
  const unknownEffect = run.attempts.find(({ error }) => error?.type === "effect_unknown");
  if (unknownEffect)
    return {
      safe: false,
      why: `${sentenceOf(unknownEffect)}. Check at the provider whether the call took effect before you retry.`,
    };
  const doubtful = run.attempts.find(isDoubtful);
  if (doubtful === undefined)
    return { safe: true, why: "Every attempt was refused or never started, so none took effect." };
  if (repeats.mode === "none") {
    const why = `${sentenceOf(doubtful)}, and the provider does not recognize repeats: check at the provider first whether the call took effect.`;
    return { safe: false, why };
  }
  const { windowMs } = repeats;
  if (windowMs === null)
    return { safe: true, why: `${sentenceOf(doubtful)}, but the provider drops repeats with the same key.` };
  const until = firstStartOf(first) + windowMs;
  return now < until
    ? {
        safe: true,
        why: `${sentenceOf(doubtful)}, but the provider drops repeats with the same key until ${iso(until)}.`,
      }
    : {
        safe: false,
        why: `${sentenceOf(doubtful)}, and since ${iso(until)} the provider no longer recognizes the key: check at the provider first whether the call took effect.`,
      };
}

function isDoubtful({ error, possiblyRepeated, endedAt }: Attempt): boolean {
  if (possiblyRepeated || endedAt === null) return true;
  return error !== null && !hadNoEffect(error);
}

function sentenceOf({ attempt, possiblyRepeated, error }: Attempt): string {
  if (possiblyRepeated) return `Attempt ${attempt} was sent twice after a crash`;
  return `It is unknown whether attempt ${attempt} took effect (${error?.code ?? error?.type ?? "the attempt never ended"})`;
}
