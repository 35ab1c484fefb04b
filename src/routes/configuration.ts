// Configuration as code: exports a tenant's configuration as one document, and applies such a document.
import { OpenAPIHono } from "@hono/zod-openapi";
import { configurationKinds } from "#schema/configuration/document.ts";
import { zodFindings } from "#schema/findings.ts";
import type { JsonObject } from "#schema/json.ts";
import type { Finding } from "#schema/refusal.ts";
import * as shape from "#wire/configuration/document.ts";
import { presentApplied, presentConfiguration } from "#wire/configuration/present.ts";
import { createRecurringBody } from "#wire/recurring/bodies.ts";
import { insideRequest } from "#wire/recurring/present.ts";
import { applyConfiguration } from "#services/configuration/apply-configuration.ts";
import type { DesiredItem } from "#services/configuration/configuration-noun.ts";
import { exportConfiguration } from "#services/configuration/export-configuration.ts";
import { answer } from "./http/answer.ts";
import type { AppEnv } from "./http/context.ts";
import { jsonBody, endpoint } from "./http/endpoint.ts";
import { refuseInvalid } from "./http/refuse-invalid.ts";

const tag = "Configuration";

const read = endpoint("exportConfiguration", {
  method: "get",
  path: "/v1/export",
  tag,
  summary: "Export the configuration",
  description:
    "Returns all resources of the configuration as one document, sorted by name and without ids. Secrets appear by name only. Recurring actions without a name are left out.",
  request: { query: shape.exportQuery },
  answer: shape.configurationDocument,
});

const apply = endpoint("applyConfiguration", {
  method: "post",
  path: "/v1/apply",
  tag,
  summary: "Apply a configuration",
  description:
    "Creates and changes resources until they equal the document. The whole document is checked before anything is written. A dry run returns the plan. Each write needs the scope of a single write: `write` or `admin`. The request is idempotent: the same document again changes nothing.",
  request: { query: shape.applyQuery, body: jsonBody(shape.configurationDocument) },
  answer: shape.appliedConfiguration,
});

export const configuration = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid })
  .openapi(read, async (c) => {
    const { kinds } = c.req.valid("query");
    const named = kinds?.split(",") ?? configurationKinds;
    const input = { kinds: configurationKinds.filter((kind) => named.some((each) => each === kind)) };
    return answer(c, await exportConfiguration(c.var.deps, c.var.caller, input), presentConfiguration);
  })
  .openapi(apply, async (c) => {
    const { dryRun, prune, reason = null } = c.req.valid("query");
    const desired = desiredConfiguration(c.req.valid("json"));
    const result = await applyConfiguration(c.var.deps, c.var.caller, { ...desired, prune, reason, dryRun });
    return answer(c, result, (applied) => presentApplied(applied, dryRun));
  });

function desiredConfiguration(document: shape.ApiConfiguration) {
  const findings: Finding[] = [];
  const items: DesiredItem[] = [];
  for (const kind of configurationKinds.filter((each) => each !== "prices")) {
    for (const [n, body] of (document[kind] ?? []).entries()) {
      const parsed = desiredItem({ kind, body: body as JsonObject, pointer: `/${kind}/${n}` }); // The body was parsed from JSON.
      if ("findings" in parsed) findings.push(...parsed.findings);
      else items.push(parsed);
    }
  }
  const { prices } = document;
  if (prices !== undefined)
    items.push({ kind: "prices", name: "prices", body: prices as JsonObject, pointer: "/prices", recurring: null }); // As above.
  return { items, findings, kinds: configurationKinds.filter((kind) => document[kind] !== undefined) };
}

type Sent = Pick<DesiredItem, "kind" | "body" | "pointer">;

function desiredItem({ kind, body, pointer }: Sent): DesiredItem | { readonly findings: readonly Finding[] } {
  const { name } = body;
  if (typeof name !== "string" || name === "")
    return {
      findings: [{ pointer: `${pointer}/name`, code: "required", message: "is missing: each resource has a name" }],
    };
  if (JSON.stringify(body).includes("[redacted]")) {
    const message = "contains [redacted]: an export does not contain credentials that were written as plain text";
    return { findings: [{ pointer, code: "credential_redacted", message, hint: "Name a secret instead." }] };
  }
  if (kind !== "recurring") return { kind, name, body, pointer, recurring: null };
  const parsed = createRecurringBody.safeParse(body);
  if (parsed.success) return { kind, name, body, pointer, recurring: insideRequest(parsed.data) };
  const found = zodFindings(parsed.error, createRecurringBody);
  return { findings: found.map((each) => ({ ...each, pointer: `${pointer}${each.pointer}` })) };
}
