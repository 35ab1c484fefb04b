// Which of a tenant's directories knows a correlation key.
import { DIRECTORY_OBJECTS } from "#schema/limits/directory.ts";

export async function directoryOf(tenant: string, key: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${tenant}\n${key}`)));
  return directoryName(tenant, (digest[0] ?? 0) % DIRECTORY_OBJECTS);
}

export function directoriesOf(tenant: string): readonly string[] {
  return Array.from({ length: DIRECTORY_OBJECTS }, (_, n) => directoryName(tenant, n));
}

function directoryName(tenant: string, n: number): string {
  return `${tenant}/${n}`;
}
