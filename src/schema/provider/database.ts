// What a connection to a database over HTTP says of it: which protocol it speaks, and where that has no address alone,
// which database is meant.
import { z } from "zod";

/** Stands in a path as it is. */
const id = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/, { message: "an id as Cloudflare shows it" });

export const databaseSettings = z.discriminatedUnion("protocol", [
  z.strictObject({ protocol: z.literal("d1"), accountId: id, databaseId: id }),
  z.strictObject({ protocol: z.literal("libsql") }),
]);
export type DatabaseSettings = z.infer<typeof databaseSettings>;
