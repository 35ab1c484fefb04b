// What is wrong with a recurring action, as findings about what was sent: its expression, its zone, its ends, its work.
import { parseCron } from "#kernel/calendar/cron.ts";
import { shortestGapMs } from "#policy/calendar/shortest-gap.ts";
import type { RecurringSpec } from "#schema/recurring/spec.ts";
import { accept, refuse, type Finding, type Result } from "#schema/refusal.ts";
import { previewStart } from "../executions/preview-start.ts";
import type { Deps } from "../deps.ts";
import { checkRecurring } from "../size-limits.ts";
import { planOccurrence } from "./occurrence-request.ts";
import { readConfig } from "./read-config.ts";

/** Before anything is made of it. */
export function cronFindings(cron: string): readonly Finding[] {
  const read = parseCron(cron);
  return read.ok
    ? []
    : [
        {
          pointer: "/cron_expr",
          code: "invalid_cron",
          message: read.message,
          ...(read.hint ? { hint: read.hint } : {}),
        },
      ];
}

/** What it means is tried out as its first occurrence would be. */
export async function checkSpec(deps: Deps, tenant: string, id: string, spec: RecurringSpec): Promise<Result<null>> {
  const sized = checkRecurring(spec);
  if (!sized.ok) return sized;
  const findings = [...(await intervalFindings(deps, tenant, spec)), ...endFindings(deps, spec)];
  if (findings.length > 0) return refuse(invalid(findings));
  const { namespace, work } = spec;
  const planned = await planOccurrence(
    deps,
    { tenant, id, namespace, work },
    { id: "check", nominal: 0, at: deps.now() },
  );
  if (!planned.ok) return refuse(inTheirWords(planned.refusal));
  const started = previewStart(deps, planned.value);
  return started.ok ? accept(null) : refuse(inTheirWords(started.refusal));
}

async function intervalFindings(deps: Deps, tenant: string, { rule }: RecurringSpec): Promise<readonly Finding[]> {
  const { intervalMs: leastMs } = await readConfig(deps, { tenant });
  const gapMs = shortestGapMs(rule, deps.now());
  if (gapMs === null || gapMs >= leastMs) return [];
  const message = `comes due ${gapMs / 1_000} s after another occurrence; the least is ${leastMs / 1_000} s (recurringPerMinute)`;
  const hint =
    'whoever has the root key can allow more: PATCH /v1/tenants/{id} with {"limits":{"recurringPerMinute":…}}';
  return [{ pointer: "/cron_expr", code: "too_often", message, hint }];
}

function endFindings({ now }: Pick<Deps, "now">, { startsAt, endsAt }: RecurringSpec): readonly Finding[] {
  if (endsAt === null) return [];
  if (endsAt <= now()) return [{ pointer: "/ends_at", code: "in_the_past", message: "must be in the future" }];
  if (startsAt === null || startsAt < endsAt) return [];
  return [{ pointer: "/ends_at", code: "before_the_start", message: "must be later than starts_at" }];
}

export function invalid(errors: readonly Finding[]) {
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  const message = `${first?.pointer ?? ""}: ${first?.message ?? ""}${more}.`;
  const hint = first?.hint === undefined ? {} : { hint: first.hint };
  return { code: "invalid_input", message, errors, ...hint } as const;
}

/** What is wrong with the action is said of the fields that it was made of. */
function inTheirWords(refusal: Extract<Result<never>, { ok: false }>["refusal"]) {
  const { code, errors = [], message } = refusal;
  if (code === "unavailable" || code === "tenant_suspended" || code === "quota_exceeded") return refusal;
  if (errors.length === 0) return { code: "invalid_input", message, errors: [at("", message)] } as const;
  return invalid(errors.map((found) => ({ ...found, pointer: pointerOf(found.pointer) })));
}

function at(pointer: string, message: string): Finding {
  return { pointer, code: "invalid", message };
}

function pointerOf(pointer: string): string {
  return pointer
    .replace(/^\/config(?=\/|$)/, "/payload")
    .replace(/^\/type$/, "/provider")
    .replace(/^\/actionId$/, "/action_type");
}
