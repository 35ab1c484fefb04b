// Egress guard: which addresses actions may call. Pure and synchronous; it checks names and addresses, not DNS, so the
// network must block a public name that resolves to a private address (Cloudflare's edge routes none). It relies on the
// URL parser, which turns 2130706433, 0x7f.1, 127.1 and full-width digits into 127.0.0.1.
import { isLoopbackAddress, reservedAddress } from "./address.ts";

/** 443 is the parser's "". One alternative that public APIs really use; other ports are mostly scans. */
const PORTS = new Set(["", "8443"]);

/** Names within private networks, or of a cloud's metadata service. */
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

/** Public names whose only use is to resolve to loopback. */
const LOOPBACK_NAMES = ["localtest.me", "lvh.me", "vcap.me", "lacolhost.com", "localho.st", "yoogle.com"];

/** Services that resolve a name to the address in it: 10.0.0.1.nip.io, app-10-0-0-1.sslip.io, 0a000001.nip.io. */
const EMBEDDING_NAMES = ["nip.io", "sslip.io", "xip.io", "traefik.me", "backname.io", "local-ip.co", "local-ip.sh"];

/** Null if the address may be called; otherwise one sentence with the refused part and the reason. */
export function egressRefusal(url: string, terms: EgressTerms): string | null {
  return addressRefusal(URL.parse(url), terms);
}

export type EgressTerms = {
  /** True only for local development: http: and loopback addresses may be called. */
  readonly allowLoopback: boolean;
};

/** The same for a parsed URL; null: not a URL. */
export function addressRefusal(parsed: URL | null, { allowLoopback }: EgressTerms): string | null {
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
 * Addresses written inside a name. Four dotted numbers count under any domain, because self-hosted copies of these
 * services exist; dashes and hexadecimal only under known ones, where 10-2-0-1 cannot be a version number.
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

/** sslip.io writes IPv6 with dashes: --1 is ::1, fe80--1 is fe80::1. */
function dashedIPv6(rest: string): string[] {
  const label = rest.split(".").at(-1) ?? "";
  if (!/^[0-9a-f-]+$/.test(label) || !/--|(?:-[0-9a-f]+){7}/.test(label)) return [];
  const parsed = URL.parse(`https://[${label.replaceAll("-", ":")}]/`);
  return parsed === null ? [] : [parsed.hostname.slice(1, -1)];
}

/** 010 is 10 here, as those services read it. */
function plain(quad: string): string {
  return quad.split(".").map(Number).join(".");
}

function isDottedQuad(host: string): boolean {
  return /^\d+(\.\d+){3}$/.test(host);
}

function within(host: string, domains: readonly string[]): boolean {
  return domains.some((domain) => host === domain || host.endsWith(`.${domain}`));
}
