// Whether a dead letter can be sent again without thinking: what is known of its tries, and of who they were for.
import type { Repeats } from "#schema/repeats.ts";
import { firstStartOf, type Attempt, type Run } from "#schema/engine/run.ts";
import { iso } from "#kernel/execution/current-step.ts";
import { hadNoEffect } from "./no-effect.ts";

export type RepeatSafety = { readonly safe: boolean; readonly why: string };

export function repeatSafety(run: Run, repeats: Repeats, now: number): RepeatSafety {
  const [first] = run.attempts;
  if (first === undefined) return { safe: true, why: "It was never sent." };
  if (repeats.mode === "harmless") return { safe: true, why: "There is nothing that a repeat would do twice." };
  const lost = run.attempts.find(({ error }) => error?.type === "effect_unknown");
  if (lost) return { safe: false, why: `${sentenceOf(lost)}. Look there before you send it again.` };
  const doubtful = run.attempts.find(isDoubtful);
  if (doubtful === undefined) return { safe: true, why: "Every try was refused or never begun: none took effect." };
  if (repeats.mode === "none") {
    const why = `${sentenceOf(doubtful)}, and nobody at the other end tells a repeat: look there first whether it took effect.`;
    return { safe: false, why };
  }
  const { windowMs } = repeats;
  if (windowMs === null) return { safe: true, why: `${sentenceOf(doubtful)}, but repeats of its key are dropped.` };
  const until = firstStartOf(first) + windowMs;
  return now < until
    ? { safe: true, why: `${sentenceOf(doubtful)}, but the provider drops repeats of its key until ${iso(until)}.` }
    : {
        safe: false,
        why: `${sentenceOf(doubtful)}, and the provider has forgotten its key since ${iso(until)}: look there.`,
      };
}

function isDoubtful({ error, possiblyRepeated, endedAt }: Attempt): boolean {
  if (possiblyRepeated || endedAt === null) return true;
  return error !== null && !hadNoEffect(error);
}

function sentenceOf({ attempt, possiblyRepeated, error }: Attempt): string {
  if (possiblyRepeated) return `Attempt ${attempt} went out twice after a crash`;
  return `Whether attempt ${attempt} took effect is unknown (${error?.code ?? error?.type ?? "it never ended"})`;
}
