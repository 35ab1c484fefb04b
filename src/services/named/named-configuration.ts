// Named nouns in a configuration document: adapts connections, alert channels and triggers to export and apply.
import { findNamed as findRow, listNames, type NamedRow } from "#catalog/named.ts";
import type { ConfigurationKind } from "#schema/configuration/document.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { JsonObject } from "#schema/json.ts";
import type { ConfigurationNoun } from "../configuration/configuration-noun.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import type { DeleteNamed } from "./delete-named.ts";
import { viewOf } from "./named-noun.ts";
import { parseNamed, plainBody, putNamed, tagOf, type NamedBodies } from "./put-named.ts";

type Remove = (deps: Deps, caller: TenantCaller, input: DeleteNamed) => Promise<Result<unknown>>;

export function namedConfiguration<Row extends NamedRow, Body extends { readonly name: string }>(
  kind: ConfigurationKind,
  bodies: NamedBodies<Row, Body>,
  remove: Remove,
): ConfigurationNoun {
  const { noun, schema, asWritten } = bodies;
  return {
    kind,
    scope: "admin",
    find: async ({ deps, caller }, name) => {
      const row = await findRow(deps.db, noun.rows, caller.tenant, name);
      if (row === null) return accept(null);
      const body = plainBody(asWritten(viewOf(row)));
      return accept({ body, tag: await tagOf(body) });
    },
    list: async ({ deps, caller }, after, limit) =>
      accept(await listNames(deps.db, noun.rows, caller.tenant, after, limit)),
    parse: async (_context, { name, body }) => {
      const parsed = parseNamed(noun.word, schema, name, body);
      return parsed.ok ? accept(plainBody(parsed.value as unknown as JsonObject)) : parsed; // A parsed body contains JSON only.
    },
    isCheckedByDryRun: true,
    put: ({ deps, caller }, { name, body }, mode) => putNamed(deps, caller, bodies, { ref: name, body, ...mode }),
    remove: ({ deps, caller }, name, reason) => remove(deps, caller, { ref: name, reason, dryRun: false }),
  };
}
