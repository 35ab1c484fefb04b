// Configuration documents as API objects.
import {
  configurationKinds,
  planActions,
  type ConfigurationItem,
  type ConfigurationKind,
  type ItemChange,
  type PlanStep,
  type StepState,
} from "#schema/configuration/document.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import type { Finding } from "#schema/refusal.ts";
import { redactWritten } from "../redact.ts";
import type { ApiAppliedConfiguration, ApiConfiguration } from "./document.ts";

type Exported = {
  readonly kinds: readonly ConfigurationKind[];
  readonly items: readonly ConfigurationItem[];
  readonly secrets: readonly string[];
  readonly warnings: readonly Finding[];
};

export function presentConfiguration({ kinds, items, secrets, warnings }: Exported): ApiConfiguration {
  const shown = items.map((item) => ({ ...item, body: redactedBody(item) }));
  const lists = configurationKinds
    .filter((kind) => kind !== "prices" && kinds.includes(kind))
    .map((kind) => [kind, shown.filter((item) => item.kind === kind).map(({ body }) => body)]);
  const prices = shown.find(({ kind }) => kind === "prices")?.body;
  return {
    ...Object.fromEntries(lists),
    ...(prices === undefined ? {} : { prices }),
    secrets: [...secrets],
    warnings: [...warnings, ...redactionWarnings(shown, items)],
  };
}

/** Hides credentials that an alert channel contains as plain text, as the answers about alert channels do. */
function redactedBody({ kind, body }: ConfigurationItem): JsonObject {
  return kind === "alertChannels" ? redactWritten(body) : body;
}

function redactionWarnings(shown: readonly ConfigurationItem[], items: readonly ConfigurationItem[]): Finding[] {
  const channels = shown.filter(({ kind }) => kind === "alertChannels");
  const stored = items.filter(({ kind }) => kind === "alertChannels");
  return channels.flatMap(({ body }, n) => {
    if (JSON.stringify(body) === JSON.stringify(stored[n]?.body)) return [];
    const message = "contains a credential as plain text, which is not exported";
    const hint = "Store the credential as a secret, and name the secret.";
    return [{ pointer: `/alertChannels/${n}/channel/config`, code: "credential_redacted", message, hint }];
  });
}

type Applied = {
  readonly steps: readonly (PlanStep & { readonly state: StepState })[];
  readonly complete: boolean;
  readonly missingSecrets: readonly string[];
};

export function presentApplied({ steps, complete, missingSecrets }: Applied, dryRun: boolean): ApiAppliedConfiguration {
  const counts = planActions.map((action) => [action, steps.filter((step) => step.action === action).length]);
  return {
    dryRun,
    result: steps.every(({ action }) => action === "leave") ? "unchanged" : "changed",
    complete,
    counts: Object.fromEntries(counts),
    steps: steps.map(({ kind, changes, conflict, ...step }) => ({
      kind,
      ...step,
      changes: changes.map((each) => (kind === "alertChannels" ? redactedChange(each) : { ...each })),
      conflict: conflict && { ...conflict },
    })),
    missingSecrets: [...missingSecrets],
  };
}

/** Redacts both values under the name of their field, because the name shows whether a text is a credential. */
function redactedChange({ was, is, ...change }: ItemChange): ItemChange {
  const field = change.pointer.split("/").at(-1) ?? "";
  const redacted = (value: Json): Json => redactWritten({ [field]: value })[field] ?? null;
  return {
    ...change,
    ...(was === undefined ? {} : { was: redacted(was) }),
    ...(is === undefined ? {} : { is: redacted(is) }),
  };
}
