// Configuration nouns: what export and apply need of each kind of resource. One declaration per kind; the use cases of
// the kind do the work, so each write is checked, audited and limited like a single write.
import type { ConfigurationItem, ConfigurationKind } from "#schema/configuration/document.ts";
import type { Precondition } from "#schema/configuration/precondition.ts";
import type { JsonObject } from "#schema/json.ts";
import type { Result } from "#schema/refusal.ts";
import type { Deps, Scope, TenantCaller } from "../deps.ts";
import type { RequestedSpec } from "../recurring/recurring-spec.ts";
import type { PendingCalendars } from "../calendars/pin-calendars.ts";
import type { PendingTemplates } from "../templates/pin-templates.ts";

export type ConfigurationContext = {
  readonly deps: Deps;
  readonly caller: TenantCaller;
  /** The templates that the same document creates or changes. Definitions may name them before they are stored. */
  readonly templates: PendingTemplates;
  /** The same for calendars. */
  readonly calendars: PendingCalendars;
};

/** A resource of the document. `recurring`: the parsed body of a recurring action, whose fields the API names. */
export type DesiredItem = ConfigurationItem & { readonly pointer: string; readonly recurring: DesiredRecurring | null };
export type DesiredRecurring = { readonly asked: RequestedSpec; readonly enabled: boolean | null };

/** A stored resource as a client would write it, and the tag of its content. */
export type StoredItem = { readonly body: JsonObject; readonly tag: string };
export type WriteMode = {
  readonly precondition: Precondition;
  readonly reason: string | null;
  readonly dryRun: boolean;
};

export type ConfigurationNoun = {
  readonly kind: ConfigurationKind;
  /** The scope that a write or a deletion needs. */
  readonly scope: Scope;
  /** Finds a resource. Returns null if there is none. */
  readonly find: (context: ConfigurationContext, name: string) => Promise<Result<StoredItem | null>>;
  /** Lists names in alphabetical order, after the name `after`. */
  readonly list: (context: ConfigurationContext, after: string, limit: number) => Promise<Result<readonly string[]>>;
  /** Checks the body of a resource without the stored ones, and returns it with its defaults, as it would be read. */
  readonly parse: (context: ConfigurationContext, item: DesiredItem) => Promise<Result<JsonObject>>;
  /** True if a dry run of `put` checks more than `parse`. */
  readonly isCheckedByDryRun: boolean;
  readonly put: (context: ConfigurationContext, item: DesiredItem, mode: WriteMode) => Promise<Result<unknown>>;
  readonly remove: (context: ConfigurationContext, name: string, reason: string | null) => Promise<Result<unknown>>;
};
