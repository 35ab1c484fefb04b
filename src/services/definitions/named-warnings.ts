// What a definition names and its tenant does not have: secrets, connections, other definitions. It may be made later, so it
// stops nothing; a template that is not there is an error, since its version is pinned.
import { definitionVersions } from "#catalog/definitions.ts";
import { findVersion } from "#catalog/versioned.ts";
import { warning } from "#kernel/verify/finding.ts";
import { writtenIn, type PlacedText } from "#kernel/verify/written.ts";
import { secretsIn } from "#kernel/language/template.ts";
import type { Definition } from "#schema/definition/definition.ts";
import { jsonPointer } from "#schema/findings.ts";
import { NAMES_COMPARED_MAX } from "#schema/limits/upkeep.ts";
import type { Result, Warning } from "#schema/refusal.ts";
import { didYouMean } from "#schema/suggest.ts";
import { listConnections } from "../connections/list-connections.ts";
import { connectionNoun } from "../connections/connection-noun.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { findNamed } from "../named/find-named.ts";
import { listSecrets } from "../secrets/list-secrets.ts";
import { unsetSecrets } from "../secrets/unset-secrets.ts";
import { nearName } from "../versioned/near-names.ts";
import { parseReference } from "./definition-reference.ts";

export async function namedWarnings(
  deps: Deps,
  caller: TenantCaller,
  definition: Definition,
): Promise<readonly Warning[]> {
  const found = await Promise.all([
    secretWarnings(deps, caller, writtenIn(definition).texts),
    connectionWarnings(deps, caller, definition),
    definitionWarnings(deps, caller, definition),
  ]);
  return found.flat();
}

async function secretWarnings(deps: Deps, caller: TenantCaller, texts: readonly PlacedText[]): Promise<Warning[]> {
  const uses = texts.flatMap(({ text, where }) => secretsIn(text).map((name) => ({ name, text, where })));
  const unset = new Set(await unsetSecrets(deps, caller.tenant, [...new Set(uses.map(({ name }) => name))]));
  if (unset.size === 0) return [];
  const known = namesOf(await listSecrets(deps, caller, { cursor: null, limit: NAMES_COMPARED_MAX }));
  return uses
    .filter(({ name }) => unset.has(name))
    .map(({ name, text, where }) => {
      const near = didYouMean(name, known);
      const create = `Set it: PUT /v1/secrets/${name}.`;
      const meant = text.replaceAll(new RegExp(`(\\{\\{-?\\s*secrets\\.)${name}(?![\\w-])`, "g"), `$1${String(near)}`);
      return absent({ what: `secret ${name}`, code: "secret_unset", where, near, create, value: meant });
    });
}

async function connectionWarnings(deps: Deps, caller: TenantCaller, definition: Definition): Promise<Warning[]> {
  const uses = namedBy(definition, "connection", () => true);
  if (uses.length === 0) return [];
  const known = namesOf(
    await listConnections(deps, caller, { provider: null, cursor: null, limit: NAMES_COMPARED_MAX }),
  );
  const refs = [...new Set(uses.map(({ name }) => name))].filter((name) => !known.includes(name));
  const looked = await Promise.all(
    refs.map(async (name) => ((await findNamed(deps, caller, connectionNoun, name)).ok ? null : name)),
  );
  return uses
    .filter(({ name }) => looked.includes(name))
    .map(({ name, where }) => {
      const near = didYouMean(name, known);
      const create = `Create it: POST /v1/connections {"name":"${name}",…}.`;
      return absent({ what: `connection ${name}`, code: "connection_unknown", where, near, create });
    });
}

/** One that starts itself is there as soon as it is stored. */
async function definitionWarnings(deps: Deps, caller: TenantCaller, definition: Definition): Promise<Warning[]> {
  const uses = namedBy(definition, "definition", (type) => type === "start_execution");
  const refs = [...new Set(uses.map(({ name }) => name))].filter((name) => name !== definition.name);
  const looked = await Promise.all(refs.map((reference) => lookAt(deps, caller.tenant, reference)));
  return uses.flatMap(({ name, where }) => {
    const seen = looked.find((each) => each.reference === name);
    if (seen === undefined || seen.state === "there") return [];
    const what = `definition ${name}${seen.state === "archived" ? " that is not archived" : ""}`;
    const create = "Store it: POST /v1/definitions.";
    return [absent({ what, code: "definition_unknown", where, near: seen.near, create })];
  });
}

type Looked = {
  readonly reference: string;
  readonly state: "there" | "archived" | "absent";
  readonly near: string | null;
};

async function lookAt(deps: Deps, tenant: string, reference: string): Promise<Looked> {
  const key = parseReference(reference);
  const row = key === null ? null : await findVersion(deps.db, definitionVersions, tenant, key);
  if (row !== null && row.archivedAt === null) return { reference, state: "there", near: null };
  const near = await nearName(deps, definitionVersions, tenant, reference);
  return { reference, state: row === null ? "absent" : "archived", near: near === null ? null : near.name };
}

type Use = { readonly name: string; readonly where: string };

/** A name with a template in it is known when it is rendered. */
function namedBy({ actions = [] }: Definition, field: string, isMeant: (type: string) => boolean): readonly Use[] {
  return actions.flatMap(({ type, config }, n) => {
    const name = config[field];
    if (!isMeant(type) || typeof name !== "string" || /\{\{|\{%/.test(name)) return [];
    return [{ name, where: jsonPointer(["actions", n, "config", field]) }];
  });
}

function namesOf(page: Result<{ readonly data: readonly { readonly name: string }[] }>): readonly string[] {
  return page.ok ? page.value.data.map(({ name }) => name) : [];
}

type Absent = {
  readonly what: string;
  readonly code: string;
  readonly where: string;
  readonly near: string | null;
  /** What to do where it is the right name. */
  readonly create: string;
  readonly value?: string;
};

function absent({ what, code, where, near, create, value }: Absent): Warning {
  const fix = near === null ? create : `Write ${near}, if that is meant. ${create}`;
  const patch = near === null ? null : [{ op: "replace", path: where, value: value ?? near } as const];
  return warning(where, code, `there is no ${what}: its runs would fail`, { fix, patch });
}
