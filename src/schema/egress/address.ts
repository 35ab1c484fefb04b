// Kinds of IP addresses: the special-purpose blocks of IPv4 and IPv6. A host must be written as the URL parser writes
// it: dotted decimal, or compressed hexadecimal without brackets. Host names are not checked here.

type Block = readonly [prefix: string, bits: number, kind: string];

/**
 * The special-purpose blocks of IPv4, from the IANA registries. If one block contains another, the smaller one comes
 * first.
 */
const IPV4_BLOCKS: readonly Block[] = [
  ["0.0.0.0", 8, "an unspecified address"],
  ["10.0.0.0", 8, "a private address"],
  ["100.100.100.200", 32, "a cloud metadata address"],
  ["100.64.0.0", 10, "a carrier-grade NAT address"],
  ["127.0.0.0", 8, "a loopback address"],
  ["168.63.129.16", 32, "a cloud metadata address"],
  ["169.254.169.254", 32, "a cloud metadata address"],
  ["169.254.0.0", 16, "a link-local address"],
  ["172.16.0.0", 12, "a private address"],
  ["192.0.0.0", 24, "a reserved address"],
  ["192.0.2.0", 24, "a documentation address"],
  ["192.88.99.0", 24, "a reserved address"],
  ["192.168.0.0", 16, "a private address"],
  ["198.18.0.0", 15, "a benchmarking address"],
  ["198.51.100.0", 24, "a documentation address"],
  ["203.0.113.0", 24, "a documentation address"],
  ["224.0.0.0", 4, "a multicast address"],
  ["240.0.0.0", 4, "a reserved address"],
];

/**
 * The special-purpose blocks of IPv6. A block that embeds IPv4 addresses is refused as a whole, because a client can
 * use the IPv4 address itself.
 */
const IPV6_BLOCKS: readonly Block[] = [
  ["0:0:0:0:0:0:0:0", 128, "an unspecified address"],
  ["0:0:0:0:0:0:0:1", 128, "a loopback address"],
  ["0:0:0:0:0:ffff:0:0", 96, "an IPv4-mapped address"],
  ["0:0:0:0:0:0:0:0", 96, "an IPv4-compatible address"],
  ["64:ff9b:0:0:0:0:0:0", 32, "a NAT64 address"],
  ["2001:0:0:0:0:0:0:0", 32, "a Teredo address"],
  ["2001:db8:0:0:0:0:0:0", 32, "a documentation address"],
  ["2001:0:0:0:0:0:0:0", 23, "a reserved address"],
  ["2002:0:0:0:0:0:0:0", 16, "a 6to4 address"],
  ["3fff:0:0:0:0:0:0:0", 20, "a documentation address"],
  ["fd00:ec2:0:0:0:0:0:254", 128, "a cloud metadata address"],
  ["fd20:ce:0:0:0:0:0:254", 128, "a cloud metadata address"],
  ["fc00:0:0:0:0:0:0:0", 7, "a private address"],
  ["fe80:0:0:0:0:0:0:0", 10, "a link-local address"],
  ["fec0:0:0:0:0:0:0:0", 10, "a private address"],
  ["ff00:0:0:0:0:0:0:0", 8, "a multicast address"],
];

type Beginning = { readonly bits: string; readonly kind: string };

const IPV4_BEGINNINGS = beginnings(IPV4_BLOCKS, bits4);
const IPV6_BEGINNINGS = beginnings(IPV6_BLOCKS, bits6);

/**
 * Returns the name of the special-purpose block that contains the address. Returns null for a public address and for a
 * host that is no address; the caller then allows the host.
 */
export function reservedAddress(host: string): string | null {
  const v4 = bits4(host);
  if (v4 !== null) return kindIn(v4, IPV4_BEGINNINGS);
  const v6 = bits6(host);
  if (v6 === null) return null;
  const globalUnicast = v6.startsWith("001"); // All public addresses are in 2000::/3, so every address outside of this block is refused.
  return kindIn(v6, IPV6_BEGINNINGS) ?? (globalUnicast ? null : "a reserved address");
}

/** Returns true for 127.0.0.0/8 and ::1 in their plain forms, but not for mapped or translated forms. */
export function isLoopbackAddress(host: string): boolean {
  return reservedAddress(host) === "a loopback address";
}

/** Converts each block's prefix to bits once in advance, because every outgoing call is compared with the blocks. */
function beginnings(blocks: readonly Block[], read: (prefix: string) => string | null): readonly Beginning[] {
  return blocks.flatMap(([prefix, length, kind]) => {
    const bits = read(prefix);
    return bits === null ? [] : [{ bits: bits.slice(0, length), kind }];
  });
}

function kindIn(address: string, among: readonly Beginning[]): string | null {
  return among.find(({ bits }) => address.startsWith(bits))?.kind ?? null;
}

function bits4(host: string): string | null {
  const parts = host.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256)) return null;
  return parts.map((part) => Number(part).toString(2).padStart(8, "0")).join("");
}

function bits6(host: string): string | null {
  if (!host.includes(":")) return null;
  const [head = "", tail] = host.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const gap = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => "0");
  const groups = [...left, ...gap, ...right];
  if (groups.length !== 8 || !groups.every((group) => /^[0-9a-f]{1,4}$/.test(group))) return null;
  return groups.map((group) => Number.parseInt(group, 16).toString(2).padStart(16, "0")).join("");
}
