// Looks at a changed config before anything is changed: as a definition with it would be looked at. Gives the patch as
// it is to be sent, with the template it names pinned.
import { mergePatch } from "#kernel/language/merge-patch.ts";
import { templateFindings } from "#kernel/language/render.ts";
import type { JsonObject } from "#schema/json.ts";
import { accept, refuse, type Finding, type Result } from "#schema/refusal.ts";
import type { Run } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { actionOfRun } from "../actions/action-of-run.ts";
import type { Deps } from "../deps.ts";
import { pinOneAction } from "../templates/pin-templates.ts";

const AT = "/config";

export async function checkEdit(
  deps: Deps,
  state: ExecutionState,
  run: Run,
  patch: JsonObject,
): Promise<Result<JsonObject>> {
  const found = await actionOfRun(deps, state, run.action);
  if (!found.ok) return found;
  const config = mergePatch(run.edit ?? found.value.config, patch);
  const own = deps.configFindings(run.type, config).map((each) => ({ ...each, pointer: AT + each.pointer }));
  const pinned = await pinOneAction(deps, state.tenant, { ...found.value, config }, "");
  const namesTemplate = Object.hasOwn(patch, "template");
  // An archived template goes on being sent; only nobody chooses it any more.
  const ofTemplate = pinned.findings.filter(({ code }) => namesTemplate || code !== "template_archived");
  const findings = [...own, ...templateFindings(config, AT), ...ofTemplate];
  if (findings.length > 0) return refuse(invalid(findings));
  const { template } = pinned.action.config;
  return accept(namesTemplate && template !== undefined ? { ...patch, template } : patch);
}

function invalid(errors: readonly Finding[]) {
  return {
    code: "config_invalid",
    message: `With these changes the action's config would not be valid: ${errors.length} finding${errors.length === 1 ? "" : "s"}.`,
    hint: "Nothing has changed. `config` is a merge patch: only what is to be different stands in it, null removes.",
    errors,
  } as const;
}
