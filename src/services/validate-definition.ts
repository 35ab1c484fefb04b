// Everything that is wrong with a definition, at once: its form, its meaning, and what its actions' runners expect.
import { verify } from "#kernel/verify.ts";
import { definition, type Definition } from "#schema/definition.ts";
import { jsonPointer, zodFindings } from "#schema/findings.ts";
import type { JsonObject } from "#schema/json.ts";
import { limits } from "#schema/limits.ts";
import type { Finding } from "#schema/refusal.ts";
import { didYouMean } from "#schema/suggest.ts";
import type { Deps } from "./deps.ts";

export type CheckedDefinition =
  | { readonly ok: true; readonly definition: Definition }
  | { readonly ok: false; readonly findings: readonly Finding[] };

export function definitionFindings(deps: Deps, body: unknown): readonly Finding[] {
  const checked = checkDefinition(deps, body);
  return checked.ok ? [] : checked.findings;
}

export function checkDefinition(deps: Deps, body: unknown): CheckedDefinition {
  const size = sizeFindings(body);
  if (size.length > 0) return { ok: false, findings: size };
  const parsed = definition.safeParse(body);
  if (!parsed.success) return { ok: false, findings: zodFindings(parsed.error, definition) };
  const findings = [...verify(parsed.data), ...actionFindings(deps, parsed.data)];
  return findings.length === 0 ? { ok: true, definition: parsed.data } : { ok: false, findings };
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
    return configFindings(deps, `${at}/config`, action.type, action.config);
  });
}

function configFindings(deps: Deps, at: string, type: string, config: JsonObject): readonly Finding[] {
  return deps.configFindings(type, config).map((finding) => ({ ...finding, pointer: at + finding.pointer }));
}

function unknownType(deps: Deps, pointer: string, type: string): Finding {
  const known = Object.keys(deps.actionTypes);
  const near = didYouMean(type, known);
  const hint = near === null ? `known are ${known.join(", ")}` : `did you mean "${near}"?`;
  return { pointer, code: "unknown_action_type", message: `there is no action type "${type}"`, hint };
}
