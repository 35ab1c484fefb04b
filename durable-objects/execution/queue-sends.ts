// Queue sends: the only way messages enter a queue. Measured in bytes, as many per call as it accepts. A message above
// the limit is never sent; a refused batch is halved until the faulty message is alone.
import { QUEUE_DOWN_AFTER_FAILURES, QUEUE_MESSAGE_BYTES_MAX } from "#schema/limits/queues/message-sizes.ts";

export type Sends<Item> = {
  readonly items: readonly Item[];
  /** How many bytes one call to `send` may hold. */
  readonly bytesMax: number;
  readonly countMax: number;
  /** Also halve a batch that is refused for another reason than its size: mostly that is an outage, and passes. */
  readonly halves: boolean;
  /** If it halves, `send` may be called with an empty list. */
  readonly send: (items: readonly Item[]) => Promise<void>;
};

export type SendResult<Item> = {
  /** Too large for any queue. */
  readonly impossible: readonly Item[];
  /** Refused on their own, for whatever reason, while others were accepted. */
  readonly refused: readonly Item[];
  /** Not sent for now. */
  readonly left: readonly Item[];
  /** The last error. */
  readonly fault: unknown;
};

const COMMA_BYTES = 1;
type Sized<Item> = { readonly item: Item; readonly bytes: number };

/** Never throws. The first call is made before anything is awaited. */
export async function sendMeasured<Item>({
  items,
  bytesMax,
  countMax,
  halves,
  send,
}: Sends<Item>): Promise<SendResult<Item>> {
  const sized = items.map((item) => ({ item, bytes: bytesOf(item) }));
  const impossible = sized.filter(({ bytes }) => bytes > QUEUE_MESSAGE_BYTES_MAX);
  const alone: Sized<Item>[] = [];
  const left: Sized<Item>[] = [];
  let fault: unknown = null;
  let failures = 0;
  let isUp = false;

  const sendOff = async (group: readonly Sized<Item>[], patience: number): Promise<void> => {
    if (failures >= patience) return void left.push(...group);
    try {
      await send(group.map(itemOf));
      [isUp, failures] = [true, 0];
    } catch (cause) {
      fault = cause;
      // A size complaint proves that the queue is up.
      [isUp, failures] = isAboutSize(cause) ? [true, 0] : [isUp, failures + 1];
      await lookInto(group, cause, patience);
    }
  };

  const lookInto = async (group: readonly Sized<Item>[], cause: unknown, patience: number): Promise<void> => {
    if (group.length === 1 && isAboutSize(cause)) impossible.push(...group);
    else if (group.length === 1 && halves) alone.push(...group);
    else if (group.length > 1 && (halves || isAboutSize(cause))) {
      const middle = group.length >> 1;
      await sendOff(group.slice(0, middle), patience);
      await sendOff(group.slice(middle), patience);
    } else left.push(...group);
  };

  for (const group of groupsOf(sized, impossible, { bytesMax, countMax })) {
    // With a single faulty message, halving fails this many times in a row before something is accepted.
    const halvings = halves ? Math.ceil(Math.log2(group.length)) : 0;
    await sendOff(group, halvings + QUEUE_DOWN_AFTER_FAILURES);
  }
  // A single message failed and nothing was accepted: an empty call tests whether the queue is down.
  if (alone.length > 0 && !isUp) isUp = await takes(() => send([]));
  return {
    impossible: impossible.map(itemOf),
    refused: isUp ? alone.map(itemOf) : [],
    left: (isUp ? left : [...alone, ...left]).map(itemOf),
    fault,
  };
}

const utf8 = new TextEncoder();

/** As JSON, as it is sent, in UTF-8: a character is up to three bytes. */
export function bytesOf(value: unknown): number {
  return utf8.encode(JSON.stringify(value)).byteLength;
}

async function takes(send: () => Promise<void>): Promise<boolean> {
  return send().then(
    () => true,
    () => false,
  );
}

function itemOf<Item>({ item }: Sized<Item>): Item {
  return item;
}

/** In their order, in as few groups as possible. */
function groupsOf<Item>(
  all: readonly Sized<Item>[],
  except: readonly Sized<Item>[],
  { bytesMax, countMax }: Pick<Sends<Item>, "bytesMax" | "countMax">,
): readonly (readonly Sized<Item>[])[] {
  const groups: Sized<Item>[][] = [];
  const left = new Set(except);
  let bytes = Infinity;
  for (const each of all) {
    if (left.has(each)) continue;
    const open = groups.at(-1);
    bytes += each.bytes + COMMA_BYTES;
    if (open !== undefined && bytes <= bytesMax && open.length < countMax) open.push(each);
    else {
      groups.push([each]);
      bytes = each.bytes;
    }
  }
  return groups;
}

function isAboutSize(fault: unknown): boolean {
  return /payload too large|too large|exceeds (?:the )?limit|\b413\b/i.test(String(fault));
}
