// Unsubscribe links: the page of a link, and the unsubscription. No API key is necessary, because the link is the
// permission. GET changes nothing, because mail scanners call links. POST unsubscribes, from the page's button or with
// one click in a mail client (RFC 8058). Its body is not read.
import { OpenAPIHono } from "@hono/zod-openapi";
import { openLink, unsubscribe, type OpenedLink } from "#services/hooks/unsubscribe.ts";
import { UNSUBSCRIBE_PATH } from "#schema/outgoing/unsubscribe-link.ts";
import type { AppContext, AppEnv } from "../http/context.ts";
import { requestHead } from "../http/raw-body.ts";
import { renderPage, type PageKind } from "./page.ts";

export const unsubscribing = new OpenAPIHono<AppEnv>()
  .get(`${UNSUBSCRIBE_PATH}:token`, async (c) => {
    const link = await linkOf(c);
    return link.kind === "valid" ? pageOf(c, "ask", link.shownAddress) : pageOf(c, link.kind);
  })
  .post(`${UNSUBSCRIBE_PATH}:token`, async (c) => {
    const link = await linkOf(c);
    if (link.kind !== "valid") return pageOf(c, link.kind);
    const result = await unsubscribe(c.var.deps, link.claim);
    if (result.ok) return pageOf(c, result.value.tenant, link.shownAddress);
    return pageOf(c, result.refusal.code === "rate_limited" ? "limited" : "unavailable");
  });

function linkOf(c: AppContext): Promise<OpenedLink> {
  return openLink(c.var.deps, { token: c.req.param("token") ?? "", sender: requestHead(c).sender });
}

const STATUSES = {
  ask: 200,
  active: 200,
  suspended: 200,
  invalid: 404,
  limited: 429,
  unavailable: 503,
} as const satisfies { readonly [kind in PageKind]: number };
const RETRY_AFTER_S = "60";

function pageOf(c: AppContext, kind: PageKind, address = ""): Response | Promise<Response> {
  const nonce = btoa(String.fromCharCode(...c.var.deps.randomBytes(16)));
  const form = kind === "ask" ? "'self'" : "'none'";
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action ${form}; frame-ancestors 'none'`;
  c.header("Content-Security-Policy", policy);
  c.header("Referrer-Policy", "no-referrer");
  c.header("X-Robots-Tag", "noindex, nofollow");
  if (kind === "limited" || kind === "unavailable") c.header("Retry-After", RETRY_AFTER_S);
  return c.html(renderPage({ kind, address, nonce }), STATUSES[kind]);
}
