// Rehearsal lookups: a rehearsal reads the tenant's connections without their secrets, its templates, and whether a
// definition can be started. It changes nothing, calls no gate and renews no token.
import type { ClosedAccount, Lookups } from "#schema/rehearsal.ts";
import { UNSUBSCRIBE_PLACEHOLDER } from "#schema/outgoing/unsubscribe-link.ts";
import { rehearseStart } from "../executions/act-on-executions.ts";
import { dueInstant } from "../tasks/create-task.ts";
import type { Deps } from "../deps.ts";
import { findConnection } from "../connections/find-connection.ts";
import { hostRestrictionsOf } from "../secrets/host-restrictions.ts";
import { openSuppressionLookup } from "../suppressions/find-suppressed.ts";
import { renderTemplate } from "../templates/render-template.ts";

export type OpenedLookups = {
  readonly lookups: Lookups;
  /** The providers of actions that name no connection, but for which the tenant's only connection was found. */
  readonly unnamed: Set<string>;
  /** The names of the secrets in the opened connections. */
  readonly secrets: Set<string>;
};

export async function openLookups(deps: Deps, tenant: string): Promise<OpenedLookups> {
  const unnamed = new Set<string>();
  const secrets = new Set<string>();
  const signing = await deps.signingSecrets(tenant, null);
  const lookups: Lookups = {
    account: async (name, provider) => {
      const found = await findConnection(deps, tenant, name, provider);
      if (!found.ok) return { ok: false, failure: { error: found.error } };
      if (name === null) unnamed.add(provider);
      const account = closedAccount(found.row);
      for (const secret of Object.values(account.credentials)) secrets.add(secret);
      return { ok: true, account };
    },
    template: (reference, variables) => renderTemplate(deps, tenant, reference, variables, UNSUBSCRIBE_PLACEHOLDER),
    start: (ticket, request) => rehearseStart(deps, ticket, request),
    dueAt: dueInstant,
    bounds: (names) => hostRestrictionsOf(deps, tenant, names),
    suppressed: openSuppressionLookup(deps)(tenant),
    signs: signing.length > 0,
    publicUrl: deps.installation.publicUrl,
  };
  return { lookups, unnamed, secrets };
}

type Row = Extract<Awaited<ReturnType<typeof findConnection>>, { ok: true }>["row"];

function closedAccount({ name, provider, settings }: Row): ClosedAccount {
  return {
    name,
    provider,
    baseUrl: settings.baseUrl ?? null,
    credentials: settings.credentials ?? {},
    auth: settings.auth ?? { type: "none" },
    settings: settings.settings ?? {},
    sandbox: settings.sandbox ?? false,
  };
}
