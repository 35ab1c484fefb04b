// Plain JSON: what the kernel takes and gives, and what a JSONLogic rule or a template is made of.
import { z } from "zod";

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

export const json: z.ZodType<Json> = z.json() as z.ZodType<Json>; // zod's own type is mutable; ours is read-only
export const jsonObject: z.ZodType<JsonObject> = z.record(z.string(), json);

/** A JSONLogic rule. Its operators are checked by the kernel, which knows them. */
export const rule = json;
export type Rule = Json;

const QUOTE = 34;
const BACKSLASH = 92;

/** How deep a JSON text nests, without parsing it: what comes after recurses, and a call stack ends. */
export function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) at = endOfString(text, at);
    else if (char === 123 || char === 91) deepest = Math.max(deepest, ++depth);
    else if (char === 125 || char === 93) depth--;
  }
  return deepest;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}
