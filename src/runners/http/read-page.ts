// List pages for pollers: requests one page like an api_call, with conditional headers. A next page on another host is
// refused, because credentials are sent. It is not an action type.
import { z } from "zod";
import type { JsonObject } from "#schema/json.ts";
import { POLL_TIMEOUT_MS } from "#schema/limits/inbound/polling.ts";
import { ANSWER_BYTES_MAX } from "#schema/limits/outgoing/responses.ts";
import { configurationFailure } from "../core/classify.ts";
import { failed, succeeded } from "../core/outcomes.ts";
import type { Runner, RunnerContext } from "../core/runner.ts";
import type { SignedRequest } from "./api-auth.ts";
import { signedCall, targetOf } from "./api-call.ts";
import { apiCallConfig } from "./api-call-config.ts";
import { send, unreadable, type HttpAnswer, type HttpRefusal } from "./call.ts";
import { bodyOf } from "./payload.ts";
import { isWhole } from "./read-text.ts";
import { headersOf, setHeaders, withQuery } from "./request.ts";

const pageConfig = z.strictObject({
  request: apiCallConfig,
  /** The address of a following page. null: the first page. */
  page: z.string().nullable(),
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
});
type PageConfig = z.infer<typeof pageConfig>;

export const pageReader: Runner<PageConfig> = {
  type: "page",
  config: pageConfig,
  permissions: ["http:send"],
  repeats: { mode: "none" },
  timeoutMs: POLL_TIMEOUT_MS,
  retryPolicy: "default",
  run: async (config, context) => {
    const startedAt = context.now();
    const span = () => ({ startedAt, endedAt: context.now() });
    const target = await targetOf(config.request, context);
    if (!target.ok) return failed(target, span());
    const url = config.page ?? target.url;
    if (!isAtHost(url, target.url)) return failed(elsewhere, span());
    const answer = await signedCall(config.request, target, context, (auth) => read(config, url, auth, context));
    if (!answer.ok) return failed(answer, span());
    const { status, headers, data, incomplete } = answer;
    if (incomplete !== null && !isWhole(data)) return failed(unreadable("the page", answer, { reads: true }), span());
    const result: JsonObject = { status, headers, data, url };
    return succeeded({ result, events: [] }, span());
  },
};

/**
 * Requests the page. Query parameters of the credential are replaced, because the page's address may contain old ones.
 */
function read(
  { request, etag, lastModified }: PageConfig,
  url: string,
  auth: SignedRequest,
  context: RunnerContext,
): Promise<HttpAnswer | HttpRefusal> {
  const page = new URL(url);
  for (const name of Object.keys(auth.query)) page.searchParams.delete(name);
  const { text: body, contentType } = bodyOf(request.payload, request.encoding);
  const conditions = { "If-None-Match": etag, "If-Modified-Since": lastModified };
  const headers = headersOf(request.headers, {
    Accept: "application/json",
    "Content-Type": contentType,
    ...conditions,
  });
  setHeaders(headers, auth.headers);
  const call = { method: request.method, url: withQuery(page.href, auth.query), headers, body, secrets: auth.secrets };
  return send({ ...call, expectedStatusCodes: READ, reads: true, answerBytesMax: ANSWER_BYTES_MAX }, context);
}

const READ = [200, 203, 304];

function isAtHost(page: string, first: string): boolean {
  return URL.canParse(page) && new URL(page).origin === new URL(first).origin;
}

const elsewhere = configurationFailure("paging: the next page is on another host", "egress_refused");
