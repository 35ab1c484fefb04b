// Creates a connection. The secrets it names need not be there yet: testing it says what is missing.
import type { Connection } from "#schema/connection.ts";
import type { Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { createNamed } from "../named/create-named.ts";
import { checkConnectedUrls } from "../connected-urls.ts";
import { checkConnection } from "../size-limits.ts";
import { connectionNoun, type ConnectionView } from "./connection-noun.ts";

export type CreateConnection = { readonly body: Connection; readonly dryRun: boolean };

export async function createConnection(
  deps: Deps,
  caller: TenantCaller,
  { body, dryRun }: CreateConnection,
): Promise<Result<ConnectionView>> {
  const { name, provider, ...settings } = body;
  const size = checkConnection(settings);
  if (!size.ok) return size;
  const urls = checkConnectedUrls(deps, settings);
  if (!urls.ok) return urls;
  return createNamed(deps, caller, connectionNoun, {
    name,
    complete: (row) => ({ ...row, provider, settings, attention: null }),
    dryRun,
  });
}
