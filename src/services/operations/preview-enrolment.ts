// What a list would come to, by some of its lines: who would be enrolled at this moment, and who would be refused and why.
import { ENROLMENT_SAMPLE_MAX, TROUBLE_CHARS_MAX } from "#schema/limits/subjects.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { reach } from "../cells/reach.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { tryLines } from "./enroll-lines.ts";
import { noOperation } from "./operation-view.ts";

export type SampledLine = {
  readonly part: number;
  readonly line: number;
  /** null: it would be enrolled. */
  readonly code: string | null;
  readonly message: string | null;
  readonly subject: string | null;
};
export type PreviewedEnrolment = {
  readonly lines: number;
  readonly estimatedSeconds: number;
  readonly sampled: number;
  readonly enrolled: number;
  readonly refused: { readonly [code: string]: number };
  readonly items: readonly SampledLine[];
};

export async function previewEnrolment(
  deps: Deps,
  { tenant }: TenantCaller,
  { operation: id }: { readonly operation: string },
): Promise<Result<PreviewedEnrolment>> {
  const object = deps.operation(`${tenant}/${id}`);
  const held = await reach(() => object.read(), "operation");
  if (!held.ok) return held;
  const terms = held.value;
  if (terms === null || terms.verb !== "enroll") return refuse(noOperation(id));
  const sampled = await reach(() => object.sample(ENROLMENT_SAMPLE_MAX), "operation");
  if (!sampled.ok) return sampled;
  const answers = await tryLines(deps, terms, sampled.value, true);
  const items = sampled.value.map(({ id: place }, n) => {
    const answer = answers[n];
    const [part = 0, line = 0] = place.split(".").map(Number);
    if (answer === undefined || answer.ok) {
      return { part, line, code: null, message: null, subject: answer?.value.state.subject?.key ?? null };
    }
    const { code, message } = answer.refusal;
    return { part, line, code, message: message.slice(0, TROUBLE_CHARS_MAX), subject: null };
  });
  const refused: Record<string, number> = {};
  for (const { code } of items) if (code !== null) refused[code] = (refused[code] ?? 0) + 1;
  return accept({
    ...{ lines: terms.matched, estimatedSeconds: Math.ceil(terms.matched / terms.perSecond), sampled: items.length },
    ...{ enrolled: items.filter(({ code }) => code === null).length, refused, items },
  });
}
