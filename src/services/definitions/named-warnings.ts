// Missing-name warnings: the secrets, connections and definitions that a definition names but its tenant does not have.
// These are only warnings, because the client may create the objects later. A missing template is an error, because the
// definition stores the template's version.
import { rulesAndTemplatesOf } from "#kernel/verify/rules-and-templates/of-definition.ts";
import type { PlacedText } from "#kernel/verify/rules-and-templates/rules-and-templates.ts";
import { secretsIn } from "#kernel/language/template.ts";
import type { Definition } from "#schema/definition/definition.ts";
import { NAMES_COMPARED_MAX } from "#schema/limits/api-requests.ts";
import type { Result, Warning } from "#schema/refusal.ts";
import { openGuesses } from "#schema/suggest.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { listSecrets } from "../secrets/secrets.ts";
import { missingSecrets } from "../secrets/missing-secrets.ts";
import { bindingWarnings } from "./binding-warnings.ts";
import { connectionWarnings } from "./connection-warnings.ts";
import { missingNameWarning } from "./missing-names.ts";
import { childDefinitionWarnings } from "./child-definition-warnings.ts";

export async function namedWarnings(
  deps: Deps,
  caller: TenantCaller,
  definition: Definition,
): Promise<readonly Warning[]> {
  const found = await Promise.all([
    secretWarnings(deps, caller, rulesAndTemplatesOf(definition).texts),
    connectionWarnings(deps, caller, definition),
    childDefinitionWarnings(deps, caller, definition),
  ]);
  return [...found.flat(), ...bindingWarnings(deps, definition)];
}

async function secretWarnings(deps: Deps, caller: TenantCaller, texts: readonly PlacedText[]): Promise<Warning[]> {
  const uses = texts.flatMap(({ text, where }) => secretsIn(text).map((name) => ({ name, text, where })));
  const unset = new Set(await missingSecrets(deps, caller.tenant, [...new Set(uses.map(({ name }) => name))]));
  if (unset.size === 0) return [];
  const guess = openGuesses(namesOf(await listSecrets(deps, caller, { cursor: null, limit: NAMES_COMPARED_MAX })));
  return uses
    .filter(({ name }) => unset.has(name))
    .map(({ name, text, where }) => {
      const similar = guess(name);
      const advice = `Set the secret: PUT /v1/secrets/${name}.`;
      const corrected = text.replaceAll(
        new RegExp(`(\\{\\{-?\\s*secrets\\.)${name}(?![\\w-])`, "g"),
        `$1${String(similar)}`,
      );
      return missingNameWarning({
        what: `secret ${name}`,
        code: "secret_unset",
        where,
        near: similar,
        create: advice,
        value: corrected,
      });
    });
}

function namesOf(page: Result<{ readonly data: readonly { readonly name: string }[] }>): readonly string[] {
  return page.ok ? page.value.data.map(({ name }) => name) : [];
}
