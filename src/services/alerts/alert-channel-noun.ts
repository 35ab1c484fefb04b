// Alert channels, for the use cases that they share with connections.
import { alertChannelRows, type StoredAlertChannel } from "#catalog/alert-channels.ts";
import { findById } from "#catalog/named.ts";
import type { NamedNoun, NamedView } from "../named/named-noun.ts";
import { forgetAlertChannels } from "./find-alert-channels.ts";

export type AlertChannelView = NamedView<StoredAlertChannel>;

export const alertChannelNoun: NamedNoun<StoredAlertChannel> = {
  word: "alert channel",
  one: "an alert channel",
  verb: "alert-channel",
  idPrefix: "alc",
  rows: alertChannelRows,
  find: (db, tenant, id) => findById(db, alertChannelRows, tenant, id),
  quota: "alertChannels",
  forget: forgetAlertChannels,
};
