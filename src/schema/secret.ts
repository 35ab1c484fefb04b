// Secret names: every name that {{ secrets.name }} allows; and names that sound like a credential and are none.
import { z } from "zod";
import { ID_CHARS_MAX } from "./limits/api-requests.ts";

export const secretName = z
  .string()
  .max(ID_CHARS_MAX)
  .regex(/^[A-Za-z_][A-Za-z0-9_-]*$/, { message: "must be a letter or _, then letters, digits, _ or -" });

/**
 * A name that sounds like a credential and only contains an id or a place: `tokenId`, `secret_name`, `tokenUrl`. An
 * address may contain a credential itself, and is always checked.
 */
const SAYS_WHICH = /(?:[a-z0-9](?:Ids?|Ur[il]|UR[IL]|Type|Name|Address)|[-_](?:ids?|ur[il]|type|name|address))$/;

export function onlyNames(name: string): boolean {
  return SAYS_WHICH.test(name);
}
