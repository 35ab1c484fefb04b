// Versioned reads (definitions, templates): the latest of each name, one version, all of a name.
import { OpenAPIHono } from "@hono/zod-openapi";
import { z, type ZodType } from "zod";
import type { Version, VersionedNoun, VersionSummary } from "#services/versioned/versioned-noun.ts";
import { getVersion } from "#services/versioned/get-version.ts";
import { listLatest } from "#services/versioned/list-latest.ts";
import { listVersions } from "#services/versioned/list-versions.ts";
import * as query from "#wire/query.ts";
import type { EndpointId } from "./http/endpoint-access.ts";
import { answer } from "./http/answer.ts";
import type { AppEnv } from "./http/context.ts";
import { endpoint } from "./http/endpoint.ts";
import type { Tag } from "./http/tags.ts";
import { refuseInvalid } from "./http/refuse-invalid.ts";

type Views<Row extends Version, Key> = {
  readonly noun: VersionedNoun<Row, Key>;
  /** Used in the address and in sentences: "definitions". */
  readonly plural: string;
  readonly tag: Tag;
  readonly ids: { readonly list: EndpointId; readonly read: EndpointId; readonly versions: EndpointId };
  readonly readSummary: string;
  readonly ref: z.ZodString;
  readonly summary: ZodType;
  readonly stored: ZodType;
  readonly presentSummary: (row: VersionSummary<Row>) => object;
  readonly present: (row: Row) => object;
};

export function versionViews<Row extends Version, Key>(views: Views<Row, Key>) {
  const { noun, presentSummary, present } = views;
  const { list, read, versions } = endpointsOf(views);
  return new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid })
    .openapi(list, async (c) => {
      const { cursor = null, limit } = c.req.valid("query");
      const page = await listLatest(c.var.deps, c.var.caller, noun, { cursor, limit });
      return answer(c, page, query.presentPage(presentSummary));
    })
    .openapi(read, async (c) => {
      const result = await getVersion(c.var.deps, c.var.caller, noun, c.req.valid("param").ref);
      return answer(c, result, present);
    })
    .openapi(versions, async (c) => {
      const { cursor = null, limit } = c.req.valid("query");
      const input = { name: c.req.valid("param").ref, cursor, limit };
      const page = await listVersions(c.var.deps, c.var.caller, noun, input);
      return answer(c, page, query.presentPage(presentSummary));
    });
}

function endpointsOf<Row extends Version, Key>({ plural, ids, ...views }: Views<Row, Key>) {
  const common = { method: "get", tag: views.tag } as const;
  const params = z.object({ ref: views.ref });
  const list = endpoint(ids.list, {
    ...common,
    path: `/v1/${plural}`,
    summary: `List ${plural}`,
    request: { query: query.pageQuery },
    answer: query.pageOf(views.summary),
  });
  const read = endpoint(ids.read, {
    ...common,
    path: `/v1/${plural}/{ref}`,
    summary: views.readSummary,
    request: { params, query: query.plainQuery },
    answer: views.stored,
  });
  const versions = endpoint(ids.versions, {
    ...common,
    path: `/v1/${plural}/{ref}/versions`,
    summary: "List versions",
    request: { params, query: query.pageQuery },
    answer: query.pageOf(views.summary),
  });
  return { list, read, versions };
}
