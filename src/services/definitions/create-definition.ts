// Stores a definition as the next version of its name. The same content again is the same version again, so a
// deployment may send its definitions every time.
import { findDefinition, insertDefinition, latestVersion, type StoredDefinition } from "#catalog/definitions.ts";
import type { Definition } from "#schema/definition/definition.ts";
import { accept, refuse, type Finding, type Result } from "#schema/refusal.ts";
import { VERSION_TRIES_MAX } from "#schema/limits/upkeep.ts";
import { auditRow } from "../upkeep/audit.ts";
import { withRunnerDefaults } from "../actions/check-action.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { learnDefinition } from "./find-definition.ts";
import { sha256 } from "../hash.ts";
import { timeOrderedId } from "#schema/ids.ts";
import { checkDefinition } from "./validate-definition.ts";

export type CreateDefinition = { readonly body: unknown; readonly dryRun: boolean };
export type CreatedDefinition = { readonly definition: StoredDefinition; readonly created: boolean };

export async function createDefinition(
  deps: Deps,
  caller: TenantCaller,
  input: CreateDefinition,
): Promise<Result<CreatedDefinition>> {
  const checked = await checkDefinition(deps, caller.tenant, input.body);
  if (!checked.ok) return refuse(invalid(checked.findings));
  const { kind, name } = checked.definition;
  const body = JSON.stringify(withDefaults(deps, checked.definition));
  const content = { tenant: caller.tenant, name, kind, body, hash: await sha256(body) };
  for (let tries = 0; tries < VERSION_TRIES_MAX; tries++) {
    const held = await findDefinition(deps.db, caller.tenant, { name, version: null });
    if (held?.hash === content.hash && held.archivedAt === null) return accept({ definition: held, created: false });
    const next = await nextVersion(deps, content);
    if (input.dryRun || (await insert(deps, caller, next))) return accept({ definition: next, created: true });
  }
  return refuse({ code: "unavailable", message: `Too many versions of "${name}" are being created at once.` });
}

function withDefaults(deps: Deps, definition: Definition): Definition {
  if (definition.actions === undefined) return definition;
  return { ...definition, actions: definition.actions.map((action) => withRunnerDefaults(deps, action)) };
}

async function nextVersion(
  deps: Deps,
  content: Pick<StoredDefinition, "tenant" | "name" | "kind" | "body" | "hash">,
): Promise<StoredDefinition> {
  const createdAt = deps.now();
  const id = timeOrderedId("def", createdAt, deps.randomBytes(10));
  const version = 1 + (await latestVersion(deps.db, content.tenant, content.name));
  return { ...content, id, version, createdAt, archivedAt: null };
}

/** False: another caller took this version number in between. */
async function insert(deps: Deps, caller: TenantCaller, row: StoredDefinition): Promise<boolean> {
  const audit = auditRow(deps, { ...caller, tenant: row.tenant }, "definition.create", `${row.name}@${row.version}`);
  if (!(await insertDefinition(deps.db, row, audit))) return false;
  learnDefinition(row, deps.now());
  return true;
}

function invalid(errors: readonly Finding[]) {
  const [first] = errors;
  const where = first === undefined || first.pointer === "" ? "" : ` at ${first.pointer}`;
  const count = errors.length === 1 ? "one problem" : `${errors.length} problems`;
  const message = `The definition has ${count}; the first${where}: ${first?.message ?? ""}.`;
  return { code: "definition_invalid", message, errors } as const;
}
