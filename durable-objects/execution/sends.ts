// The one way in which messages go into a queue: measured in bytes, as many together as it takes at once. What is too
// large by itself is never sent; what is refused is halved until the one that is at fault stands alone.
import { QUEUE_DOWN_AFTER_FAILURES, QUEUE_MESSAGE_BYTES_MAX } from "#schema/limits/queues.ts";

export type Sends<Item> = {
  readonly items: readonly Item[];
  /** How much of them one call to `send` may hold. */
  readonly bytesMax: number;
  readonly countMax: number;
  /** Halve what is refused without a word about its size, too: mostly that is an outage, and passes. */
  readonly halves: boolean;
  /** Where it halves, it may be asked to send none. */
  readonly send: (items: readonly Item[]) => Promise<void>;
};

export type Sent<Item> = {
  /** Too large: no queue will ever take it. */
  readonly impossible: readonly Item[];
  /** Refused when it was alone, for whatever reason, while others got through. */
  readonly refused: readonly Item[];
  /** Not sent for now. */
  readonly left: readonly Item[];
  /** The last thing that went wrong. */
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
}: Sends<Item>): Promise<Sent<Item>> {
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
      // Whoever complains of the size has looked at it.
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
    // Halving takes so many failures in a row until something gets through, if there is but one that is at fault.
    const halvings = halves ? Math.ceil(Math.log2(group.length)) : 0;
    await sendOff(group, halvings + QUEUE_DOWN_AFTER_FAILURES);
  }
  // Alone, and nothing has got through: a message that holds nothing tells whether the queue is to blame.
  if (alone.length > 0 && !isUp) isUp = await takes(() => send([]));
  return {
    impossible: impossible.map(itemOf),
    refused: isUp ? alone.map(itemOf) : [],
    left: (isUp ? left : [...alone, ...left]).map(itemOf),
    fault,
  };
}

const utf8 = new TextEncoder();

/** As JSON, which is how it travels, in UTF-8: a character is up to three bytes. */
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

/** In their order, as few as hold them all. */
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
