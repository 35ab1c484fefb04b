// Creates a trigger. The secrets it names need not be set yet; nobody is believed until they are.
import type { Trigger } from "#schema/inbound/trigger.ts";
import type { Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { createNamed } from "../named/create-named.ts";
import { checkTrigger } from "./check-trigger.ts";
import { makeToken } from "./hook-token.ts";
import { tellPoller } from "./tell-poller.ts";
import { settingsOf } from "./trigger-settings.ts";
import { triggerNoun, type TriggerRowView } from "./trigger-noun.ts";

export type CreateTrigger = { readonly body: Trigger; readonly dryRun: boolean };

export async function createTrigger(
  deps: Deps,
  caller: TenantCaller,
  { body, dryRun }: CreateTrigger,
): Promise<Result<TriggerRowView>> {
  const { tenant } = caller;
  // Without a key there is no address to give out: better said now than when somebody asks for it.
  const provable = body.kind === "webhook" ? await makeToken(deps, { tenant, trigger: "", generation: 1 }) : null;
  if (provable?.ok === false) return provable;
  const checked = await checkTrigger(deps, tenant, body);
  if (!checked.ok) return checked;
  const { name, kind, namespace, labels } = body;
  const settings = settingsOf(body);
  const token = { generation: 1, previousUntil: 0 };
  const standing = { v: 1, disabled: null, token, previousSecret: null } as const;
  const created = await createNamed(deps, caller, triggerNoun, {
    name,
    complete: (row) => ({ ...row, kind, namespace, labels, settings, standing }),
    dryRun,
  });
  if (created.ok && !dryRun) await tellPoller(deps, { ...created.value, tenant });
  return created;
}
