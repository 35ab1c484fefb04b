// Versioned reads of definitions and templates: the latest version of each name, one version, and all versions of a
// name.
import { z, type ZodType } from "zod";
import type { Version, VersionedNoun, VersionSummary } from "#services/versioned/versioned-noun.ts";
import { getVersion } from "#services/versioned/get-version.ts";
import { listLatest } from "#services/versioned/list-latest.ts";
import { listVersions } from "#services/versioned/list-versions.ts";
import * as query from "#wire/query.ts";
import type { EndpointId } from "./http/endpoint-access.ts";
import { answer } from "./http/answer.ts";
import { crudRoutes } from "./http/crud.ts";
import { endpoint } from "./http/endpoint.ts";
import type { Tag } from "./http/tags.ts";

type Views<Row extends Version, Key> = {
  readonly noun: VersionedNoun<Row, Key>;
  /** The noun in the path and in summaries: "definitions". */
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
  const { noun, plural, tag, ids, summary, presentSummary } = views;
  const path = `/v1/${plural}/{ref}` as const;
  const params = z.object({ ref: views.ref });
  const versions = endpoint(ids.versions, {
    method: "get",
    path: `${path}/versions`,
    tag,
    summary: "List versions",
    request: { params, query: query.pageQuery },
    answer: query.pageOf(summary),
  });
  return crudRoutes({
    tag,
    path,
    params,
    list: {
      id: ids.list,
      summary: `List ${plural}`,
      query: query.pageQuery,
      run: (deps, caller, page) => listLatest(deps, caller, noun, page),
      answer: summary,
      present: presentSummary,
    },
    get: {
      id: ids.read,
      summary: views.readSummary,
      run: (deps, caller, { ref }) => getVersion(deps, caller, noun, ref),
      tag: async ({ hash }) => hash,
      answer: views.stored,
      present: views.present,
    },
  }).openapi(versions, async (c) => {
    const { cursor = null, limit } = c.req.valid("query");
    const input = { name: c.req.valid("param").ref, cursor, limit };
    const page = await listVersions(c.var.deps, c.var.caller, noun, input);
    return answer(c, page, query.presentPage(presentSummary));
  });
}
