// Secret names: the names that {{ secrets.name }} accepts, and field names that sound like a credential but contain
// none.
import { z } from "zod";
import { ID_CHARS_MAX } from "./limits/api-requests.ts";

export const secretName = z
  .string()
  .max(ID_CHARS_MAX)
  .regex(/^[A-Za-z_][A-Za-z0-9_-]*$/, {
    message: "must begin with a letter or _ and contain only letters, digits, _ and -",
  });

/**
 * Field names that sound like a credential but contain only an id, a name or a URL: `tokenId`, `secret_name`,
 * `tokenUrl`. A URL is still searched for credentials.
 */
const SAYS_WHICH = /(?:[a-z0-9](?:Ids?|Ur[il]|UR[IL]|Type|Name|Address)|[-_](?:ids?|ur[il]|type|name|address))$/;

export function onlyNames(name: string): boolean {
  return SAYS_WHICH.test(name);
}
