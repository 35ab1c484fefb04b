// What a secret may be called: whatever can stand in {{ secrets.name }}; and what sounds like one and is none.
import { z } from "zod";
import { limits } from "./limits.ts";

export const secretName = z
  .string()
  .max(limits.idLengthMax)
  .regex(/^[A-Za-z_][A-Za-z0-9_-]*$/, { message: "a letter or _, then letters, digits, _ or -" });

/**
 * A name that sounds like a credential and only says which one, or where: `tokenId`, `secret_name`, `tokenUrl`. An address
 * may hold a credential itself, and is looked into wherever it stands.
 */
const SAYS_WHICH = /(?:[a-z0-9](?:Ids?|Ur[il]|UR[IL]|Type|Name|Address)|[-_](?:ids?|ur[il]|type|name|address))$/;

export function onlyNames(name: string): boolean {
  return SAYS_WHICH.test(name);
}
