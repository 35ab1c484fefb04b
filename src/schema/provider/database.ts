// Database connections over HTTP: the protocol, and the name of the database if the URL does not contain it.
import { z } from "zod";

/** An id that Cloudflare assigned. It becomes a part of a URL's path without escaping. */
const id = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/, { message: "must be an id as Cloudflare shows it" });

export const databaseSettings = z.discriminatedUnion("protocol", [
  z.strictObject({ protocol: z.literal("d1"), accountId: id, databaseId: id }),
  z.strictObject({ protocol: z.literal("libsql") }),
]);
export type DatabaseSettings = z.infer<typeof databaseSettings>;
