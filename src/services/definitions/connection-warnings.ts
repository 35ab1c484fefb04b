// Connection warnings: the connections that a definition's actions name or need but the tenant does not have, and the
// connections whose secrets are not set.
import { placedActions, placeIn } from "#kernel/programs/placed-actions.ts";
import { warning } from "#kernel/verify/finding.ts";
import { requestedConnection } from "#policy/forecast/requested-connection.ts";
import type { Definition } from "#schema/definition/definition.ts";
import { jsonPointer } from "#schema/findings.ts";
import { NAMES_COMPARED_MAX } from "#schema/limits/api-requests.ts";
import { providersFor } from "#schema/provider/providers.ts";
import type { Warning } from "#schema/refusal.ts";
import { openGuesses } from "#schema/suggest.ts";
import { connectionNoun, listConnections, type ConnectionView } from "../connections/connections.ts";
import { usableConnections } from "../connections/find-connection.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { oncePerKey } from "../once-per-key.ts";
import { missingSecrets } from "../secrets/missing-secrets.ts";
import { missingNameWarning, namesUsedBy, type NameUse } from "./missing-names.ts";

type Account = Pick<ConnectionView, "name" | "settings">;
/** A connection that exists, and where an action uses it. */
type ConnectionUse = { readonly account: Account; readonly where: string };

export async function connectionWarnings(
  deps: Deps,
  caller: TenantCaller,
  definition: Definition,
): Promise<readonly Warning[]> {
  const [named, needed] = await Promise.all([
    namedConnections(deps, caller, definition),
    neededConnections(deps, caller, definition),
  ]);
  const unset = await unsetSecretWarnings(deps, caller, [...named.uses, ...needed.uses]);
  return [...named.warnings, ...needed.warnings, ...unset];
}

/** The code of the warning about a connection that does not exist. */
const UNKNOWN = "connection_unknown";

type FoundConnections = { readonly uses: readonly ConnectionUse[]; readonly warnings: readonly Warning[] };

/** Finds the connections that actions name. */
async function namedConnections(deps: Deps, caller: TenantCaller, definition: Definition): Promise<FoundConnections> {
  const services = namesUsedBy(definition, "service", (type) => type === "api_call");
  const used = [...namesUsedBy(definition, "connection", () => true), ...services];
  if (used.length === 0) return { uses: [], warnings: [] };
  const page = await listConnections(deps, caller, { provider: null, cursor: null, limit: NAMES_COMPARED_MAX });
  const listed: readonly Account[] = page.ok ? page.value.data : [];
  const guess = openGuesses(listed.map(({ name }) => name));
  const find = oncePerKey(async (name: string): Promise<Account | null> => {
    const one = listed.find((each) => each.name === name);
    if (one !== undefined) return one;
    return connectionNoun.find(deps.db, caller.tenant, name);
  });
  const found = await Promise.all(used.map(async (use) => ({ use, account: await find(use.name) })));
  return {
    uses: found.flatMap(({ use, account }) => (account === null ? [] : [{ account, where: use.where }])),
    warnings: found.flatMap(({ use, account }) => (account === null ? [unknownConnection(use, guess(use.name))] : [])),
  };
}

function unknownConnection({ name, where }: NameUse, near: string | null): Warning {
  const create = `Create the connection: POST /v1/connections {"name":"${name}",…}.`;
  return missingNameWarning({ what: `connection ${name}`, code: UNKNOWN, where, near, create });
}

/** Finds the connections of actions that name none but need one: the tenant's only connection for their provider. */
async function neededConnections(deps: Deps, caller: TenantCaller, definition: Definition): Promise<FoundConnections> {
  const find = oncePerKey((provider: string) => usableConnections(deps, caller.tenant, provider));
  const found = await Promise.all(
    placedActions(definition).map(async (placed) => {
      const { type, config } = placed.action;
      const requested = requestedConnection(type, config);
      if (requested === null || requested.name !== null || isTemplate(requested.provider))
        return { uses: [], warnings: [] };
      const { provider } = requested;
      const where = jsonPointer(placeIn(definition, placed, ["config"]));
      const rows = await find(provider);
      const [account] = rows;
      if (account === undefined) return { uses: [], warnings: [noConnection(provider, where)] };
      if (rows.length > 1) {
        const field = type === "api_call" ? "service" : "connection";
        return { uses: [], warnings: [ambiguousConnection(provider, field, rows, where)] };
      }
      return { uses: [{ account, where }], warnings: [] };
    }),
  );
  return { uses: found.flatMap(({ uses }) => uses), warnings: found.flatMap(({ warnings }) => warnings) };
}

function isTemplate(text: string): boolean {
  return text.includes("{{") || text.includes("{%");
}

function noConnection(provider: string, where: string): Warning {
  const message = `no connection for ${provider} exists, so runs that need it would fail`;
  const { kind, providers } = providersFor(provider);
  const example = kind === "only" ? (providers[0] ?? provider) : provider;
  const fix = `Create the connection: POST /v1/connections {"name":"${provider}","provider":"${example}",…}.`;
  return warning(where, UNKNOWN, message, { fix });
}

function ambiguousConnection(provider: string, field: string, rows: readonly Account[], where: string): Warning {
  const names = rows.map(({ name }) => name).join(", ");
  const message = `there are several connections for ${provider} (${names}), so runs that name none of them would fail`;
  return warning(where, "connection_ambiguous", message, { fix: `Set "${field}" to one of these names.` });
}

/** Warns of each use of a connection whose credentials name a secret that is not set. */
async function unsetSecretWarnings(
  deps: Deps,
  caller: TenantCaller,
  uses: readonly ConnectionUse[],
): Promise<readonly Warning[]> {
  const named = [...new Set(uses.flatMap(({ account }) => Object.values(account.settings.credentials ?? {})))];
  const unset = new Set(await missingSecrets(deps, caller.tenant, named));
  return uses.flatMap(({ account, where }) =>
    Object.entries(account.settings.credentials ?? {})
      .filter(([, secret]) => unset.has(secret))
      .map(([field, secret]) => {
        const message = `the connection ${account.name} needs the secret ${secret} (its ${field}), which is not set`;
        return warning(where, "connection_secret_unset", message, {
          fix: `Set the secret: PUT /v1/secrets/${secret}.`,
        });
      }),
  );
}
