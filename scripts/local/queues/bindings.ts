// Local queue bindings: replaces a Worker's queue bindings by the QueueDoor entrypoint, and each queue by a LocalQueue
// object.
import type { V4WorkerOptionsShape } from "miniflare";

/**
 * Changes bindings only; the caller adds name and modules. `worker`: the name of the Worker that exports QueueDoor and
 * LocalQueue.
 */
export function withLocalQueues(bindings: V4WorkerOptionsShape, worker: string): V4WorkerOptionsShape {
  const { queueProducers = {}, queueConsumers = {}, ...rest } = bindings;
  const queues = Object.entries(queueProducers).map(([binding, producer]) => {
    const queue = typeof producer === "string" ? producer : producer.queueName;
    return [binding, { name: worker, entrypoint: "QueueDoor", props: { queue } }] as const;
  });
  return {
    ...rest,
    serviceBindings: { ...rest.serviceBindings, ...Object.fromEntries(queues) },
    bindings: { ...rest.bindings, LOCAL_CONSUMERS: JSON.stringify(queueConsumers) },
    durableObjects: {
      ...rest.durableObjects,
      LOCAL_QUEUES: { className: "LocalQueue", useSQLite: true, unsafePreventEviction: true },
    },
  };
}
