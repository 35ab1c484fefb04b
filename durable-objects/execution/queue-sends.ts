// Queue sends: the only way in which messages enter a queue. Batches are limited by bytes and count. A message above
// the queue's limit is never sent. A refused batch is halved until the faulty message is found.
import { QUEUE_DOWN_AFTER_FAILURES, QUEUE_MESSAGE_BYTES_MAX } from "#schema/limits/queues/message-sizes.ts";

export type Sends<Item> = {
  readonly items: readonly Item[];
  /** The maximum size of one call to `send`, in bytes. */
  readonly bytesMax: number;
  readonly countMax: number;
  /**
   * True: a batch is also halved if the queue refuses it for another reason than its size. In most cases that reason is
   * an outage.
   */
  readonly halves: boolean;
  /** Sends one batch. With `halves` it may get an empty list, which tests whether the queue is up. */
  readonly send: (items: readonly Item[]) => Promise<void>;
};

export type SendResult<Item> = {
  /** Messages above the queue's size limit. */
  readonly impossible: readonly Item[];
  /** Messages that the queue refused even alone, while it accepted other messages. */
  readonly refused: readonly Item[];
  /** Messages that were not sent, because the queue may be down. The caller retries. */
  readonly left: readonly Item[];
  /** The last fault; null if there was none. */
  readonly fault: unknown;
};

const COMMA_BYTES = 1;
type Sized<Item> = { readonly item: Item; readonly bytes: number };

/** Sends all items. Never rejects. It calls `send` for the first time before it awaits anything. */
export async function sendMeasured<Item>({
  items,
  bytesMax,
  countMax,
  halves,
  send,
}: Sends<Item>): Promise<SendResult<Item>> {
  const sized = items.map((item) => ({ item, bytes: bytesOf(item) }));
  const impossible = sized.filter(({ bytes }) => bytes > QUEUE_MESSAGE_BYTES_MAX);
  const refusedAlone: Sized<Item>[] = [];
  const left: Sized<Item>[] = [];
  let fault: unknown = null;
  let failures = 0;
  let isUp = false;

  /**
   * After `failuresMax` failures in succession the queue counts as down, and the other batches are left to the caller.
   */
  const sendBatch = async (batch: readonly Sized<Item>[], failuresMax: number): Promise<void> => {
    if (failures >= failuresMax) return void left.push(...batch);
    try {
      await send(batch.map(itemOf));
      [isUp, failures] = [true, 0];
    } catch (cause) {
      fault = cause;
      // A refusal for size proves that the queue is up.
      [isUp, failures] = isAboutSize(cause) ? [true, 0] : [isUp, failures + 1];
      await handleRefusal(batch, cause, failuresMax);
    }
  };

  const handleRefusal = async (batch: readonly Sized<Item>[], cause: unknown, failuresMax: number): Promise<void> => {
    if (batch.length === 1 && isAboutSize(cause)) impossible.push(...batch);
    else if (batch.length === 1 && halves) refusedAlone.push(...batch);
    else if (batch.length > 1 && (halves || isAboutSize(cause))) {
      const middle = batch.length >> 1;
      await sendBatch(batch.slice(0, middle), failuresMax);
      await sendBatch(batch.slice(middle), failuresMax);
    } else left.push(...batch);
  };

  for (const batch of batchesOf(sized, impossible, { bytesMax, countMax })) {
    // One faulty message makes this many halvings fail in succession before the queue accepts a batch.
    const halvings = halves ? Math.ceil(Math.log2(batch.length)) : 0;
    await sendBatch(batch, halvings + QUEUE_DOWN_AFTER_FAILURES);
  }
  // Only single messages were refused and nothing was accepted: an empty call tests whether the queue is up.
  if (refusedAlone.length > 0 && !isUp) isUp = await succeeds(() => send([]));
  return {
    impossible: impossible.map(itemOf),
    refused: isUp ? refusedAlone.map(itemOf) : [],
    left: (isUp ? left : [...refusedAlone, ...left]).map(itemOf),
    fault,
  };
}

const utf8 = new TextEncoder();

/** Returns the size of a message as it is sent: JSON in UTF-8. */
export function bytesOf(value: unknown): number {
  return utf8.encode(JSON.stringify(value)).byteLength;
}

async function succeeds(send: () => Promise<void>): Promise<boolean> {
  return send().then(
    () => true,
    () => false,
  );
}

function itemOf<Item>({ item }: Sized<Item>): Item {
  return item;
}

/** Splits into as few batches as the limits allow, in order. */
function batchesOf<Item>(
  all: readonly Sized<Item>[],
  excluded: readonly Sized<Item>[],
  { bytesMax, countMax }: Pick<Sends<Item>, "bytesMax" | "countMax">,
): readonly (readonly Sized<Item>[])[] {
  const batches: Sized<Item>[][] = [];
  const skipped = new Set(excluded);
  let bytes = Infinity;
  for (const each of all) {
    if (skipped.has(each)) continue;
    const last = batches.at(-1);
    bytes += each.bytes + COMMA_BYTES;
    if (last !== undefined && bytes <= bytesMax && last.length < countMax) last.push(each);
    else {
      batches.push([each]);
      bytes = each.bytes;
    }
  }
  return batches;
}

function isAboutSize(fault: unknown): boolean {
  return /payload too large|too large|exceeds (?:the )?limit|\b413\b/i.test(String(fault));
}
