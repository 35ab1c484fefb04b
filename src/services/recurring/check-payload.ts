// Payload checks: finds the names in a recurring action's payload that no occurrence could use: unset secrets and
// undefined variables. Each occurrence would otherwise fail.
import { secretsIn } from "#kernel/language/template.ts";
import { childPointer } from "#kernel/language/json-values.ts";
import type { StartItem } from "#schema/engine/cell.ts";
import type { Json } from "#schema/json.ts";
import { accept, type Finding, type Result } from "#schema/refusal.ts";
import type { Deps } from "../deps.ts";
import { previewClaim, previewStart } from "../executions/preview-start.ts";
import { missingSecrets } from "../secrets/missing-secrets.ts";

/** Returns findings whose pointers start at the action, such as /config/to. */
export async function payloadFindings(deps: Deps, start: StartItem): Promise<Result<readonly Finding[]>> {
  const { command } = start;
  const { standalone, tenant } = command;
  if (standalone === undefined) return accept([]);
  const { action } = standalone;
  const unset = await unsetSecrets(deps, tenant, action.config);
  if (unset.length > 0) return accept(unset);
  // The fields that could delay or skip the run are left out, so that its config is rendered now.
  const { delay: _delay, condition: _condition, validUntil: _until, maxLateness: _lateness, ...timeless } = action;
  const { window: _window, ...bare } = timeless;
  const item = { ...start, command: { ...command, standalone: { ...standalone, action: bare } } };
  const started = previewStart(deps, item);
  if (!started.ok) return started;
  const claimed = previewClaim(deps, item, started.value);
  if (!claimed.ok) return claimed;
  const error = claimed.value.state.runs[0]?.error ?? null;
  return accept(error === null ? [] : [renderFinding(error)]);
}

/** Converts the error of rendering, which begins with the place in the config or in the cap, to a finding. */
function renderFinding({ code, message }: { readonly code?: string | undefined; readonly message: string }): Finding {
  const [place = "", field = "config", pointer = ""] = /^(config|cap)(\/\S*)?: /.exec(message) ?? [];
  return { pointer: `/${field}${pointer}`, code: code ?? "template_invalid", message: message.slice(place.length) };
}

async function unsetSecrets(deps: Deps, tenant: string, config: Json): Promise<readonly Finding[]> {
  const uses = textsIn(config, "/config").flatMap(({ text, pointer }) =>
    secretsIn(text).map((name) => ({ name, pointer })),
  );
  const unset = new Set(await missingSecrets(deps, tenant, [...new Set(uses.map(({ name }) => name))]));
  return uses
    .filter(({ name }) => unset.has(name))
    .map(({ name, pointer }) => {
      const hint = `Set the secret: PUT /v1/secrets/${name}.`;
      return { pointer, code: "secret_unset", message: `the secret ${name} is not set`, hint };
    });
}

type PlacedText = { readonly text: string; readonly pointer: string };

function textsIn(value: Json, pointer: string): readonly PlacedText[] {
  if (typeof value === "string") return [{ text: value, pointer }];
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, item]) => textsIn(item as Json, childPointer(pointer, key))); // the items of JSON are JSON
}
