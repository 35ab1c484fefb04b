// The rows of a trigger's object, all together.
import { deliveryRows } from "./delivery-rows.ts";
import { agingRows, pendingRows, tallyRows } from "./side-rows.ts";
import { openStore } from "./store.ts";

export type TriggerRows = ReturnType<typeof triggerRows>;

export function triggerRows(storage: DurableObjectStorage) {
  const store = openStore(storage);
  const { atomically, prepare, owner, reset } = store;
  return {
    atomically,
    prepare,
    owner,
    reset,
    ...deliveryRows(store),
    ...pendingRows(store),
    ...tallyRows(store),
    ...agingRows(store),
  };
}
