// Sandbox Worker: imitates the HTTP endpoints of providers, records requests, and fails as scripts demand. Each
// provider has one file and its routes in this file. sink.ts is the simplest example.
import { Router } from "itty-router";
import { about } from "./about.ts";
import * as control from "./control.ts";
import { d1, libsql } from "./database.ts";
import { docusignCreate, docusignRead, docusignToken } from "./docusign/envelopes.ts";
import { docusignView } from "./docusign/recipient-view.ts";
import { sendConnectMessage } from "./docusign/connect.ts";
import type { SandboxEnv } from "./env.ts";
import { putTarget, sendMessageCallback } from "./callbacks/message-callbacks.ts";
import { oauthToken, protectedApi } from "./oauth.ts";
import { broken, notFound } from "./problem.ts";
import { fcm, webPush } from "./push.ts";
import { quick } from "./quick.ts";
import { resendDomains, sendgridScopes, slackAuth, twilioAccount } from "./probes.ts";
import { resend } from "./resend.ts";
import { sendgrid } from "./sendgrid.ts";
import { list } from "./lists.ts";
import { sendHook } from "./signed-hook.ts";
import { sink } from "./sink.ts";
import { slackApi, slackHook } from "./slack.ts";
import { twilio } from "./twilio.ts";

export { SandboxStore } from "./store.ts";

const router = Router<Request, [SandboxEnv]>({ catch: broken });

router
  .get("/", about)
  .get("/health", () => Response.json({ ok: true }))

  .all("/sink/*", sink)
  .all("/quick/*", quick)
  .get("/lists/:list", list)
  .post("/lists/:list", list)

  .get("/sendgrid/v3/scopes", sendgridScopes)
  .get("/resend/domains", resendDomains)
  .get("/twilio/2010-04-01/Accounts/:account.json", twilioAccount)
  .post("/slack/api/auth.test", slackAuth)
  .post("/sendgrid/v3/mail/send", sendgrid)
  .post("/resend/emails", resend)
  .post("/twilio/2010-04-01/Accounts/:account/Messages.json", twilio)
  .post("/slack/api/chat.postMessage", slackApi)
  .post("/slack/services/*", slackHook)
  .post("/d1/client/v4/accounts/:account/d1/database/:database/query", d1)
  .post("/libsql/v2/pipeline", libsql)
  .post("/push/:subscription", webPush)
  .post("/fcm/v1/projects/*", fcm)
  .post("/docusign/oauth/token", docusignToken)
  .post("/docusign/restapi/v2.1/accounts/:account/envelopes", docusignCreate)
  .get("/docusign/restapi/v2.1/accounts/:account/envelopes", docusignRead)
  .get("/docusign/restapi/v2.1/accounts/:account/envelopes/:envelope", docusignRead)
  .post("/docusign/restapi/v2.1/accounts/:account/envelopes/:envelope/views/recipient", docusignView)
  .post("/oauth2/token", oauthToken)
  .all("/api/*", protectedApi)

  .put("/_control/scripts", control.putScript)
  .get("/_control/scripts", control.listScripts)
  .delete("/_control/scripts", control.clearScripts)
  .get("/_control/requests", control.listRequests)
  .delete("/_control/requests", control.clearRequests)
  .get("/_control/keys", control.listKeys)
  .get("/_control/effects", control.listEffects)
  .post("/_control/docusign/callbacks", sendConnectMessage)
  .put("/_control/callbacks", putTarget)
  .post("/_control/callbacks", sendMessageCallback)
  .post("/_control/hooks", sendHook)

  .all("*", notFound);

export default { fetch: (request, env) => router.fetch(request, env) } satisfies ExportedHandler<SandboxEnv>;
