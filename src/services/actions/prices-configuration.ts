// Prices in a configuration document. A tenant has at most one price list, so it has the fixed name "prices".
import { z } from "zod";
import { amounts, currency } from "#schema/price.ts";
import { zodFindings } from "#schema/findings.ts";
import { accept, refuse } from "#schema/refusal.ts";
import type { ConfigurationNoun } from "../configuration/configuration-noun.ts";
import { invalidNamed } from "../named/named-noun.ts";
import { getPrices, pricesTag, setPrices } from "./prices.ts";

const body = z.strictObject({ currency, prices: amounts });
const NAME = "prices";

export const pricesConfiguration: ConfigurationNoun = {
  kind: "prices",
  scope: "admin",
  find: async ({ deps, caller }) => {
    const found = await getPrices(deps, caller);
    if (!found.ok || found.value === null) return found.ok ? accept(null) : found;
    const { currency: unit, amounts: prices } = found.value;
    return accept({ body: { currency: unit, prices }, tag: await pricesTag(found.value) });
  },
  list: async ({ deps, caller }, after) => {
    const found = after === "" ? await getPrices(deps, caller) : accept(null);
    return found.ok ? accept(found.value === null ? [] : [NAME]) : found;
  },
  parse: async (_context, { body: sent }) => {
    const parsed = body.safeParse(sent);
    return parsed.success ? accept(parsed.data) : refuse(invalidNamed("price list", zodFindings(parsed.error, body)));
  },
  isCheckedByDryRun: false,
  put: ({ deps, caller }, { body: sent }, { precondition, dryRun }) => {
    const { currency: unit, prices } = body.parse(sent); // The document was checked before.
    return setPrices(deps, caller, { currency: unit, amounts: prices, precondition, dryRun });
  },
  // Prices are never deleted: an empty list has the same effect.
  remove: async () => accept(null),
};
