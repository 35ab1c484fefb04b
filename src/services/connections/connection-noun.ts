// Connections, for the use cases that they share with alert channels.
import { connectionRows, findConnection, type StoredConnection } from "#catalog/connections.ts";
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
  quota: "connections",
  forget: forgetConnections,
};
