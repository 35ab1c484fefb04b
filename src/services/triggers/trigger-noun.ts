// Triggers, for the use cases that they share with connections and alert channels.
import { findTrigger, triggerRows, type StoredTrigger } from "#catalog/triggers.ts";
import type { NamedNoun, NamedView } from "../named/named-noun.ts";
import { forgetTriggers } from "./find-hook.ts";
import { forgetListening } from "./listening.ts";

export type TriggerRowView = NamedView<StoredTrigger>;

export const triggerNoun: NamedNoun<StoredTrigger> = {
  word: "trigger",
  one: "a trigger",
  verb: "trigger",
  idPrefix: "trg",
  rows: triggerRows,
  find: findTrigger,
  quota: "triggers",
  forget: (tenant) => {
    forgetTriggers(tenant);
    forgetListening(tenant);
  },
};
