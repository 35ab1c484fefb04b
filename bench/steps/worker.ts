// Step Worker: its method does no work, so that the workload measures only the call.
import { WorkerEntrypoint } from "cloudflare:workers";

export default class Steps extends WorkerEntrypoint {
  step({ ref }: { readonly ref: string }): object {
    return { ok: true, ref };
  }
}
