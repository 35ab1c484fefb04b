// Slack message: the config schema, and the request's headers and body for both ways of posting.
import { z } from "zod";
import { json, type JsonObject } from "#schema/json.ts";
import type { Failure } from "../core/classify.ts";
import type { HttpAnswer } from "../http/call.ts";
import type { RunnerContext } from "../core/runner.ts";

export const slackConfig = z
  .strictObject({
    /** The name of a connection. Default: the tenant's only Slack connection. */
    connection: z.string().min(1).optional(),
    /** The channel. It is required if the connection has a token; an incoming webhook has its own channel. */
    channel: z.string().min(1).max(100).optional(),
    text: z.string().min(1).max(40_000).optional(),
    blocks: z.array(z.record(z.string(), json)).min(1).max(50).optional(),
    threadTs: z
      .string()
      .regex(/^\d+\.\d+$/, { message: "must be a message's ts such as 1503435956.000247" })
      .optional(),
    replyBroadcast: z.boolean().optional(),
    unfurlLinks: z.boolean().optional(),
  })
  .refine(({ text, blocks }) => text !== undefined || blocks !== undefined, {
    path: ["text"],
    message: 'is missing: set "text" or "blocks"',
  });
export type SlackConfig = z.infer<typeof slackConfig>;

export type PostResult = HttpAnswer | (Failure & { readonly ok: false });

export function headersFor({ ticket }: RunnerContext, token?: string): Headers {
  const headers = new Headers({
    "Content-Type": "application/json; charset=utf-8",
    "Idempotency-Key": ticket.idempotencyKey,
  });
  if (token !== undefined) headers.set("Authorization", `Bearer ${token}`);
  return headers;
}

export function bodyOf({ text, blocks, threadTs, replyBroadcast, unfurlLinks }: SlackConfig, more: JsonObject): string {
  return JSON.stringify({
    ...more,
    text,
    blocks,
    thread_ts: threadTs,
    reply_broadcast: replyBroadcast,
    unfurl_links: unfurlLinks,
  });
}
