// Everything that is wrong with a definition, at once: its form, its meaning, what its actions' runners expect, and
// the templates they name.
import { verify } from "#kernel/verify.ts";
import { definition, type Definition } from "#schema/definition.ts";
import { jsonPointer, zodFindings } from "#schema/findings.ts";
import type { JsonObject } from "#schema/json.ts";
import { limits } from "#schema/limits.ts";
import { accept, type Finding, type Result } from "#schema/refusal.ts";
import { didYouMean } from "#schema/suggest.ts";
import type { Caller, Deps } from "./deps.ts";
import { pinTemplates } from "./pin-templates.ts";
import { tenantOf } from "./tenant-of.ts";

export type CheckedDefinition =
  | { readonly ok: true; readonly definition: Definition }
  | { readonly ok: false; readonly findings: readonly Finding[] };

export async function definitionFindings(
  deps: Deps,
  caller: Caller,
  body: unknown,
): Promise<Result<readonly Finding[]>> {
  const tenant = tenantOf(caller);
  if (!tenant.ok) return tenant;
  const checked = await checkDefinition(deps, tenant.value, body);
  return accept(checked.ok ? [] : checked.findings);
}

/** What comes back is as it will be stored: its templates are pinned. */
export async function checkDefinition(deps: Deps, tenant: string, body: unknown): Promise<CheckedDefinition> {
  const size = sizeFindings(body);
  if (size.length > 0) return { ok: false, findings: size };
  const parsed = definition.safeParse(body);
  if (!parsed.success) return { ok: false, findings: zodFindings(parsed.error, definition) };
  const pinned = await pinTemplates(deps, tenant, parsed.data);
  const findings = [...verify(parsed.data), ...actionFindings(deps, parsed.data), ...pinned.findings];
  return findings.length === 0 ? { ok: true, definition: pinned.definition } : { ok: false, findings };
}

function sizeFindings(body: unknown): readonly Finding[] {
  const bytes = new TextEncoder().encode(JSON.stringify(body) ?? "").byteLength;
  if (bytes <= limits.definitionBytesMax) return [];
  const message = `the definition has ${bytes} bytes; the limit is ${limits.definitionBytesMax}`;
  return [{ pointer: "", code: "limit_exceeded", message }];
}

function actionFindings(deps: Deps, { actions = [] }: Definition): readonly Finding[] {
  return actions.flatMap((action, n) => {
    const at = jsonPointer(["actions", n]);
    if (!Object.hasOwn(deps.actionTypes, action.type)) return [unknownType(deps, `${at}/type`, action.type)];
    const lane = deps.actionTypes[action.type]?.lane;
    if (lane !== undefined && action.lane === "direct") return [wrongLane(`${at}/lane`, action.type)];
    return configFindings(deps, `${at}/config`, action.type, action.config);
  });
}

function configFindings(deps: Deps, at: string, type: string, config: JsonObject): readonly Finding[] {
  return deps.configFindings(type, config).map((finding) => ({ ...finding, pointer: at + finding.pointer }));
}

function wrongLane(pointer: string, type: string): Finding {
  const message = `a ${type} action goes through the queue: one execution's object must not wait for another's`;
  return { pointer, code: "lane_not_possible", message, hint: 'leave "lane" out' };
}

function unknownType(deps: Deps, pointer: string, type: string): Finding {
  const known = Object.keys(deps.actionTypes);
  const near = didYouMean(type, known);
  const hint = near === null ? `known are ${known.join(", ")}` : `did you mean "${near}"?`;
  return { pointer, code: "unknown_action_type", message: `there is no action type "${type}"`, hint };
}
