// Queries: common parameters, and the shape of a list's page.
import { z } from "zod";
import { reason, tenantId } from "#schema/values.ts";
import { defaults } from "#schema/defaults.ts";
import { PAGE_ROWS_MAX } from "#schema/limits/api-requests.ts";

/** An ISO 8601 instant in a query. It is parsed to epoch milliseconds. */
export const instantQuery = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

export const flag = z
  .enum(["true", "false"])
  .optional()
  .transform((value) => value === "true");

/**
 * The tenant for which the root key acts: a query parameter, or the header X-Tenant. Every route accepts this
 * parameter.
 */
const tenant = {
  tenant: tenantId
    .optional()
    .meta({ description: "The tenant. Required with the root key, which belongs to no tenant." }),
};

export const plainQuery = z.strictObject(tenant);
export const changeQuery = z.strictObject({
  ...tenant,
  dryRun: flag.meta({ description: "true: a dry run, which returns what would happen and changes nothing." }),
});
export const changeQueryWithReason = changeQuery.extend({ reason: reason.optional() });

const page = {
  ...tenant,
  cursor: z.string().min(1).max(500).optional().meta({ description: "The `nextCursor` of the previous page." }),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(PAGE_ROWS_MAX)
    .default(defaults.pageRows)
    .meta({ description: "The maximum number of items per page." }),
};
export const pageQuery = z.strictObject(page);

export function pageQueryWith<Filters extends z.ZodRawShape>(filters: Filters) {
  return z.strictObject({ ...page, ...filters });
}

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ data: z.array(item), nextCursor: z.string().nullable() });
}

export type Page<Item> = { readonly data: readonly Item[]; readonly nextCursor: string | null };

export function presentPage<Row, Item>(present: (row: Row) => Item) {
  return ({ data, nextCursor }: Page<Row>): Page<Item> => ({ data: data.map((row) => present(row)), nextCursor });
}
