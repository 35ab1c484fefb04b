// List pages for pollers: requests one page like an api_call, with conditional headers. A next page on another host is
// refused, because it would receive the credentials. This runner is not an action type.
import { z } from "zod";
import type { JsonObject } from "#schema/json.ts";
import { POLL_TIMEOUT_MS } from "#schema/limits/inbound/polling.ts";
import { ANSWER_BYTES_MAX } from "#schema/limits/outgoing/responses.ts";
import { configurationFailure } from "../core/classify.ts";
import { failureOutcome, successOutcome } from "../core/outcomes.ts";
import type { Runner, RunnerContext } from "../core/runner.ts";
import type { SignedRequest } from "./api-auth.ts";
import { signedCall, targetOf } from "./api-call.ts";
import { apiCallConfig } from "./api-call-config.ts";
import { send, unreadableFailure, type HttpAnswer, type HttpRefusal } from "./call.ts";
import { bodyOf } from "./payload.ts";
import { isComplete } from "./read-text.ts";
import { headersOf, setHeaders, withQuery } from "./request.ts";

const pageConfig = z.strictObject({
  request: apiCallConfig,
  /** The URL of a following page; null: request the first page. */
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
    if (!target.ok) return failureOutcome(target, span());
    const url = config.page ?? target.url;
    if (!isAtHost(url, target.url)) return failureOutcome(otherHostFailure, span());
    const answer = await signedCall(config.request, target, context, (auth) => requestPage(config, url, auth, context));
    if (!answer.ok) return failureOutcome(answer, span());
    const { status, headers, data, incomplete } = answer;
    if (incomplete !== null && !isComplete(data))
      return failureOutcome(unreadableFailure("the page", answer, { reads: true }), span());
    const result: JsonObject = { status, headers, data, url };
    return successOutcome({ result, events: [] }, span());
  },
};

/** Requests the page. The page's URL may contain old query parameters of the credential, so these are replaced. */
function requestPage(
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
  return send(
    { ...call, expectedStatusCodes: EXPECTED_STATUSES, reads: true, answerBytesMax: ANSWER_BYTES_MAX },
    context,
  );
}

const EXPECTED_STATUSES = [200, 203, 304];

function isAtHost(page: string, first: string): boolean {
  return URL.canParse(page) && new URL(page).origin === new URL(first).origin;
}

const otherHostFailure = configurationFailure("paging: the next page is on another host", "egress_refused");
