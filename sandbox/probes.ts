// Connection probes: the harmless calls with which the engine tests a connection. Only the form of the credentials is
// checked.
import { basicOf, bearerOf } from "./provider.ts";

const refused = (body: object) => Response.json(body, { status: 401 });

export const sendgridScopes = (request: Request) =>
  bearerOf(request).startsWith("SG.")
    ? Response.json({ scopes: ["mail.send"] })
    : refused({ errors: [{ field: null, message: "authorization required" }] });

export const resendDomains = (request: Request) =>
  bearerOf(request).startsWith("re_")
    ? Response.json({ data: [] })
    : refused({ statusCode: 401, name: "validation_error", message: "API key is invalid" });

export const twilioAccount = (request: Request) =>
  basicOf(request).password === ""
    ? refused({ code: 20003, message: "Authenticate", status: 401 })
    : Response.json({ status: "active", friendly_name: "Sandbox" });

/** Slack answers with status 200 even if it refuses the request. */
export const slackAuth = (request: Request) =>
  Response.json(
    bearerOf(request).startsWith("xoxb-") ? { ok: true, team: "Sandbox" } : { ok: false, error: "invalid_auth" },
  );
