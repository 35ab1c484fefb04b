// Tells a tenant's alert channels what a trigger's object has to say to people. Told again, it is the same alert. Throws
// where it could not be told: the object says it again.
import type { Notice } from "#schema/alert.ts";
import type { TriggerNews } from "#schema/inbound/news.ts";
import type { DispatchDeps } from "../actions/dispatch-actions.ts";
import type { Deps } from "../deps.ts";
import { findHook } from "../triggers/find-hook.ts";
import { raiseNotice } from "./raise-notice.ts";

type NewsDeps = Deps & DispatchDeps;
type NewsOf = { readonly tenant: string; readonly trigger: string };

export async function tellTriggerNews(deps: NewsDeps, of: NewsOf, news: readonly TriggerNews[]): Promise<void> {
  const row = await findHook(deps, of.tenant, of.trigger);
  // Deleted: nobody has to do anything about it any more.
  if (row === null) return;
  for (const each of news) await raiseNotice(deps, noticeOf(of.tenant, row.name, each));
}

function noticeOf(tenant: string, name: string, news: TriggerNews): Notice {
  const path = `/v1/triggers/${name}`;
  const about = { severity: "high", tenant, subject: name, at: news.at } as const;
  switch (news.kind) {
    case "stuck": {
      const message = `${news.count} deliveries are unmappable or failed`;
      return {
        ...about,
        code: "deliveries_stuck",
        error: { type: "deliveries_stuck", code: null, message },
        nextStep: `See what is wrong with them, mend the trigger or what it starts, then POST ${path}/replay.`,
        look: [`${path}/deliveries?status=unmappable`, `${path}/deliveries?status=failed`],
      };
    }
    case "frozen": {
      const { reason, nextStep } = news;
      const error = { type: "poller_frozen", ...reason };
      return { ...about, code: "poller_frozen", error, nextStep, look: [path] };
    }
  }
}
