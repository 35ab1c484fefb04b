// Database connections over HTTP: the protocol, and the database if the address does not include it.
import { z } from "zod";

/** An id from Cloudflare. It is used unchanged in a path. */
const id = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/, { message: "must be an id as Cloudflare shows it" });

export const databaseSettings = z.discriminatedUnion("protocol", [
  z.strictObject({ protocol: z.literal("d1"), accountId: id, databaseId: id }),
  z.strictObject({ protocol: z.literal("libsql") }),
]);
export type DatabaseSettings = z.infer<typeof databaseSettings>;
