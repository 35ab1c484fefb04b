// Plain JSON: what the kernel takes and gives, and what a JSONLogic rule or a template is made of.
import { z } from "zod";

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

export const json: z.ZodType<Json> = z.json() as z.ZodType<Json>; // zod's own type is mutable; ours is read-only
export const jsonObject: z.ZodType<JsonObject> = z.record(z.string(), json);

/** A JSONLogic rule. Its operators are checked by the kernel, which knows them. */
export const rule = json;
export type Rule = Json;
