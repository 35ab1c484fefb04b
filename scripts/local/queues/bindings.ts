// How a hosted Worker's queues become local ones: the bindings lead to QueueDoor, and each queue is a LocalQueue.
import type { V4WorkerOptionsShape } from "miniflare";

/** Without `name`, modules and whatever else the host adds. `worker`: whose main module exports the two classes. */
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
