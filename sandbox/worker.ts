// The sandbox Worker: stands in for outside HTTP endpoints, records what it received and can be told to fail.
// A provider is one file and one line here; sink.ts is the model: `receive` records it and makes it scriptable.
import { Router } from "itty-router";
import { about } from "./about.ts";
import * as control from "./control.ts";
import type { SandboxEnv } from "./env.ts";
import { broken, notFound } from "./problem.ts";
import { quick } from "./quick.ts";
import { sink } from "./sink.ts";

export { SandboxStore } from "./store.ts";

const router = Router<Request, [SandboxEnv]>({ catch: broken });

router
  .get("/", about)
  .get("/health", () => Response.json({ ok: true }))

  .all("/sink/*", sink)
  .all("/quick/*", quick)

  .put("/_control/scripts", control.putScript)
  .get("/_control/scripts", control.listScripts)
  .delete("/_control/scripts", control.clearScripts)
  .get("/_control/requests", control.listRequests)
  .delete("/_control/requests", control.clearRequests)
  .get("/_control/keys", control.listKeys)
  .get("/_control/effects", control.listEffects)

  .all("*", notFound);

export default {
  fetch: (request, env) => router.fetch(request, env),
} satisfies ExportedHandler<SandboxEnv>;
