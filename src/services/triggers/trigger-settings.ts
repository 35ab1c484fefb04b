// What is stored of a trigger beside its name and kind, and the whole of it again as it was written.
import type { StoredTrigger } from "#catalog/triggers.ts";
import type { Trigger, TriggerSettings } from "#schema/inbound/trigger.ts";
import { triggerDefaults } from "#schema/limits/inbound.ts";
import type { JsonObject } from "#schema/json.ts";

/** Only a webhook has an address: of another what stands there says that nobody is asked for a proof, and nobody gets that far. */
export function settingsOf(body: Trigger): TriggerSettings {
  const { name: _name, namespace: _namespace, labels: _labels, ...rest } = body;
  switch (rest.kind) {
    case "webhook": {
      const { kind: _kind, ...settings } = rest;
      return settings;
    }
    case "poller":
    case "event": {
      const { kind: _kind, ...settings } = rest;
      const { perMinute, burst } = triggerDefaults;
      return { ...settings, verify: { scheme: "none" }, rateLimit: { perMinute, burst } };
    }
  }
}

export function writtenOf({ name, kind, namespace, labels, settings }: StoredTrigger): JsonObject {
  const { verify, rateLimit, ...common } = settings;
  const own = kind === "webhook" ? { verify, rateLimit } : {};
  return { ...common, ...own, name, kind, namespace, labels } as JsonObject; // parsed JSON
}
