// An object loses its memory, as the platform lets it do at any time. On a busy machine it may have been asleep already.
import { evictDurableObject } from "cloudflare:test";

type More = Parameters<typeof evictDurableObject>[1];

export async function evict(stub: DurableObjectStub, more?: More): Promise<void> {
  try {
    await evictDurableObject(stub, more);
  } catch (fault) {
    if (!String(fault).includes("not currently running")) throw fault;
  }
}
