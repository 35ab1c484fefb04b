// Versioned nouns in a configuration document: adapts definitions and templates to export and apply.
import { encodeCursor } from "#catalog/page.ts";
import { findByName, type VersionRow } from "#catalog/versioned.ts";
import type { ConfigurationKind } from "#schema/configuration/document.ts";
import type { JsonObject } from "#schema/json.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { ConfigurationContext, ConfigurationNoun } from "../configuration/configuration-noun.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { archiveVersions } from "./archive-versions.ts";
import { listLatest } from "./list-latest.ts";
import type { PutVersion } from "./put-version.ts";
import type { VersionedNoun } from "./versioned-noun.ts";

/** How the versions of a noun are read, checked and stored. */
type VersionBodies<Row> = {
  /** Returns the version as the body that a client would send for it. */
  readonly asWritten: (row: Row) => JsonObject;
  readonly parse: (context: ConfigurationContext, body: JsonObject) => Promise<Result<JsonObject>>;
  readonly put: (deps: Deps, caller: TenantCaller, input: PutVersion) => Promise<Result<unknown>>;
};

export function versionedConfiguration<Row extends VersionRow, Key>(
  kind: ConfigurationKind,
  noun: VersionedNoun<Row, Key>,
  { asWritten, parse, put }: VersionBodies<Row>,
): ConfigurationNoun {
  return {
    kind,
    scope: "write",
    find: async ({ deps, caller }, name) => {
      const row = await findByName(deps.db, noun.versions, caller.tenant, name);
      return accept(row === null || !noun.isCurrent(row) ? null : { body: asWritten(row), tag: row.hash });
    },
    list: async ({ deps, caller }, after, limit) => {
      const page = await listLatest(deps, caller, noun, { cursor: after === "" ? null : encodeCursor([after]), limit });
      return page.ok ? accept(page.value.data.map(({ name }) => name)) : page;
    },
    parse: (context, { body }) => parse(context, body),
    isCheckedByDryRun: false,
    put: ({ deps, caller }, { name, body }, { precondition, dryRun }) =>
      put(deps, caller, { ref: name, body, precondition, dryRun }),
    remove: ({ deps, caller }, name, reason) =>
      archiveVersions(deps, caller, noun, { reference: name, reason, dryRun: false }),
  };
}
