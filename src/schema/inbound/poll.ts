// Poll settings: the request of a poller, its interval, and how the answer is read.
import { z } from "zod";
import { duration } from "../definition/timing.ts";
import { jsonPointer } from "../provider/json-pointer.ts";
import * as value from "../values.ts";

const queryName = z.string().regex(/^[A-Za-z0-9_.[\]-]{1,100}$/, { message: "must be the name of a query parameter" });

const paging = z.discriminatedUnion("by", [
  z.strictObject({ by: z.literal("link").meta({ description: 'A Link header with rel="next".' }) }),
  z.strictObject({
    by: z.literal("url"),
    path: jsonPointer.meta({ description: "A JSON pointer to the address of the next page." }),
  }),
  z.strictObject({
    by: z.literal("cursor"),
    path: jsonPointer.meta({ description: "A JSON pointer to the cursor of the next page." }),
    query: queryName.meta({ description: "The query parameter that receives the cursor." }),
  }),
  z.strictObject({
    by: z.literal("page"),
    query: queryName.meta({ description: "The query parameter that receives the number of the page." }),
    first: z.number().int().min(0).max(1).default(1),
  }),
]);

export const pollSettings = z
  .strictObject({
    request: value.anyObject.meta({
      description:
        "The request, as the config of an api_call: `service` and `endpoint`, or `url`; `query`, `headers`, `authentication`. Texts are templates over `trigger`, `tenant` and secrets.",
      examples: [{ service: "shop", endpoint: "orders", query: { limit: 100 } }],
    }),
    every: duration.meta({ description: "The interval: milliseconds, or a duration such as PT5M." }),
    items: jsonPointer
      .default("")
      .meta({ description: "A JSON pointer to the list of items. Default: the whole body." }),
    id: jsonPointer.optional().meta({ description: "A JSON pointer to the id in an item.", examples: ["/id"] }),
    change: z
      .enum(["ids", "hash", "etag"])
      .default("ids")
      .meta({
        description:
          "Which items count as new. ids: items with an unknown id. hash: also items whose content has changed. etag: the whole answer is one item, and its ETag or Last-Modified shows a change.",
      }),
    order: z
      .enum(["oldest_first", "newest_first"])
      .default("oldest_first")
      .meta({
        description: "How the provider sorts the list. In both cases the engine delivers the oldest item first.",
      }),
    paging: paging.optional(),
    resume: z
      .enum(["start", "cursor"])
      .default("start")
      .meta({
        description: "Where a poll begins: at the first page, or where the last poll ended (for lists that only grow).",
      }),
    from: z
      .enum(["now", "all"])
      .default("now")
      .meta({
        description:
          "How the poller handles items that exist at the first poll. now: the engine only records them. all: the engine delivers them.",
      }),
  })
  .superRefine((poll, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    if (poll.change === "etag" && poll.id !== undefined)
      refuse("id", "must be absent with etag, because the whole answer is one item");
    if (poll.change === "etag" && poll.paging !== undefined)
      refuse("paging", "must be absent with etag, because the whole answer is one item");
    if (poll.change !== "etag" && poll.id === undefined)
      refuse("id", "is missing: it must be a JSON pointer to the id in an item, such as /id");
    if (poll.resume === "cursor" && poll.paging === undefined)
      refuse("resume", '"resume": "cursor" requires paging, which says where the cursor is');
    if (poll.resume === "cursor" && poll.paging?.by === "page")
      refuse(
        "resume",
        '"resume": "cursor" requires paging by cursor or address, because the last numbered page may still grow',
      );
    if (poll.resume === "cursor" && poll.order === "newest_first")
      refuse("resume", '"resume": "cursor" requires a list that is sorted oldest_first');
  });
export type PollSettings = z.infer<typeof pollSettings>;
