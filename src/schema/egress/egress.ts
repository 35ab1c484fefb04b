// Egress guard: which URLs actions may call. It checks names and addresses but makes no DNS lookup. A public name may
// resolve to a private address; only the network can block that call, as Cloudflare's edge does. The guard relies on
// the URL parser, which converts 2130706433, 0x7f.1, 127.1 and full-width digits to 127.0.0.1.
import { isLoopbackAddress, reservedAddress } from "./address.ts";

/**
 * The allowed ports. "" is port 443 as the URL parser writes it. 8443 is allowed because public APIs use it. Requests
 * to other ports are mostly port scans.
 */
const PORTS = new Set(["", "8443"]);

/** Suffixes of names in private networks, and of the metadata services of clouds. */
const PRIVATE_SUFFIXES = [
  "localhost",
  "local",
  "localdomain",
  "internal",
  "intranet",
  "lan",
  "home",
  "corp",
  "private",
  "home.arpa",
  "svc",
];

/** Public names that only resolve to loopback addresses. */
const LOOPBACK_NAMES = ["localtest.me", "lvh.me", "vcap.me", "lacolhost.com", "localho.st", "yoogle.com"];

/**
 * Services that resolve a host name to the IP address that the name contains, such as 10.0.0.1.nip.io,
 * app-10-0-0-1.sslip.io and 0a000001.nip.io.
 */
const EMBEDDING_NAMES = ["nip.io", "sslip.io", "xip.io", "traefik.me", "backname.io", "local-ip.co", "local-ip.sh"];

/**
 * Returns null if the URL may be called. Otherwise returns a sentence that names the refused part of the URL and the
 * reason.
 */
export function egressRefusal(url: string, terms: EgressOptions): string | null {
  return addressRefusal(URL.parse(url), terms);
}

export type EgressOptions = {
  /** True only in local development. Then http: and loopback addresses may be called. */
  readonly allowLoopback: boolean;
};

/** Checks a parsed URL like `egressRefusal`. `parsed` is null if the text is not a URL; it is then refused. */
export function addressRefusal(parsed: URL | null, { allowLoopback }: EgressOptions): string | null {
  if (parsed === null) return "the address is not an absolute URL";
  if (parsed.username !== "" || parsed.password !== "") {
    return `the URL for ${parsed.hostname} contains credentials; put them in a header`;
  }
  const host = parsed.hostname.replace(/^\[|\]$/g, "").replace(/\.+$/, "");
  const plainAllowed = allowLoopback && parsed.protocol === "http:";
  if (parsed.protocol !== "https:" && !plainAllowed) {
    return `${parsed.protocol} is not allowed; actions can call https: addresses only`;
  }
  if (allowLoopback && (host === "localhost" || isLoopbackAddress(host))) return null;
  return hostRefusal(host) ?? portRefusal(parsed);
}

function hostRefusal(host: string): string | null {
  const kind = reservedAddress(host);
  if (kind !== null) return `${host} is ${kind}; actions can call public addresses only`;
  if (host.includes(":") || isDottedQuad(host)) return null;
  if (within(host, PRIVATE_SUFFIXES)) return `${host} is a private name; actions can call public hosts only`;
  if (!host.includes(".")) return `${host || "an empty host"} has no domain; actions can call public hosts only`;
  if (within(host, LOOPBACK_NAMES))
    return `${host} resolves to a loopback address; actions can call public addresses only`;
  const embedded = embeddedAddresses(host).find((address) => reservedAddress(address) !== null);
  if (embedded === undefined) return null;
  return `${host} contains ${embedded}, which is ${reservedAddress(embedded)}; actions can call public addresses only`;
}

function portRefusal(url: URL): string | null {
  if (PORTS.has(url.port)) return null;
  return `port ${url.port} of ${url.hostname} is not allowed; actions can call port 443 or 8443`;
}

/**
 * Returns the IP addresses that a host name contains. Four numbers with dots count in any domain. Dashes and
 * hexadecimal digits count only in names of known services, because elsewhere 10-2-0-1 may be a version number.
 */
function embeddedAddresses(host: string): string[] {
  const dotted = [...host.matchAll(/(?<![^.-])(?=(\d{1,3}(?:\.\d{1,3}){3})(?![^.-]))/g)].map(([, quad]) => quad ?? "");
  const service = EMBEDDING_NAMES.find((name) => within(host, [name]));
  if (service === undefined) return dotted.map(plain);
  const rest = host.slice(0, -service.length).replace(/\.$/, "");
  const dashed = [...rest.matchAll(/(?<![^.-])(?=(\d{1,3}(?:-\d{1,3}){3})(?![^.-]))/g)].map(([, quad]) => quad ?? "");
  const hex = [...rest.matchAll(/(?<![^.-])([0-9a-f]{8})(?![^.-])/g)].map(([, digits = ""]) =>
    (digits.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16)).join("."),
  );
  return [...dotted, ...dashed.map((quad) => quad.replaceAll("-", ".")), ...hex].map(plain).concat(dashedIPv6(rest));
}

/** Returns the IPv6 address that a host name contains as sslip.io writes it: --1 is ::1, fe80--1 is fe80::1. */
function dashedIPv6(rest: string): string[] {
  const label = rest.split(".").at(-1) ?? "";
  if (!/^[0-9a-f-]+$/.test(label) || !/--|(?:-[0-9a-f]+){7}/.test(label)) return [];
  const parsed = URL.parse(`https://[${label.replaceAll("-", ":")}]/`);
  return parsed === null ? [] : [parsed.hostname.slice(1, -1)];
}

/** Removes the leading zeros of each number, because the services that resolve such names read 010 as decimal 10. */
function plain(quad: string): string {
  return quad.split(".").map(Number).join(".");
}

function isDottedQuad(host: string): boolean {
  return /^\d+(\.\d+){3}$/.test(host);
}

function within(host: string, domains: readonly string[]): boolean {
  return domains.some((domain) => host === domain || host.endsWith(`.${domain}`));
}
