// Connections, for the use cases that they share with alert channels.
import { connectionRows, findConnection, type StoredConnection } from "#catalog/connections.ts";
import { limits } from "#schema/limits.ts";
import type { NamedNoun, NamedView } from "../named/named-noun.ts";
import { forgetConnections } from "./find-connection.ts";

export type ConnectionView = NamedView<StoredConnection>;

export const connectionNoun: NamedNoun<StoredConnection> = {
  word: "connection",
  one: "a connection",
  verb: "connection",
  idPrefix: "con",
  rows: connectionRows,
  find: findConnection,
  max: limits.connectionsMax,
  tooMany: {
    code: "limit_exceeded",
    message: `A tenant has at most ${limits.connectionsMax} connections (connectionsMax).`,
    hint: "Delete those that nothing uses.",
    details: { field: "connections", limit: limits.connectionsMax },
  },
  forget: forgetConnections,
};
