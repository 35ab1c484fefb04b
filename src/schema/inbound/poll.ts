// What a poller asks for, how often, and how it reads what it is answered.
import { z } from "zod";
import { duration } from "../definition/timing.ts";
import { jsonPointer } from "../provider/json-pointer.ts";
import * as value from "../values.ts";

const queryName = z.string().regex(/^[A-Za-z0-9_.[\]-]{1,100}$/, { message: "the name of a query parameter" });

const paging = z.discriminatedUnion("by", [
  z.strictObject({ by: z.literal("link").meta({ description: 'A Link header with rel="next".' }) }),
  z.strictObject({
    by: z.literal("url"),
    path: jsonPointer.meta({ description: "Where the next page's address is." }),
  }),
  z.strictObject({
    by: z.literal("cursor"),
    path: jsonPointer.meta({ description: "Where the next page's cursor is." }),
    query: queryName.meta({ description: "The query parameter that takes it." }),
  }),
  z.strictObject({
    by: z.literal("page"),
    query: queryName.meta({ description: "The query parameter that takes the page's number." }),
    first: z.number().int().min(0).max(1).default(1),
  }),
]);

export const pollSettings = z
  .strictObject({
    request: value.anyObject.meta({
      description:
        "What is asked, as the config of an api_call: `service` and `endpoint`, or `url`; `query`, `headers`, `authentication`. " +
        "Texts are templates over `trigger`, `tenant` and secrets.",
      examples: [{ service: "shop", endpoint: "orders", query: { limit: 100 } }],
    }),
    every: duration.meta({ description: "How often: milliseconds, or a duration such as PT5M." }),
    items: jsonPointer.default("").meta({ description: "Where the list of items is. Default: the whole body." }),
    id: jsonPointer.optional().meta({ description: "Where an item has its id.", examples: ["/id"] }),
    change: z
      .enum(["ids", "hash", "etag"])
      .default("ids")
      .meta({
        description:
          "What is new. ids: an item with an id that was not there before. hash: also one whose content has changed. etag: the " +
          "whole answer is one item, and its ETag or Last-Modified tells of a change.",
      }),
    order: z
      .enum(["oldest_first", "newest_first"])
      .default("oldest_first")
      .meta({ description: "How the list is sorted. Deliveries are made oldest first either way." }),
    paging: paging.optional(),
    resume: z
      .enum(["start", "cursor"])
      .default("start")
      .meta({
        description:
          "Where a poll begins: with the first page, or where the one before has ended (feeds that only grow).",
      }),
    from: z
      .enum(["now", "all"])
      .default("now")
      .meta({
        description: "Of what is there at the first poll. now: it is taken note of only. all: it is delivered.",
      }),
  })
  .superRefine((poll, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    if (poll.change === "etag" && poll.id !== undefined)
      refuse("id", "with etag the whole answer is one item: leave it out");
    if (poll.change === "etag" && poll.paging !== undefined)
      refuse("paging", "with etag the whole answer is one item: leave it out");
    if (poll.change !== "etag" && poll.id === undefined)
      refuse("id", "is missing: where an item has its id, such as /id");
    if (poll.resume === "cursor" && poll.paging === undefined)
      refuse("resume", "cursor needs paging, which says where the cursor is");
    if (poll.resume === "cursor" && poll.paging?.by === "page")
      refuse("resume", "cursor needs a cursor or an address: the last page of numbered ones may still grow");
    if (poll.resume === "cursor" && poll.order === "newest_first")
      refuse("resume", "cursor needs a feed that is sorted oldest_first");
  });
export type PollSettings = z.infer<typeof pollSettings>;
